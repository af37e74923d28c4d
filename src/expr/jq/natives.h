// The builtins that are functions of values: what cannot be said in jq itself, or not fast enough.
#pragma once

#include <array>
#include <string_view>

#include "expr/jq/context.h"

namespace pawl::jq::internal {

// The input, then the arguments.
struct Arguments {
  static constexpr size_t kMax = 5;
  std::array<const Value*, kMax> values{};
  const Value& input() const { return *values[0]; }
  const Value& operator[](size_t number) const { return *values[number]; }  // from 1
};

using NativeFunction = Value (*)(Context&, const Arguments&);

struct Native {
  std::string_view name;
  size_t arity;
  NativeFunction function;
};

// The tables of each file.
std::span<const Native> collection_natives();
std::span<const Native> order_natives();
std::span<const Native> string_natives();
std::span<const Native> format_natives();
std::span<const Native> regex_natives();
std::span<const Native> math_natives();
std::span<const Native> date_natives();

inline constexpr size_t kNoNative = SIZE_MAX;
size_t find_native(std::string_view name, size_t arity);  // kNoNative where there is none
const Native& native_at(size_t number);
Value builtin_names();  // name/arity of all that programs may call

}  // namespace pawl::jq::internal
