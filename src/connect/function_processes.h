// The processes that run functions: started, watched, ended when a call takes too long, and started again.
//
// A process has a Runtime API of its own, on a free port of this machine, so that it is known whose calls end with it.
// Runtimes made for AWS take one call at a time; a worker that asks for more gets them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "connect/function_calls.h"

namespace pawl::connect {

struct FunctionCommand {
  std::string function;
  std::vector<std::string> arguments;                            // the first is the program, looked up in PATH
  std::string directory;                                         // empty: the server's own
  std::vector<std::pair<std::string, std::string>> environment;  // over the server's own and Lambda's
  uint32_t processes = 1;
  uint32_t slots = 32;            // calls that one process may take at a time, where its runtime can take several
  uint64_t memory_bytes_max = 0;  // of address space; 0: no limit
};

// What every process is told.
struct FunctionSurroundings {
  std::string endpoint;  // "http://127.0.0.1:8083", where checkpoints go
  std::string region;
  std::vector<std::pair<std::string, std::string>> environment = {};  // besides: credentials that the endpoint takes
  // The threads that hear the workers lend themselves to the engine, and call this when they have nothing else to do.
  // Empty: they do not.
  std::function<void()> help_engine = {};
};

inline constexpr Duration kRespawnDelayFirst = std::chrono::milliseconds(100);
inline constexpr Duration kRespawnDelayMax = std::chrono::seconds(30);

// Lifecycle: run() starts the processes of a function; close(), or the destructor, ends all of them. Concurrency: any
// thread may call it; one thread of its own watches.
class FunctionProcesses {
 public:
  // "started", "not started", "init failed" (as the process itself tells), "timed out", "ended", with what there is to
  // say. Called on threads of its own; it must not call back.
  using Notice = std::function<void(std::string_view what, const std::string& function, const std::string& detail)>;

  FunctionProcesses(FunctionCalls& calls, FunctionSurroundings surroundings, Notice notice);
  ~FunctionProcesses();
  FunctionProcesses(const FunctionProcesses&) = delete;
  FunctionProcesses& operator=(const FunctionProcesses&) = delete;

  // Errors: those of the listener and of spawn().
  Result<void> run(const FunctionCommand& command);
  void close();

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;
};

}  // namespace pawl::connect
