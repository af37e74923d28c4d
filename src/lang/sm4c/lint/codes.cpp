#include "lang/sm4c/lint/codes.h"

#include <array>

#include "base/assert.h"

namespace pawl::sm4c {
namespace {

constexpr Severity kError = Severity::kError;
constexpr Severity kWarning = Severity::kWarning;

// In the order of the enumeration.
constexpr std::array kCodes = {
    CodeInfo{Code::kFieldType, "SM4C_FIELD_TYPE", kError},
    CodeInfo{Code::kMissingField, "SM4C_MISSING_FIELD", kError},
    CodeInfo{Code::kUnknownField, "SM4C_UNKNOWN_FIELD", kWarning},
    CodeInfo{Code::kUnknownActionType, "SM4C_UNKNOWN_ACTION_TYPE", kError},
    CodeInfo{Code::kInvalidValue, "SM4C_INVALID_VALUE", kError},
    CodeInfo{Code::kEmpty, "SM4C_EMPTY", kError},
    CodeInfo{Code::kDuplicateName, "SM4C_DUPLICATE_NAME", kError},
    CodeInfo{Code::kUnknownState, "SM4C_UNKNOWN_STATE", kError},
    CodeInfo{Code::kUnknownFunction, "SM4C_UNKNOWN_FUNCTION", kError},
    CodeInfo{Code::kUnknownEvent, "SM4C_UNKNOWN_EVENT", kError},
    CodeInfo{Code::kUnknownRetryPolicy, "SM4C_UNKNOWN_RETRY_POLICY", kError},
    CodeInfo{Code::kNoStart, "SM4C_NO_START", kError},
    CodeInfo{Code::kSecondStart, "SM4C_SECOND_START", kError},
    CodeInfo{Code::kMixedTransition, "SM4C_MIXED_TRANSITION", kError},
    CodeInfo{Code::kSecondImplicit, "SM4C_SECOND_IMPLICIT", kError},
    CodeInfo{Code::kSecondTimeout, "SM4C_SECOND_TIMEOUT", kError},
    CodeInfo{Code::kNoProgress, "SM4C_NO_PROGRESS", kError},
    CodeInfo{Code::kTransitionNeverTaken, "SM4C_TRANSITION_NEVER_TAKEN", kWarning},
    CodeInfo{Code::kNoWayOn, "SM4C_NO_WAY_ON", kError},
    CodeInfo{Code::kUnreachableState, "SM4C_UNREACHABLE_STATE", kWarning},
    CodeInfo{Code::kNoWayToEnd, "SM4C_NO_WAY_TO_END", kWarning},
    CodeInfo{Code::kValueNotWaitedFor, "SM4C_VALUE_NOT_WAITED_FOR", kWarning},
    CodeInfo{Code::kExitActionNeverRuns, "SM4C_EXIT_ACTION_NEVER_RUNS", kWarning},
    CodeInfo{Code::kHandlerWithoutAction, "SM4C_HANDLER_WITHOUT_ACTION", kWarning},
    CodeInfo{Code::kExpression, "SM4C_EXPRESSION", kError},
    CodeInfo{Code::kNotAnExpression, "SM4C_NOT_AN_EXPRESSION", kError},
    CodeInfo{Code::kTimespan, "SM4C_TIMESPAN", kError},
    CodeInfo{Code::kTimespanInDays, "SM4C_TIMESPAN_IN_DAYS", kWarning},
    CodeInfo{Code::kNumber, "SM4C_NUMBER", kError},
    CodeInfo{Code::kActionsFewerThanN, "SM4C_ACTIONS_FEWER_THAN_N", kError},
    CodeInfo{Code::kNIgnored, "SM4C_N_IGNORED", kWarning},
    CodeInfo{Code::kTimeoutIgnored, "SM4C_TIMEOUT_IGNORED", kWarning},
    CodeInfo{Code::kAttributeName, "SM4C_ATTRIBUTE_NAME", kError},
    CodeInfo{Code::kCallsItself, "SM4C_CALLS_ITSELF", kWarning},
    CodeInfo{Code::kReference, "SM4C_REFERENCE", kError},
    CodeInfo{Code::kDocumentElsewhere, "SM4C_DOCUMENT_ELSEWHERE", kWarning},
    CodeInfo{Code::kOperation, "SM4C_OPERATION", kError},
    CodeInfo{Code::kTooLarge, "SM4C_TOO_LARGE", kError},
    CodeInfo{Code::kTooManyFindings, "SM4C_TOO_MANY_FINDINGS", kWarning},
};

static_assert(text::are_in_order(kCodes), "info() looks codes up by their number");

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

const CodeInfo& info(Code code) {
  const auto index = static_cast<size_t>(code);
  PAWL_ASSERT(index < kCodes.size(), index);
  return kCodes[index];
}

}  // namespace pawl::sm4c
