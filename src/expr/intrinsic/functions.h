// The table of intrinsic functions, and what their implementations share. For the intrinsic module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "json/value.h"

namespace pawl::intrinsic::internal {

using json::Value;

using Arguments = std::span<const Value>;
using Function = Result<Value> (*)(Arguments arguments, Random& random);

inline constexpr size_t kUnlimited = std::numeric_limits<size_t>::max();

// How a function wants a literal first argument: its escapes resolved, or as written (States.Format tells \{ from {).
enum class FirstLiteral : uint8_t { kUnescaped, kAsWritten };

struct FunctionEntry {
  std::string_view name;
  size_t arguments_min;
  size_t arguments_max;
  Function function;  // called with a number of arguments between the two
  FirstLiteral first_literal = FirstLiteral::kUnescaped;
};

const FunctionEntry* find_function(std::string_view name);
std::string_view nearest_function_name(std::string_view name);  // empty where none is near

inline constexpr size_t kArrayRangeItemsMax = 1000;
inline constexpr size_t kEncodedCharactersMax = 10'000;  // of Base64 and Hash data, in UTF-16 code units as Java counts
inline constexpr size_t kResultBytesMax = 128 * 1024 * 1024;  // of the texts that Format and JsonToString make

// INTRINSIC_FAILED with AWS's sentence, "Invalid arguments in States.MathAdd"; `fix` says what was wrong with them.
[[nodiscard]] std::unexpected<Error> refuse(std::string_view function, std::string fix);

// A number without its fraction; nothing where the value is no number or is too big.
std::optional<int64_t> truncated_integer(const Value& value);

// strings.cpp
Result<Value> format(Arguments arguments, Random& random);
Result<Value> string_split(Arguments arguments, Random& random);

// json_functions.cpp
Result<Value> string_to_json(Arguments arguments, Random& random);
Result<Value> json_to_string(Arguments arguments, Random& random);
Result<Value> json_merge(Arguments arguments, Random& random);

// arrays.cpp
Result<Value> array(Arguments arguments, Random& random);
Result<Value> array_partition(Arguments arguments, Random& random);
Result<Value> array_contains(Arguments arguments, Random& random);
Result<Value> array_range(Arguments arguments, Random& random);
Result<Value> array_get_item(Arguments arguments, Random& random);
Result<Value> array_length(Arguments arguments, Random& random);
Result<Value> array_unique(Arguments arguments, Random& random);

// encoding.cpp
Result<Value> base64_encode(Arguments arguments, Random& random);
Result<Value> base64_decode(Arguments arguments, Random& random);
Result<Value> hash(Arguments arguments, Random& random);

// math.cpp
Result<Value> math_random(Arguments arguments, Random& random);
Result<Value> math_add(Arguments arguments, Random& random);
Result<Value> uuid(Arguments arguments, Random& random);

}  // namespace pawl::intrinsic::internal
