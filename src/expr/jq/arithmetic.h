// + - * / % on values of any type.
#pragma once

#include "expr/jq/context.h"
#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

Value calculate(Context& context, Operation operation, const Value& a, const Value& b);

Value add(Context& context, const Value& a, const Value& b);
Value add_to(Context& context, Value&& a, const Value& b);  // may change a in place
Value split(Context& context, std::string_view text, std::string_view separator);

}  // namespace pawl::jq::internal
