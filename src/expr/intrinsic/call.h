// What an intrinsic function compiles to. For the intrinsic module only.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "expr/intrinsic/functions.h"
#include "expr/jsonpath/rooted_path.h"
#include "json/value.h"

namespace pawl::intrinsic::internal {

struct Call;

// A literal, a path on the roots, or a nested call.
using Argument = std::variant<Value, jsonpath::RootedPath, std::unique_ptr<const Call>>;

struct Call {
  const FunctionEntry* function = nullptr;
  std::vector<Argument> arguments;
};

}  // namespace pawl::intrinsic::internal
