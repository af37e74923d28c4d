// The words of AWS's Lambda durable execution API: operations as the service keeps them and the updates that change
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::durable {

enum class OperationType { Execution, Context, Step, Wait, Callback, ChainedInvoke };
enum class OperationAction { Start, Succeed, Fail, Retry, Cancel };
enum class OperationStatus { Started, Pending, Ready, Succeeded, Failed, Cancelled, TimedOut, Stopped };

std::string_view to_string(OperationType type);
std::string_view to_string(OperationAction action);
std::string_view to_string(OperationStatus status);
std::optional<OperationType> operation_type(std::string_view text);
std::optional<OperationAction> operation_action(std::string_view text);
std::optional<OperationStatus> operation_status(std::string_view text);

// True for a status that nothing changes any more.
bool is_terminal(OperationStatus status);

// Limits of the service, in bytes of UTF-8 and in seconds.
inline constexpr std::size_t kPayloadBytesMax = 262'144;
inline constexpr std::size_t kInvokePayloadBytesMax = 1'048'576;
inline constexpr std::size_t kResponseBytesMax = 6 * 1024 * 1024 - 50;
inline constexpr std::size_t kErrorBytesMax = 32 * 1024;
inline constexpr std::size_t kNameBytesMax = 256;
inline constexpr std::int64_t kWaitSecondsMax = 31'622'400;
inline constexpr std::int64_t kCallbackTimeoutSecondsMax = 99'999'999;

using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

// What failed. All parts may be absent.
struct ErrorObject {
  std::optional<std::string> type = {};
  std::optional<std::string> message = {};
  std::optional<std::string> data = {};  // for programs; may be JSON
  std::vector<std::string> stack_trace = {};

  friend bool operator==(const ErrorObject&, const ErrorObject&) = default;
};

// An operation as the service keeps it.
struct OperationRecord {
  std::string id;
  OperationType type = OperationType::Step;
  OperationStatus status = OperationStatus::Started;
  std::string parent_id;  // empty: the execution itself
  std::string name;       // empty: none
  std::string sub_type;
  Timestamp started{};
  std::optional<Timestamp> ended;
  std::optional<std::string> input;   // EXECUTION only
  std::optional<std::string> result;  // also the state of the next attempt of a waiting condition
  std::optional<ErrorObject> error;
  int attempts = 0;  // finished attempts of a step
  std::optional<Timestamp> next_attempt;
  std::optional<Timestamp> scheduled_end;
  std::string callback_id;
  bool replay_children = false;
};

// A change of an operation that the function asks for.
struct OperationUpdate {
  std::string id;
  OperationType type = OperationType::Step;
  OperationAction action = OperationAction::Start;
  std::string parent_id;
  std::string name;
  std::string sub_type;
  std::optional<std::string> payload;
  std::optional<ErrorObject> error;
  std::optional<std::int64_t> retry_delay_seconds;
  std::optional<std::int64_t> wait_seconds;
  std::optional<std::int64_t> timeout_seconds;
  std::optional<std::int64_t> heartbeat_seconds;
  std::string function_name;
  std::string tenant_id;
  bool replay_children = false;
};

}  // namespace pawl::durable
