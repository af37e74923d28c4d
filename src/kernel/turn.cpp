#include "kernel/turn.h"

#include <utility>

namespace pawl::kernel {

void Turn::append(Fact&& fact) {
  fact.time = time();
  derive_effects(execution_, fact, effects_);
  execution_.evolve(facts_.emplace_back(std::move(fact)));
}

void Turn::append_event(Fact&& fact, EventId previous) {
  fact.event = execution_.last_event().next();
  fact.previous_event = previous;
  append(std::move(fact));
}

void Turn::append_event(Fact&& fact) {
  const EventId previous = execution_.scope(fact.scope).last_event;
  append_event(std::move(fact), previous);
}

}  // namespace pawl::kernel
