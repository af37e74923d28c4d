#include "server/kpi_report.h"

#include <algorithm>
#include <map>

#include "engine/history_reader.h"
#include "lang/serverless/program.h"
#include "text/yaml.h"

namespace pawl::server {

namespace {

using serverless::Kpi;
using serverless::KpiTally;

// What one window of a document's KPIs adds up to.
struct Window {
  serverless::KpiWindow per;
  KpiTally tally;
  uint32_t instances = 0;

  bool counts(const store::ExecutionRow& row, Timestamp now) const {
    return per.instances ? instances < *per.instances : row.started >= now - per.time;
  }
};
using WindowKey = std::pair<Duration, uint32_t>;

WindowKey key_of(const serverless::KpiWindow& per) {
  return {per.instances ? Duration::zero() : per.time, per.instances.value_or(0)};
}

const serverless::Workflow* workflow_of(const Compiled* compiled) {
  if (compiled == nullptr || compiled->language != api::Language::kServerless) return nullptr;
  return &static_cast<const serverless::Program&>(*compiled->program).workflow();
}

bool is_newer(const store::ExecutionRow& a, const store::ExecutionRow& b) { return a.id.number > b.id.number; }

// Whether a document that names versions means this one.
bool is_meant(const serverless::Workflow& workflow, const std::vector<std::string>& versions) {
  if (versions.empty()) return true;
  const auto header = workflow.header(Value::empty_object());
  const Value* version = header ? header->find("version") : nullptr;
  return version != nullptr && version->is_string() &&
         std::ranges::find(versions, version->as_string()) != versions.end();
}

// The latest executions of all revisions of a machine, newest first.
std::vector<store::ExecutionRow> latest(const store::Store& store, const Catalog& catalog, const Machine& machine) {
  std::vector<store::ExecutionRow> rows;
  for (const DefinitionId revision : catalog.revisions_of(machine.family)) {
    store::ListFilter filter;
    filter.definition = revision;
    filter.limit = kKpiInstancesMax;
    for (store::ExecutionRow& row : store.list_executions(filter)) rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, is_newer);
  if (rows.size() > kKpiInstancesMax) rows.resize(kKpiInstancesMax);
  return rows;
}

// Of histories only one at a time is in memory. False where no window counts this one, and so none that is older.
bool add(const store::Store& store, const store::ExecutionRow& row, const serverless::Workflow& workflow, Timestamp now,
         std::map<WindowKey, Window>& windows) {
  if (std::ranges::none_of(windows, [&](const auto& entry) { return entry.second.counts(row, now); })) return false;
  const auto part =
      engine::read_history_part(store, row.id, {.from = EventId(), .count = kKpiEventsMax, .reverse = false});
  if (!part) return true;
  for (auto& [key, window] : windows) {
    if (!window.counts(row, now)) continue;
    ++window.instances;
    window.tally.add(workflow, part->facts, row.started, row.closed);
  }
  return true;
}

}  // namespace

std::vector<KpiReading> KpiReport::look() {
  const std::lock_guard lock(mutex_);
  const Timestamp now = clock_.now();
  if (looked_ != Timestamp{} && now - looked_ < kKpiRestTime) return readings_;
  looked_ = now;
  readings_.clear();
  for (const store::Document& document : store_.documents(kKpiKind)) look_at(document);
  return readings_;
}

void KpiReport::look_at(const store::Document& document) {
  const MachinePointer machine = catalog_.find_machine(document.key);
  const auto parsed = text::parse_definition(document.body);
  if (machine == nullptr || !parsed) return;
  Diagnostics diagnostics;
  const serverless::KpiDocument kpis = serverless::read_kpis(*parsed, diagnostics);
  std::map<WindowKey, Window> windows;
  for (const Kpi& kpi : kpis.kpis) windows.try_emplace(key_of(kpi.per), kpi.per);
  const Timestamp now = clock_.now();
  for (const store::ExecutionRow& row : latest(store_, catalog_, *machine)) {
    const auto compiled = catalog_.find_compiled(row.definition);
    const serverless::Workflow* workflow = workflow_of(compiled.get());
    if (workflow == nullptr || !is_meant(*workflow, kpis.versions)) continue;
    if (!add(store_, row, *workflow, now, windows)) break;
  }
  for (const Kpi& kpi : kpis.kpis)
    if (const auto measured = windows.at(key_of(kpi.per)).tally.measured(kpi))
      readings_.push_back({document.key, kpi, *measured});
}

}  // namespace pawl::server
