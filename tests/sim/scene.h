// What everybody in a simulated world shares. One thread.
#pragma once

#include <functional>
#include <map>

#include "engine/engine.h"
#include "sim/definitions.h"
#include "sim/dice.h"
#include "sim/simulated_clock.h"
#include "sim/witness_store.h"

namespace pawl::sim {

// What will happen, by the time that really passes.
class Agenda {
 public:
  using Event = std::function<void()>;
  void add(Timestamp when, Event event) { events_.emplace(when, std::move(event)); }
  Timestamp next() const { return events_.empty() ? kNever : events_.begin()->first; }
  // Whether one was due; it has then happened.
  bool run_one(Timestamp now) {
    if (next() > now) return false;
    const Event event = std::move(events_.extract(events_.begin()).mapped());
    event();
    return true;
  }

 private:
  std::multimap<Timestamp, Event> events_;
};

// How a world is: each seed has its own. Chances are in a thousand, for each step.
struct Weather {
  uint64_t steps = 0;
  uint64_t crowd = 0;       // executions that are started at once, in the beginning
  uint32_t kill = 0;        // the process ends between two steps
  uint32_t power_loss = 0;  // soon, in the middle of a write or a sync
  uint32_t full = 0;        // the disk fills up, for a while
  uint32_t bad_sync = 0;    // one of the next syncs fails
  uint32_t bad_read = 0;    // one of the next reads fails
  uint32_t rival = 0;       // another engine takes the shards while this one still runs
  uint32_t clean_stop = 0;  // the process ends in peace
  uint32_t clock_forward = 0;
  uint32_t clock_back = 0;
  uint32_t overlap = 0;  // of each read: a commit ends just before it
  uint32_t trouble = 0;  // of each task: its worker fails, is silent, late or answers twice
  int checkpoint_pages = 1000;
  uint32_t shards_max = 1;
  Duration retention = engine::kKeepForever;
  size_t mailbox_max = 10'000;
  size_t loaded_max = 10'000;
};

struct Scene {
  Dice& dice;
  SimulatedClock& clock;
  Agenda& agenda;
  WitnessStore& store;
  Definitions& definitions;
  const Weather& weather;
  engine::Engine* engine = nullptr;  // null while it is down
  bool is_draining = false;          // no trouble any more: everything comes to its end
  bool may_be_full = false;          // since the engine was opened the disk was full
};

}  // namespace pawl::sim
