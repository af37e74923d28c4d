// The machines that a simulated world runs, and how each may end.
//
// Their tasks give back twice what they get, so that an end follows from the input alone, or from the input and whether
// somebody gave up waiting.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/event_triggers.h"
#include "engine/programs.h"
#include "kernel/execution.h"
#include "sim/dice.h"

namespace pawl::sim {

using engine::DefinitionId;
using json::Value;
using kernel::Status;

struct Machine {
  std::string_view name;
  std::string_view text;
  uint32_t weight;  // how often it is started, beside the others; 0: by events only
  Value (*make_input)(Dice&);
  // Whether an execution with this input may end so; one that was stopped may always be aborted.
  bool (*may_end)(const Value& input, Status status, const Value& outcome);
};

// Never changes: made once, shared by all worlds.
class Definitions final : public engine::Programs, public engine::EventTriggers {
 public:
  Definitions();

  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override;
  std::string family_of(DefinitionId definition) override;
  std::vector<engine::EventTrigger> triggers_of(std::string_view source, std::string_view type, Timestamp at) override;

  DefinitionId pick(Dice& dice) const;
  const Machine& machine(DefinitionId definition) const;
  bool is_listener(DefinitionId definition) const;  // one that waits to be poked

 private:
  std::vector<std::shared_ptr<const kernel::Program>> programs_;  // by id - 1
};

}  // namespace pawl::sim
