// Starting a process, as commands and functions do: a group of its own, no signal blocked or ignored, nothing
// inherited but what is said.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace pawl::connect {

struct SpawnRequest {
  std::vector<std::string> arguments;                                 // the first is the program, looked up in PATH
  std::vector<std::pair<std::string, std::string>> environment = {};  // besides, or in place of, this process's
  std::string directory = {};                                         // empty: this process's own
  int input = -1;  // descriptors for the standard streams; -1: nothing to read, and this process's own errors
  int output = -1;
  int errors = -1;
  bool ends_with_us = false;  // it is killed when the thread that started it ends, however that happens
};

// Errors: COMMAND_NOT_FOUND, COMMAND_NO_FOLDER, COMMAND_NOT_PERMITTED, COMMAND_SYSTEM.
Result<pid_t> spawn(const SpawnRequest& request);

// A descriptor that becomes readable when the process ends; -1 where there is none.
int watch_process(pid_t pid);

std::unexpected<Error> command_system_error(const std::string& doing, int number);

}  // namespace pawl::connect
