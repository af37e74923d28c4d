// The cases as their files tell them: what to invoke with, what the outside world does, and what must be seen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::conformance {

using json::Value;

// What the outside world does about a callback when the execution rests.
struct CallbackAction {
  enum class Operation { kSucceed, kFail, kHeartbeat };
  std::string callback;  // its name, "*" for any
  Operation operation = Operation::kSucceed;
  std::optional<Value> payload;
};

// How many records of the log must match.
struct LogExpectation {
  Value match;  // member to text; "/…/" is a pattern that is looked for
  std::optional<int64_t> count;
};

struct DurableCase {
  std::string id;      // "1-1"
  std::string folder;  // "step"
  Value input;
  Value variables;  // name to text; absent: null
  bool is_asynchronous = false;
  std::vector<CallbackAction> actions;
  std::optional<std::string> status;  // absent: the execution need not end
  std::optional<Value> result;
  std::vector<Value> history;
  std::vector<LogExpectation> logs;
};

// Error: DURABLE_CASE_INVALID.
Result<DurableCase> parse_case(const std::string& folder, const std::string& id, std::string_view text);

// Of every folder of `directory`, by folder and number. Errors: DURABLE_CASES_UNREADABLE, and those of parse_case.
Result<std::vector<DurableCase>> load_cases(const std::string& directory);

}  // namespace pawl::conformance
