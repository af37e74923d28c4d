// A world in one thread: an engine on SQLite on a simulated disk, its workers and its clients, under a simulated clock.
// A seed decides everything that happens in it.
//
// Life: steps in which somebody does something, the engine goes on, time passes or something breaks; after every crash
// the engine is opened again. In the end all trouble ceases and everything must come to its end.
#pragma once

#include <memory>

#include "sim/clients.h"
#include "sim/ledger.h"
#include "sim/scene.h"
#include "sim/senders.h"
#include "sim/workers.h"
#include "store/sqlite/simulated_disk.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::sim {

struct Report {
  uint64_t executions = 0;
  uint64_t facts = 0;
  uint64_t crashes = 0;
  uint64_t commits = 0;
  uint64_t rolled_back = 0;
  Duration elapsed{0};
  uint32_t checksum = 0;  // of everything that is stored in the end
};

class World {
 public:
  World(uint64_t seed, Definitions& definitions, bool is_verbose);
  ~World();

  // Throws Violation.
  Report run();

 private:
  using Survival = store::SimulatedDisk::Survival;

  template <typename... Parts>
  void tell(const Parts&... parts) const;

  void open();
  bool try_to_open(bool with_faults);
  void crash(const char* reason, Survival survival);
  void crash_somehow(const char* reason);
  void stop_cleanly();
  std::unique_ptr<engine::Engine> open_engine();
  void meet_rival();

  void step();
  bool break_something();
  void move_on();
  void pass_time();
  void settle();
  Timestamp next_event() const;
  void drain();
  void finish_work();
  bool has_open_executions() const;
  Report report() const;

  const bool is_verbose_;
  Dice dice_;
  Weather weather_;
  SimulatedClock clock_;
  Agenda agenda_;
  WitnessStore witness_;
  Scene scene_;
  Ledger ledger_;
  Workers workers_;
  Clients clients_;
  Senders senders_;
  store::SimulatedDisk disk_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<engine::Engine> engine_;
  kernel::Limits limits_;
  uint32_t shards_ = 1;
  bool has_fault_ = false;  // one was planned since the engine was opened
  uint64_t full_for_ = 0;   // steps
  uint64_t crashes_ = 0;
};

}  // namespace pawl::sim
