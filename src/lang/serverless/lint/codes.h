// Every code that a finding about a definition can have: one table, which docs/serverless-workflow.md repeats in words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "text/findings.h"

namespace pawl::serverless {

enum class Code : uint8_t {
  kFieldType,
  kMissingField,
  kOmittedField,
  kUnknownField,
  kUnknownStateType,
  kInvalidValue,
  kEmpty,
  kTwinFields,
  kDuplicateName,
  kDuplicateAction,
  kUnknownState,
  kUnknownFunction,
  kUnknownEvent,
  kEventNotProduced,
  kEventNotConsumed,
  kEventWithoutTypeAndSource,
  kAttributeName,
  kCorrelationIgnored,
  kNoStart,
  kSecondStart,
  kStartIgnored,
  kUnreachableState,
  kNoWayToEnd,
  kSwitchEnd,
  kNoDefault,
  kRetryNotAllowed,
  kUnknownRetry,
  kExpression,
  kNotAnExpression,
  kDuration,
  kInterval,
  kCron,
  kTimeZone,
  kNumber,
  kBranchesFewerThanN,
  kNIgnored,
  kCallsItself,
  kOutputCollection,
  kTimeoutIgnored,
  kReference,
  kDocumentElsewhere,
  kOperation,
  kTooLarge,
  kTooManyFindings,
};

using CodeInfo = text::FindingCode<Code>;

std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);

}  // namespace pawl::serverless
