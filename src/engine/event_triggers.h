// What the desk asks of whoever keeps the definitions: which of them an event may start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "engine/programs.h"
#include "kernel/start_rule.h"

namespace pawl::engine {

// A definition that events start: enabled, and the current version of its family.
struct EventTrigger {
  DefinitionId definition;
  std::string family;  // as Programs::family_of says
  kernel::StartRule rule;
};

// Called on a shard's thread: implementations are thread-safe and do not block.
class EventTriggers {
 public:
  virtual ~EventTriggers() = default;

  // Those whose filters may be for an event of this source and type (a filter without one is for any), and that may
  // start at that time. They may be more than the event does start: the filters decide.
  virtual std::vector<EventTrigger> triggers_of(std::string_view source, std::string_view type, Timestamp at) = 0;
};

}  // namespace pawl::engine
