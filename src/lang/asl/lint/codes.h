// Every code that a finding about a definition can have: one table, which docs/lint.md repeats in words.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/diagnostic.h"

namespace pawl::asl {

enum class Code : uint8_t {
  kFieldType,
  kMissingField,
  kUnknownField,
  kWrongStateType,
  kUnknownStateType,
  kInvalidValue,
  kEmpty,
  kTwinFields,
  kVersion,
  kStateNameTooLong,
  kStateNameEmpty,
  kDuplicateStateName,
  kMissingState,
  kCrossesBorder,
  kUnreachableState,
  kNoWayToEnd,
  kEndlessLoop,
  kNextAndEnd,
  kPath,
  kReferencePath,
  kResultPathOnContext,
  kIntrinsic,
  kUnknownFunction,
  kTimestamp,
  kNoDollar,
  kStaticResult,
  kDuplicateField,
  kParametersNotObject,
  kHeartbeatNotBelowTimeout,
  kNumberRange,
  kStatesAllNotAlone,
  kStatesAllNotLast,
  kNestedNext,
  kOperatorMissing,
  kOperatorTwice,
  kRulesTooDeep,
  kFailWithoutErrorOrCause,
  kVariableName,
  kLabel,
  kExpress,
  kQueryLanguage,
  kJsonataSyntax,
  kUnsupportedJsonata,
  kUnsupportedItemReader,
  kUnsupportedResultWriter,
  kUnsupportedDistributedMap,
  kTooManyFindings,
};

struct CodeInfo {
  Code code;
  std::string_view name;  // stable: "ASL_UNKNOWN_FIELD"
  Severity severity;
  std::string_view aws;        // AWS's code for the same mistake; empty where AWS has nothing to say
  bool aws_at_parent = false;  // AWS names the object that holds the field
};

std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);
const CodeInfo* find_code(std::string_view name);

}  // namespace pawl::asl
