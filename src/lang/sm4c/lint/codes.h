// Every code that a finding about a definition can have: one table, which docs/sm4c.md repeats in words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "text/findings.h"

namespace pawl::sm4c {

enum class Code : uint8_t {
  kFieldType,
  kMissingField,
  kUnknownField,
  kUnknownActionType,
  kInvalidValue,
  kEmpty,
  kDuplicateName,
  kUnknownState,
  kUnknownFunction,
  kUnknownEvent,
  kUnknownRetryPolicy,
  kNoStart,
  kSecondStart,
  kMixedTransition,
  kSecondImplicit,
  kSecondTimeout,
  kNoProgress,
  kTransitionNeverTaken,
  kNoWayOn,
  kUnreachableState,
  kNoWayToEnd,
  kValueNotWaitedFor,
  kExitActionNeverRuns,
  kHandlerWithoutAction,
  kExpression,
  kNotAnExpression,
  kTimespan,
  kTimespanInDays,
  kNumber,
  kActionsFewerThanN,
  kNIgnored,
  kTimeoutIgnored,
  kAttributeName,
  kCallsItself,
  kReference,
  kDocumentElsewhere,
  kOperation,
  kTooLarge,
  kTooManyFindings,
};

using CodeInfo = text::FindingCode<Code>;

std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);

}  // namespace pawl::sm4c
