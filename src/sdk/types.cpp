// The words of the API as text, and back.
#include "pawl/durable/types.h"

#include <array>
#include <utility>

#include "pawl/durable/batch.h"

namespace pawl::durable {
namespace {

using namespace std::string_view_literals;

constexpr std::array kTypes = {"EXECUTION"sv, "CONTEXT"sv, "STEP"sv, "WAIT"sv, "CALLBACK"sv, "CHAINED_INVOKE"sv};
constexpr std::array kActions = {"START"sv, "SUCCEED"sv, "FAIL"sv, "RETRY"sv, "CANCEL"sv};
constexpr std::array kStatuses = {"STARTED"sv, "PENDING"sv,   "READY"sv,     "SUCCEEDED"sv,
                                  "FAILED"sv,  "CANCELLED"sv, "TIMED_OUT"sv, "STOPPED"sv};
constexpr std::array kItemStatuses = {"STARTED"sv, "SUCCEEDED"sv, "FAILED"sv};
constexpr std::array kReasons = {"ALL_COMPLETED"sv, "MIN_SUCCESSFUL_REACHED"sv, "FAILURE_TOLERANCE_EXCEEDED"sv};

template <typename Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& words, std::string_view text) {
  for (std::size_t index = 0; index < N; ++index) {
    if (words[index] == text) return static_cast<Enum>(index);
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(OperationType type) { return kTypes[static_cast<std::size_t>(type)]; }
std::string_view to_string(OperationAction action) { return kActions[static_cast<std::size_t>(action)]; }
std::string_view to_string(OperationStatus status) { return kStatuses[static_cast<std::size_t>(status)]; }
std::optional<OperationType> operation_type(std::string_view text) { return find<OperationType>(kTypes, text); }
std::optional<OperationAction> operation_action(std::string_view text) { return find<OperationAction>(kActions, text); }
std::optional<OperationStatus> operation_status(std::string_view text) {
  return find<OperationStatus>(kStatuses, text);
}

bool is_terminal(OperationStatus status) {
  switch (status) {
    case OperationStatus::Started:
    case OperationStatus::Pending:
    case OperationStatus::Ready:
      return false;
    case OperationStatus::Succeeded:
    case OperationStatus::Failed:
    case OperationStatus::Cancelled:
    case OperationStatus::TimedOut:
    case OperationStatus::Stopped:
      return true;
  }
  return true;
}

std::string_view to_string(ItemStatus status) { return kItemStatuses[static_cast<std::size_t>(status)]; }
std::string_view to_string(CompletionReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

ItemStatus item_status(std::string_view text) {
  if (const auto status = find<ItemStatus>(kItemStatuses, text)) return *status;
  throw SerializationError("no item of a batch has the status \"" + std::string(text) + "\"");
}

CompletionReason completion_reason(std::string_view text) {
  if (const auto reason = find<CompletionReason>(kReasons, text)) return *reason;
  throw SerializationError("no batch ends for the reason \"" + std::string(text) + "\"");
}

}  // namespace pawl::durable
