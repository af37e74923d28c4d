// Runs a command: text in on its standard input, text out.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace pawl::connect {

inline constexpr size_t kCommandErrorsBytesMax = 4096;              // of standard error: the end is kept
inline constexpr Duration kCommandGrace = std::chrono::seconds(2);  // between SIGTERM and SIGKILL

struct Command {
  std::vector<std::string> arguments;                            // the first is the program, looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment;  // over this process's own
  std::string input;
  Duration timeout = Duration::max();
  size_t output_bytes_max = 16 * 1024 * 1024;
};

struct CommandResult {
  int exit_code = 0;
  int signal = 0;      // that ended it, or 0
  std::string output;  // standard output
  std::string errors;  // the last bytes of standard error
};

// Runs to the end, on the calling thread; any number of threads may. The command has a process group of its own, which
// ends with SIGTERM and then SIGKILL where it is stopped, takes too long or writes too much.
//
// Errors: COMMAND_NOT_FOUND, COMMAND_NOT_PERMITTED, COMMAND_TIMEOUT, COMMAND_TOO_LARGE, COMMAND_STOPPED,
// COMMAND_SYSTEM.
Result<CommandResult> run_command(const Command& command, const std::stop_token& stop);

}  // namespace pawl::connect
