#include "lang/asl/lint/codes.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "text/findings.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kSchema = "SCHEMA_VALIDATION_FAILED";
constexpr std::string_view kTarget = "MISSING_TRANSITION_TARGET";
constexpr std::string_view kNothing = "";

// In the order of the enumeration.
constexpr std::array kCodes = {
    CodeInfo{Code::kFieldType, "ASL_FIELD_TYPE", Severity::kError, kSchema},
    CodeInfo{Code::kMissingField, "ASL_MISSING_FIELD", Severity::kError, kSchema},
    CodeInfo{Code::kUnknownField, "ASL_UNKNOWN_FIELD", Severity::kError, kSchema, true},
    CodeInfo{Code::kWrongStateType, "ASL_WRONG_STATE_TYPE", Severity::kError, kSchema, true},
    CodeInfo{Code::kUnknownStateType, "ASL_UNKNOWN_STATE_TYPE", Severity::kError, kSchema},
    CodeInfo{Code::kInvalidValue, "ASL_INVALID_VALUE", Severity::kError, kSchema},
    CodeInfo{Code::kEmpty, "ASL_EMPTY", Severity::kError, kSchema},
    CodeInfo{Code::kTwinFields, "ASL_TWIN_FIELDS", Severity::kError, kSchema, true},
    CodeInfo{Code::kVersion, "ASL_VERSION", Severity::kError, kSchema},
    CodeInfo{Code::kStateNameTooLong, "ASL_STATE_NAME_TOO_LONG", Severity::kError, "INVALID_STATE_NAME"},
    CodeInfo{Code::kStateNameEmpty, "ASL_STATE_NAME_EMPTY", Severity::kError, "INVALID_STATE_NAME"},
    CodeInfo{Code::kDuplicateStateName, "ASL_DUPLICATE_STATE_NAME", Severity::kError, "DUPLICATE_STATE_NAME"},
    CodeInfo{Code::kMissingState, "ASL_MISSING_STATE", Severity::kError, kTarget},
    CodeInfo{Code::kCrossesBorder, "ASL_CROSSES_BORDER", Severity::kError, kTarget},
    CodeInfo{Code::kUnreachableState, "ASL_UNREACHABLE_STATE", Severity::kError, kTarget},
    CodeInfo{Code::kNoWayToEnd, "ASL_NO_WAY_TO_END", Severity::kError, "MISSING_END_STATE"},
    CodeInfo{Code::kEndlessLoop, "ASL_ENDLESS_LOOP", Severity::kWarning, kNothing},
    CodeInfo{Code::kNextAndEnd, "ASL_NEXT_AND_END", Severity::kError, kSchema, true},
    CodeInfo{Code::kPath, "ASL_PATH", Severity::kError, kSchema},
    CodeInfo{Code::kReferencePath, "ASL_REFERENCE_PATH", Severity::kError, kSchema},
    CodeInfo{Code::kResultPathOnContext, "ASL_RESULT_PATH_ON_CONTEXT", Severity::kError, kSchema},
    CodeInfo{Code::kIntrinsic, "ASL_INTRINSIC", Severity::kError, kSchema},
    CodeInfo{Code::kUnknownFunction, "ASL_UNKNOWN_FUNCTION", Severity::kError, kSchema},
    CodeInfo{Code::kTimestamp, "ASL_TIMESTAMP", Severity::kError, kSchema},
    CodeInfo{Code::kNoDollar, "ASL_NO_DOLLAR", Severity::kWarning, "NO_DOLLAR"},
    CodeInfo{Code::kStaticResult, "ASL_STATIC_RESULT", Severity::kWarning, "PASS_RESULT_IS_STATIC"},
    CodeInfo{Code::kDuplicateField, "ASL_DUPLICATE_FIELD", Severity::kError, kSchema},
    CodeInfo{Code::kParametersNotObject, "ASL_PARAMETERS_NOT_OBJECT", Severity::kWarning, kNothing},
    CodeInfo{Code::kHeartbeatNotBelowTimeout, "ASL_HEARTBEAT_NOT_BELOW_TIMEOUT", Severity::kError, kSchema},
    CodeInfo{Code::kNumberRange, "ASL_NUMBER_RANGE", Severity::kError, kSchema},
    CodeInfo{Code::kStatesAllNotAlone, "ASL_STATES_ALL_NOT_ALONE", Severity::kError, kSchema},
    CodeInfo{Code::kStatesAllNotLast, "ASL_STATES_ALL_NOT_LAST", Severity::kError, kSchema},
    CodeInfo{Code::kNestedNext, "ASL_NESTED_NEXT", Severity::kError, kSchema},
    CodeInfo{Code::kOperatorMissing, "ASL_OPERATOR_MISSING", Severity::kError, kSchema},
    CodeInfo{Code::kOperatorTwice, "ASL_OPERATOR_TWICE", Severity::kError, kSchema, true},
    CodeInfo{Code::kRulesTooDeep, "ASL_RULES_TOO_DEEP", Severity::kError, kSchema},
    CodeInfo{Code::kFailWithoutErrorOrCause, "ASL_FAIL_WITHOUT_ERROR_OR_CAUSE", Severity::kWarning, kNothing},
    CodeInfo{Code::kVariableName, "ASL_VARIABLE_NAME", Severity::kError, kSchema},
    CodeInfo{Code::kLabel, "ASL_LABEL", Severity::kError, "INVALID_LABEL_NAME"},
    CodeInfo{Code::kExpress, "ASL_EXPRESS", Severity::kError, kSchema},
    CodeInfo{Code::kQueryLanguage, "ASL_QUERY_LANGUAGE", Severity::kError, kSchema, true},
    CodeInfo{Code::kJsonataSyntax, "ASL_JSONATA_SYNTAX", Severity::kError, kSchema},
    CodeInfo{Code::kUnsupportedJsonata, "ASL_UNSUPPORTED_JSONATA", Severity::kWarning, kNothing},
    CodeInfo{Code::kUnsupportedItemReader, "ASL_UNSUPPORTED_ITEM_READER", Severity::kWarning, kNothing},
    CodeInfo{Code::kUnsupportedResultWriter, "ASL_UNSUPPORTED_RESULT_WRITER", Severity::kWarning, kNothing},
    CodeInfo{Code::kUnsupportedDistributedMap, "ASL_UNSUPPORTED_DISTRIBUTED_MAP", Severity::kWarning, kNothing},
    CodeInfo{Code::kTooManyFindings, "ASL_TOO_MANY_FINDINGS", Severity::kWarning, kNothing},
};

static_assert(text::are_in_order(kCodes), "info() looks codes up by their number");

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

const CodeInfo& info(Code code) {
  const auto index = static_cast<size_t>(code);
  PAWL_ASSERT(index < kCodes.size(), index);
  return kCodes[index];
}

const CodeInfo* find_code(std::string_view name) {
  const auto found = std::ranges::find(kCodes, name, &CodeInfo::name);
  return found == kCodes.end() ? nullptr : &*found;
}

}  // namespace pawl::asl
