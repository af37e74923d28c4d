// Runs the execution that a recording is of: in this process, or on a server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"
#include "recording.h"

namespace pawl::conformance {

// The recorded inputs speak of times around this one.
inline constexpr Timestamp kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 15) + std::chrono::hours(18)};
inline constexpr std::string_view kAccount = "111111111111";
inline constexpr std::string_view kExecutionName = "exec0";

struct Ran {
  std::string status;  // "SUCCEEDED"
  Value outcome;       // output or {"Error", "Cause"}
  std::vector<Value> events;
};

using Runner = Result<Ran> (*)(const Recording& recording, engine::TaskHandler& tasks);

// In virtual time, restarted from its stored facts after every turn.
Result<Ran> run_locally(const Recording& recording, engine::TaskHandler& tasks);
// Through the API of a server of its own, over a socket, in virtual time, on SQLite.
Result<Ran> run_on_server(const Recording& recording, engine::TaskHandler& tasks);

// As the recorder's placeholders want them.
std::string machine_name(const Recording& recording);
std::string_view role_arn(const Recording& recording);

}  // namespace pawl::conformance
