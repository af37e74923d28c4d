#include "expr/intrinsic/functions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "text/suggest.h"

namespace pawl::intrinsic::internal {

namespace {

constexpr std::array kFunctions = {
    FunctionEntry{"States.Format", 1, kUnlimited, format, FirstLiteral::kAsWritten},
    FunctionEntry{"States.StringToJson", 1, 1, string_to_json},
    FunctionEntry{"States.JsonToString", 1, 1, json_to_string},
    FunctionEntry{"States.Array", 0, kUnlimited, array},
    FunctionEntry{"States.ArrayPartition", 2, 2, array_partition},
    FunctionEntry{"States.ArrayContains", 2, 2, array_contains},
    FunctionEntry{"States.ArrayRange", 3, 3, array_range},
    FunctionEntry{"States.ArrayGetItem", 2, 2, array_get_item},
    FunctionEntry{"States.ArrayLength", 1, 1, array_length},
    FunctionEntry{"States.ArrayUnique", 1, 1, array_unique},
    FunctionEntry{"States.Base64Encode", 1, 1, base64_encode},
    FunctionEntry{"States.Base64Decode", 1, 1, base64_decode},
    FunctionEntry{"States.Hash", 2, 2, hash},
    FunctionEntry{"States.JsonMerge", 3, 3, json_merge},
    FunctionEntry{"States.MathRandom", 2, 3, math_random},
    FunctionEntry{"States.MathAdd", 2, 2, math_add},
    FunctionEntry{"States.StringSplit", 2, 2, string_split},
    FunctionEntry{"States.UUID", 0, 0, uuid},
};

}  // namespace

const FunctionEntry* find_function(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &FunctionEntry::name);
  return found == kFunctions.end() ? nullptr : found;
}

std::string_view nearest_function_name(std::string_view name) {
  std::array<std::string_view, kFunctions.size()> names;
  std::ranges::transform(kFunctions, names.begin(), &FunctionEntry::name);
  return text::nearest(name, names);
}

std::unexpected<Error> refuse(std::string_view function, std::string fix) {
  return fail("INTRINSIC_FAILED", "Invalid arguments in " + std::string(function), std::move(fix));
}

std::optional<int64_t> truncated_integer(const Value& value) {
  if (!value.is_number()) return std::nullopt;
  if (const auto integer = value.as_integer()) return integer;
  const double truncated = std::trunc(value.as_double());
  if (!(truncated >= -0x1p63 && truncated < 0x1p63)) return std::nullopt;
  return static_cast<int64_t>(truncated);
}

}  // namespace pawl::intrinsic::internal
