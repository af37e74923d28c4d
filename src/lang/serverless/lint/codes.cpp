#include "lang/serverless/lint/codes.h"

#include <array>

#include "base/assert.h"

namespace pawl::serverless {
namespace {

constexpr Severity kError = Severity::kError;
constexpr Severity kWarning = Severity::kWarning;

// In the order of the enumeration.
constexpr std::array kCodes = {
    CodeInfo{Code::kFieldType, "SW_FIELD_TYPE", kError},
    CodeInfo{Code::kMissingField, "SW_MISSING_FIELD", kError},
    CodeInfo{Code::kOmittedField, "SW_OMITTED_FIELD", kWarning},
    CodeInfo{Code::kUnknownField, "SW_UNKNOWN_FIELD", kWarning},
    CodeInfo{Code::kUnknownStateType, "SW_UNKNOWN_STATE_TYPE", kError},
    CodeInfo{Code::kInvalidValue, "SW_INVALID_VALUE", kError},
    CodeInfo{Code::kEmpty, "SW_EMPTY", kError},
    CodeInfo{Code::kTwinFields, "SW_TWIN_FIELDS", kError},
    CodeInfo{Code::kDuplicateName, "SW_DUPLICATE_NAME", kError},
    CodeInfo{Code::kDuplicateAction, "SW_DUPLICATE_ACTION", kWarning},
    CodeInfo{Code::kUnknownState, "SW_UNKNOWN_STATE", kError},
    CodeInfo{Code::kUnknownFunction, "SW_UNKNOWN_FUNCTION", kWarning},
    CodeInfo{Code::kUnknownEvent, "SW_UNKNOWN_EVENT", kWarning},
    CodeInfo{Code::kEventNotProduced, "SW_EVENT_NOT_PRODUCED", kError},
    CodeInfo{Code::kEventNotConsumed, "SW_EVENT_NOT_CONSUMED", kWarning},
    CodeInfo{Code::kEventWithoutTypeAndSource, "SW_EVENT_WITHOUT_TYPE_AND_SOURCE", kError},
    CodeInfo{Code::kAttributeName, "SW_ATTRIBUTE_NAME", kError},
    CodeInfo{Code::kCorrelationIgnored, "SW_CORRELATION_IGNORED", kWarning},
    CodeInfo{Code::kNoStart, "SW_NO_START", kWarning},
    CodeInfo{Code::kSecondStart, "SW_SECOND_START", kError},
    CodeInfo{Code::kStartIgnored, "SW_START_IGNORED", kWarning},
    CodeInfo{Code::kUnreachableState, "SW_UNREACHABLE_STATE", kWarning},
    CodeInfo{Code::kNoWayToEnd, "SW_NO_WAY_TO_END", kWarning},
    CodeInfo{Code::kSwitchEnd, "SW_SWITCH_END", kError},
    CodeInfo{Code::kNoDefault, "SW_NO_DEFAULT", kWarning},
    CodeInfo{Code::kRetryNotAllowed, "SW_RETRY_NOT_ALLOWED", kError},
    CodeInfo{Code::kUnknownRetry, "SW_UNKNOWN_RETRY", kError},
    CodeInfo{Code::kExpression, "SW_EXPRESSION", kError},
    CodeInfo{Code::kNotAnExpression, "SW_NOT_AN_EXPRESSION", kWarning},
    CodeInfo{Code::kDuration, "SW_DURATION", kError},
    CodeInfo{Code::kInterval, "SW_INTERVAL", kError},
    CodeInfo{Code::kCron, "SW_CRON", kError},
    CodeInfo{Code::kTimeZone, "SW_TIME_ZONE", kError},
    CodeInfo{Code::kNumber, "SW_NUMBER", kError},
    CodeInfo{Code::kBranchesFewerThanN, "SW_BRANCHES_FEWER_THAN_N", kError},
    CodeInfo{Code::kNIgnored, "SW_N_IGNORED", kWarning},
    CodeInfo{Code::kCallsItself, "SW_CALLS_ITSELF", kError},
    CodeInfo{Code::kOutputCollection, "SW_OUTPUT_COLLECTION", kError},
    CodeInfo{Code::kTimeoutIgnored, "SW_TIMEOUT_IGNORED", kWarning},
    CodeInfo{Code::kReference, "SW_REFERENCE", kError},
    CodeInfo{Code::kDocumentElsewhere, "SW_DOCUMENT_ELSEWHERE", kWarning},
    CodeInfo{Code::kOperation, "SW_OPERATION", kError},
    CodeInfo{Code::kTooLarge, "SW_TOO_LARGE", kError},
    CodeInfo{Code::kTooManyFindings, "SW_TOO_MANY_FINDINGS", kWarning},
};

static_assert(text::are_in_order(kCodes), "info() looks codes up by their number");

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

const CodeInfo& info(Code code) {
  const auto index = static_cast<size_t>(code);
  PAWL_ASSERT(index < kCodes.size(), index);
  return kCodes[index];
}

}  // namespace pawl::serverless
