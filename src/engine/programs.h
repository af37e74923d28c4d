// What the engine asks of whoever keeps the definitions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "kernel/program.h"
#include "store/rows.h"

namespace pawl::engine {

using store::DefinitionId;

// Called on the shards' threads: implementations are thread-safe.
class Programs {
 public:
  virtual ~Programs() = default;

  // The compiled program of one version of a definition. Null where it is unknown: its executions then cannot go on.
  virtual std::shared_ptr<const kernel::Program> find(DefinitionId definition) = 0;
  // What all versions of a definition share; execution names are unique within it.
  virtual std::string family_of(DefinitionId definition) = 0;

  // How long its closed executions are kept; nothing: as long as all others.
  virtual std::optional<Duration> retention_of(DefinitionId) { return std::nullopt; }

  // --- for executions that the engine starts by itself: sub-workflows, events, schedules

  // The name that a definition is started by.
  virtual std::string name_of(DefinitionId) { return {}; }
  // What new executions of this name run; nothing where there is no such definition, or it takes none.
  virtual std::optional<DefinitionId> find_named(std::string_view) { return std::nullopt; }
  // The fixed part of the context of an execution; `name` is empty where it was given none.
  virtual json::Value make_context(DefinitionId, ExecutionId, const std::string& /*name*/, const json::Value& /*input*/,
                                   Timestamp /*started*/) {
    return {};
  }
  // Whether it may be started now: false outside of the interval that it is scheduled for.
  virtual bool may_start(DefinitionId, Timestamp /*now*/) { return true; }
};

}  // namespace pawl::engine
