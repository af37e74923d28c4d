// What the engine asks of whoever keeps the definitions.
#pragma once

#include <memory>
#include <string>

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
};

}  // namespace pawl::engine
