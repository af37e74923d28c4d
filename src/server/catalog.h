// The definitions that a server has: state machines by name, each with its revisions, compiled when they are needed.
//
// A machine is a name and the revision that new executions use; an update makes a new revision, and running executions
// keep theirs. Revisions are never removed: histories need them. Machines that had one name after another are told
// apart by their family, the id of their first revision.
//
// A change is prepared, made durable by whoever asked for it, and then applied: readers never see what a crash could
// undo. Any thread may read; changes are made by one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/definition.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/programs.h"
#include "json/value.h"
#include "lang/asl/program.h"
#include "server/arns.h"
#include "store/store.h"

namespace pawl::server {

using json::Value;
using store::DefinitionId;

// One text of a machine.
struct Revision {
  DefinitionId id;
  DefinitionId family;
  std::string machine;
  std::string definition;
  std::string role;
  Value settings;  // logging, tracing and encryption, as they were given; they have no effect here
  Timestamp made{};
  bool express = false;  // of type EXPRESS
  api::Files files;      // that the text refers to, as they were when it was deployed
  std::string language = "asl";
  std::vector<std::string> options = {};  // of the language, KEY=VALUE: docs/options.md
};

// A revision that was given a number of its own.
struct PublishedVersion {
  uint64_t number = 0;
  DefinitionId revision;
  Timestamp made{};
  std::string description;
};

struct AliasRoute {
  uint64_t version = 0;
  uint32_t weight = 0;  // of 100

  friend bool operator==(const AliasRoute&, const AliasRoute&) = default;
};

// A name for a version, or for two by weight.
struct Alias {
  std::string name;
  std::string description;
  Timestamp made{};
  Timestamp changed{};
  std::vector<AliasRoute> routes;
};

struct Machine {
  std::string name;
  DefinitionId family;
  DefinitionId current;
  Timestamp made{};
  bool deleted = false;
  bool disabled = false;                   // takes no new executions; those that run go on
  uint64_t versions_made = 0;              // numbers are never used again
  std::vector<PublishedVersion> versions;  // oldest first
  std::vector<Alias> aliases;
  Value tags = Value::empty_object();

  const PublishedVersion* find_version(uint64_t number) const;
  const Alias* find_alias(std::string_view alias) const;
};

using MachinePointer = std::shared_ptr<const Machine>;
using RevisionPointer = std::shared_ptr<const Revision>;

struct Change {
  Machine machine;
  std::optional<Revision> revision;  // a new one
};

// A revision that can be run. Immutable.
struct Compiled {
  std::optional<api::Language> language;  // none: a function
  std::string name;                       // that the text gives itself; empty: none
  std::shared_ptr<const kernel::Program> program;
  std::shared_ptr<const asl::Program> asl;  // the same, where it is ASL
  std::optional<Duration> retention = {};   // of closed executions, where the definition says it
};

class Catalog final : public engine::Programs {
 public:
  explicit Catalog(const Arns& arns) : arns_(arns) {}

  // Reads what the store has. Error: CATALOG_DAMAGED.
  Result<void> load(const store::Store& store);

  // --- for the engine
  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override { return find_program(definition); }
  std::string family_of(DefinitionId definition) override;
  std::string name_of(DefinitionId definition) override;
  std::optional<DefinitionId> find_named(std::string_view name) override;
  Value make_context(DefinitionId definition, ExecutionId execution, const std::string& name, const Value& input,
                     Timestamp started) override;
  bool may_start(DefinitionId definition, Timestamp now) override;
  std::optional<Duration> retention_of(DefinitionId definition) override;

  // --- for readers; null where there is none, or where it cannot be compiled
  std::shared_ptr<const Compiled> find_compiled(DefinitionId definition) const;
  std::shared_ptr<const kernel::Program> find_program(DefinitionId definition) const;
  RevisionPointer find_revision(DefinitionId definition) const;
  MachinePointer find_machine(std::string_view name) const;  // not a deleted one
  // Every machine that ever had the name, newest first.
  std::vector<MachinePointer> find_generations(std::string_view name) const;
  // By name, beginning after `after`.
  std::vector<MachinePointer> list_machines(std::string_view after, size_t limit) const;
  // The same of functions (functions.h), whose names begin with a prefix of their own.
  std::vector<MachinePointer> list_functions(std::string_view after, size_t limit) const;
  // Of one family, newest first.
  std::vector<DefinitionId> revisions_of(DefinitionId family) const;

  // --- for the one thread that changes
  DefinitionId next_id() const;
  static std::vector<store::Document> documents_of(const Change& change);
  void apply(Change change);

 private:
  struct Entry {
    RevisionPointer revision;
    mutable std::once_flag compiled;
    mutable std::shared_ptr<const Compiled> code;  // null: it cannot be compiled
  };
  std::shared_ptr<const Entry> find_entry(DefinitionId definition) const;
  std::vector<MachinePointer> list(std::string_view after, size_t limit, bool functions) const;

  const Arns& arns_;
  mutable std::shared_mutex mutex_;  // guards everything below
  std::unordered_map<DefinitionId, std::shared_ptr<const Entry>> revisions_;
  std::map<DefinitionId, std::vector<DefinitionId>> by_family_;               // newest last
  std::map<std::string, std::vector<MachinePointer>, std::less<>> machines_;  // newest last
  DefinitionId last_;
};

// Lint and compile; or the text of the refusal, which is AWS's where the definition is ASL.
std::expected<std::shared_ptr<const Compiled>, std::string> compile_definition(const Revision& revision);

// Of an execution of the revision, with the name that it was given, if any.
std::string arn_of(const Arns& arns, const Revision& revision, const std::string& given_name, ExecutionId id);
// The fixed part of its context.
Value make_context(const Arns& arns, const Revision& revision, const std::string& given_name, ExecutionId id,
                   const Value& input, Timestamp started);

}  // namespace pawl::server
