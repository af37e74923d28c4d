// Runs one execution on the durable engine, which is thrown away and opened anew after every commit; or before each one
// too, so that its turn is lost and taken again.
//
// The engine has no threads and the clock is virtual: the run goes on only by what it finds in the store. Nothing that
// follows a commit happens before the restart, no call of a task and no answer, so that each of them rests on recovery.
// Before each restart the state in memory must equal what the store then folds to, and the store must hold the same
// rows after it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "api/machine.h"
#include "store/store.h"

namespace pawl::conformance {

// A store that is closed and opened again.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual store::Store& open() = 0;  // closes it first, where it is open
};

std::unique_ptr<Disk> make_memory_disk();                                  // the same rows, still there
std::unique_ptr<Disk> make_sqlite_disk(const std::string& parent_folder);  // a data directory of its own below it

enum class Crash : uint8_t { kAfterEachCommit, kBeforeAndAfterEachCommit };

struct RestartCounts {
  size_t restarts = 0;
  size_t calls_again = 0;  // of tasks, with a key that had come before
};

// Errors: RESTART_DIFFERS, RUN_STUCK, the router's refusal.
Result<engine::LocalRun> run_restarted(const asl::Program& program, const api::ExecutionSetup& setup,
                                       connect::Router& tasks, Disk& disk, Crash crash, RestartCounts& counts);

}  // namespace pawl::conformance
