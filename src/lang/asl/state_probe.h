// What TestState puts around the one state that it runs: mocks in place of the world, and what it saw of the state.
//
// A probe is attached to a Program that was compiled for one test and is run once, by one thread. The state's own code
// runs; where a probe is attached the state's end is the execution's end, whatever Next, Retry and Catch say, and the
// probe tells what they said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.h"
#include "lang/asl/failure.h"

namespace pawl::asl {

// AWS's names for what is seen on the way of the data through a state.
namespace seen {
inline constexpr std::string_view kAfterInputPath = "afterInputPath";
inline constexpr std::string_view kAfterParameters = "afterParameters";
inline constexpr std::string_view kResult = "result";
inline constexpr std::string_view kAfterResultSelector = "afterResultSelector";
inline constexpr std::string_view kAfterResultPath = "afterResultPath";
inline constexpr std::string_view kAfterItemsPath = "afterItemsPath";
inline constexpr std::string_view kAfterItemsPointer = "afterItemsPointer";
inline constexpr std::string_view kAfterItemSelector = "afterItemSelector";
inline constexpr std::string_view kAfterItemBatcher = "afterItemBatcher";
inline constexpr std::string_view kMaxConcurrency = "maxConcurrency";
inline constexpr std::string_view kToleratedFailureCount = "toleratedFailureCount";
inline constexpr std::string_view kToleratedFailurePercentage = "toleratedFailurePercentage";
}  // namespace seen

struct StateProbe {
  enum class End : uint8_t { kNone, kSucceeded, kFailed, kRetriable, kCaughtError };

  // What the test gives.
  std::optional<Value> mock_result;
  std::optional<Failure> mock_error;
  std::optional<Value> items;  // of a Map, in place of what its ItemReader or ItemsPath would give
  Value context;               // null, or an object whose members replace those of the Context Object
  Value variables;             // null or an object
  uint32_t retries_used = 0;   // of the retrier that takes the failure
  uint32_t failed_iterations = 0;

  // What it saw. Data is kept as the value, in the order in which it came.
  std::vector<std::pair<std::string_view, Value>> data;
  std::vector<std::pair<std::string_view, Value>> numbers;
  Value assigned;  // null or the object of variables that the state assigned

  // How the state ended.
  End end = End::kNone;
  Value output;
  std::string next_state;
  std::optional<Failure> failure;
  std::optional<uint32_t> retry_index;
  std::optional<int64_t> retry_seconds;
  std::optional<uint32_t> catch_index;

  bool has_mock() const { return mock_result || mock_error; }
  // A stage that comes again, after a wait, replaces what was seen before.
  void see(std::string_view stage, Value value);
  void leave(Value with, std::string_view next, Value with_variables);
  void fail(Failure why);
};

}  // namespace pawl::asl
