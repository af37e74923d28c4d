// The command `conformance durable`.
#pragma once

#include <string>
#include <vector>

namespace pawl::conformance {

inline constexpr const char* kDurableUsage =
    "conformance durable DIRECTORY [--only FOLDER|ID] [--failures] [--floors FILE] [--local | --server URL] "
    "[--command PAWL] [--worker PROGRAM] [--jobs N]";

// The arguments after "durable". Exit code: 0; 1 where a floor is not reached; 2 where the command or a file is wrong.
int run_durable(const std::vector<std::string>& arguments);

}  // namespace pawl::conformance
