// Holds what was seen against what a case expects. Every function gives a line for each difference.
//
//   '*'       anything, but it must be there
//   {}        the same
//   ${NAME}   bound at its first place, and equal at every other
//   ${/re/}   the text of the value has a part that matches
//   else      equal; of objects, the members that are expected
#pragma once

#include <string>
#include <vector>

#include "bindings.h"
#include "case_file.h"

namespace pawl::conformance {

using Differences = std::vector<std::string>;

// What came of a case.
struct Observed {
  std::string status;                      // of the execution
  std::optional<std::string> result = {};  // its text
  std::vector<Value> events = {};          // of its history
  std::vector<Value> log = {};             // its records
};

// Expected events are found by their EventId; what is not expected may be there as well.
Differences match_history(const std::vector<Value>& expected, const std::vector<Value>& actual, Bindings& bindings);
Differences match_result(const DurableCase& expected, const Observed& actual, const Bindings& bindings);
Differences match_logs(const std::vector<LogExpectation>& expected, const std::vector<Value>& log,
                       const Bindings& bindings);

// All three; logs only where the history and the result agree.
Differences match(const DurableCase& expected, const Observed& actual, Bindings& bindings);

}  // namespace pawl::conformance
