#include "server/doctor.h"

#include <algorithm>
#include <filesystem>

#include "engine/loaded_execution.h"
#include "engine/shard.h"
#include "server/arns.h"
#include "server/catalog.h"
#include "server/signer.h"
#include "store/sqlite/backup.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::server {

namespace {

constexpr size_t kRowsAtOnce = 500;

// The store is in doubt: what it could not read is a finding, not the end of the process.
struct Doubt {
  Error error;
};

class Doctor {
 public:
  Doctor(const store::Store& store, Catalog& catalog, const DoctorHooks& hooks, Examination& examination)
      : store_(store), catalog_(catalog), hooks_(hooks), examination_(examination) {}

  void look_at_everything() {
    store::ListFilter page;
    page.limit = kRowsAtOnce;
    for (;;) {
      const auto rows = store_.list_executions(page);
      for (const store::ExecutionRow& row : rows) look_at(row);
      hooks_.on_progress(examination_.executions);
      if (rows.size() < kRowsAtOnce) return;
      page.before = rows.back().id;
    }
  }

 private:
  void look_at(const store::ExecutionRow& row) {
    ++examination_.executions;
    const bool row_is_open = row.status == store::ExecutionStatus::kRunning;
    if (row_is_open != store_.find_live(row.id).has_value())
      return find(
          row, "DOCTOR_LIVE_ROW",
          row_is_open ? "It is open, and not among those that run." : "It is closed, and yet among those that run.",
          kRestore);
    const auto loaded = engine::LoadedExecution::load(row.id, store_, catalog_);
    if (!loaded) return find(row, "DOCTOR_EXECUTION", to_string(loaded.error()), loaded.error().fix);
    const kernel::Execution& execution = (*loaded)->execution();
    examination_.facts += execution.last_fact().number;
    check_status(row, execution);
    check_name(row);
    check_live_row(row, **loaded);
  }

  void check_status(const store::ExecutionRow& row, const kernel::Execution& execution) {
    const bool row_is_open = row.status == store::ExecutionStatus::kRunning;
    if (row_is_open) ++examination_.open;
    if (row_is_open != execution.is_open())
      find(row, "DOCTOR_STATUS",
           std::string("Its row says that it is ") + (row_is_open ? "running" : "closed") + ", its facts say " +
               std::string(kernel::name_of(execution.status())) + ".",
           kRestore);
  }

  void check_name(const store::ExecutionRow& row) {
    if (row.name.empty() || catalog_.find_revision(row.definition)->express) return;
    const auto ids = store_.find_names(engine::hash_name(catalog_.family_of(row.definition), row.name));
    if (std::ranges::find(ids, row.id) == ids.end())
      find(row, "DOCTOR_NAME", "Its name does not lead to it.", kRestore);
  }

  void check_live_row(const store::ExecutionRow& row, const engine::LoadedExecution& loaded) {
    const auto live = store_.find_live(row.id);
    if (!live) return;
    if (live->wake > loaded.execution().next_due())
      find(row, "DOCTOR_WAKE", "It would be woken later than it is due.", kRestore);
    if (loaded.needs_attention() && !live->attention)
      find(row, "DOCTOR_ATTENTION", "It has a task or a turn to be gone on with, and no restart would find it.",
           kRestore);
  }

  void find(const store::ExecutionRow& row, const char* code, std::string what, std::string fix) {
    ++examination_.findings;
    const RevisionPointer revision = catalog_.find_revision(row.definition);
    const std::string machine = revision == nullptr ? "?" : revision->machine;
    const std::string name = row.name.empty() ? generated_name(row.id) : row.name;
    hooks_.on_finding({code, machine + ":" + name, std::move(what), std::move(fix)});
  }

  static constexpr const char* kRestore = "Restore the data directory from a backup, and report this as a bug.";

  const store::Store& store_;
  Catalog& catalog_;
  const DoctorHooks& hooks_;
  Examination& examination_;
};

}  // namespace

Result<Examination> examine(const std::string& directory, const DoctorHooks& hooks) {
  Examination examination;
  const auto add = [&](Error error) {
    ++examination.findings;
    hooks.on_finding(error);
  };
  PAWL_TRY(const auto complaints, store::check_database(directory));
  for (const std::string& complaint : complaints)
    add({"DOCTOR_DATABASE", directory, complaint, "Restore the data directory from a backup."});
  store::SqliteOptions options;
  options.on_doubt = [](const Error& error) { throw Doubt{error}; };
  try {
    PAWL_TRY(const auto store, store::SqliteStore::open(directory, options));
    if (const auto key = Signer::open(directory); !key) return std::unexpected(key.error());
    const Arns arns("", "");  // nothing is started here
    Catalog catalog(arns);
    if (auto loaded = catalog.load(*store); !loaded) return std::unexpected(loaded.error());
    Doctor(*store, catalog, hooks, examination).look_at_everything();
  } catch (const Doubt& doubt) {
    add(doubt.error);
  }
  return examination;
}

Result<uint64_t> back_up(const std::string& directory, const std::string& to) {
  PAWL_TRY(const uint64_t bytes, store::back_up_database(directory, to));
  if (auto copied = Signer::copy_key(directory, to); !copied) return std::unexpected(copied.error());
  return bytes;
}

}  // namespace pawl::server
