// The machine's part for instructions that are more than a line.
#include <algorithm>
#include <cmath>

#include "expr/jq/access.h"
#include "expr/jq/arithmetic.h"
#include "expr/jq/machine.h"
#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"
#include "expr/jq/order.h"

namespace pawl::jq::internal {

// --- access

void Machine::finish_access(const Instruction& i, Value result) {
  if (context_.failure() == Failure::kError && (i.flags & kOptional) != 0) {
    context_.clear_error();
    return backtrack();
  }
  put(i.dst, std::move(result));
}

void Machine::field(const Instruction& i) {
  const Value& from = value(i.a);
  if (from.is_object()) [[likely]] {
    const Value* part = from.find(value(i.b).as_string());
    return put(i.dst, part == nullptr ? Value() : *part);
  }
  finish_access(i, get(context_, from, value(i.b)));
}

void Machine::index(const Instruction& i) { finish_access(i, get(context_, value(i.a), value(i.b))); }

void Machine::slice(const Instruction& i) {
  finish_access(i, get(context_, value(i.a), make_slice_key(value(i.b), value(i.c))));
}

void Machine::each(const Instruction& i) {
  const Value& from = value(i.a);
  if (!from.is_array() && !from.is_object()) {
    if ((i.flags & kOptional) != 0) return backtrack();
    const std::string text = from.is_null() ? "null" : described(from);
    context_.raise("Cannot iterate over " + text);
    return;
  }
  if (from.size() == 0) return backtrack();
  if (put_item(i, 0)) push_fork(ForkKind::kEach, pc_ - 1, 1);
}

// Whether there are more behind it.
bool Machine::put_item(const Instruction& i, int64_t number) {
  const Value& from = value(i.a);
  const auto place = static_cast<size_t>(number);
  if (from.is_array()) {
    if (i.c >= 0) put(i.c, Value::integer(number));
    put(i.dst, from.at(place));
  } else {
    if (i.c >= 0) put(i.c, from.members()[place].key);
    put(i.dst, from.members()[place].value);
  }
  return place + 1 < from.size();
}

// --- range(a; b; c)

void Machine::range(const Instruction& i) {
  if (!value(i.a).is_number() || !value(i.b).is_number() || !value(i.c).is_number()) {
    context_.raise("Range bounds must be numeric");
    return;
  }
  put(i.dst + 1, value(i.a));
  range_put(i);
}

void Machine::range_next(const Instruction& i) {
  put(i.dst + 1, add_numbers(value(i.dst + 1), value(i.c)));
  range_put(i);
}

void Machine::range_put(const Instruction& i) {
  const Value& place = value(i.dst + 1);
  const double by = value(i.c).as_double();
  const int order = compare(place, value(i.b));
  if (by > 0 ? order >= 0 : by < 0 ? order <= 0 : true) return backtrack();
  put(i.dst, place);
  push_fork(ForkKind::kRange, pc_ - 1);
}

// --- construction

void Machine::collect_add(const Instruction& i) {
  if (!context_.spend_bytes(sizeof(Value))) return;
  builders_.back().push(value(i.a));
}

void Machine::collect_end(const Instruction& i) {
  put(i.dst, context_.built(builders_.back().build()));
  builders_.pop_back();
}

void Machine::array_of_one(const Instruction& i) {
  if (!context_.spend_bytes(sizeof(Value))) return;
  json::ArrayBuilder items(1);
  items.push(value(i.a));
  put(i.dst, context_.built(items.build()));
}

void Machine::object(const Instruction& i) {
  if (!context_.spend_bytes(static_cast<size_t>(i.b) * sizeof(Value))) return;
  json::ObjectBuilder members(static_cast<size_t>(i.b) / 2);
  const Operand* operands = code_.operands.data() + i.a;
  for (int32_t n = 0; n < i.b; n += 2) {
    const Value& key = value(operands[n]);
    if (!key.is_string()) {
      context_.raise("Object keys must be strings");
      return;
    }
    members.set(key, value(operands[n + 1]));
  }
  put(i.dst, context_.built(members.build()));
}

void Machine::concat(const Instruction& i) {
  std::string text;
  const Operand* operands = code_.operands.data() + i.a;
  for (int32_t n = 0; n < i.b; ++n) text += value(operands[n]).as_string();
  if (context_.spend_bytes(text.size())) put(i.dst, Value::string(text));
}

// --- operators

void Machine::arithmetic(const Instruction& i) {
  const Value& a = value(i.a);
  const Value& b = value(i.b);
  if (a.is_int64() && b.is_int64()) {
    int64_t result = 0;
    const int64_t x = *a.as_integer(), y = *b.as_integer();
    if (i.op == Op::kAdd && !__builtin_add_overflow(x, y, &result)) return put(i.dst, Value::integer(result));
    if (i.op == Op::kSubtract && !__builtin_sub_overflow(x, y, &result)) return put(i.dst, Value::integer(result));
  }
  if ((i.flags & kTakes) != 0) return put(i.dst, add_to(context_, std::exchange(registers_[i.a], Value()), value(i.b)));
  const auto operation =
      static_cast<Operation>(static_cast<int>(i.op) - static_cast<int>(Op::kAdd) + static_cast<int>(Operation::kAdd));
  put(i.dst, calculate(context_, operation, a, b));
}

void Machine::negate(const Instruction& i) {
  const Value& number = value(i.a);
  if (number.is_number())
    put(i.dst, negate_number(number));
  else
    context_.raise(described(number) + " cannot be negated");
}

void Machine::comparison(const Instruction& i) {
  const Value& a = value(i.a);
  const Value& b = value(i.b);
  bool holds = false;
  if (!context_.spend_steps(comparison_steps(a, b))) return;
  if (i.op == Op::kEqual || i.op == Op::kNotEqual) {
    holds = equal(a, b) == (i.op == Op::kEqual);
  } else {
    const int order = compare(a, b);
    holds = i.op == Op::kLess          ? order < 0
            : i.op == Op::kLessOrEqual ? order <= 0
            : i.op == Op::kGreater     ? order > 0
                                       : order >= 0;
  }
  put(i.dst, Value::boolean(holds));
}

void Machine::native(const Instruction& i) {
  Arguments arguments;
  const Operand* operands = code_.operands.data() + i.a;
  for (int32_t n = 0; n < i.b; ++n) {
    arguments.values[static_cast<size_t>(n)] = &value(operands[n]);
    if (!context_.spend_text(value(operands[n]))) return;
  }
  put(i.dst, native_at(static_cast<size_t>(i.c)).function(context_, arguments));
}

// Behind the body of a try. Where the body left no forks there is nothing to come back to; else a mark tells that
// errors from here on are not the body's.
void Machine::end_try() {
  if (forks_.back().kind == ForkKind::kTry && forks_.back().frame == frame_)
    forks_.pop_back();
  else
    push_fork(ForkKind::kEnded, 0);
}

void Machine::end_alternative() {
  if (forks_.back().kind == ForkKind::kAlternative && forks_.back().frame == frame_) forks_.pop_back();
}

// --- paths

void Machine::path_push(const Instruction& i) {
  const Value& path = value(i.a);
  if (!context_.spend_bytes((path.size() + 1) * sizeof(Value))) return;
  json::ArrayBuilder longer(path.size() + 1);
  for (const Value& key : path.items()) longer.push(key);
  longer.push(value(i.b));
  put(i.dst, longer.build());
}

void Machine::path_append(const Instruction& i) {
  const Value& path = value(i.a);
  const Value& rest = value(i.b);
  if (!rest.is_array()) {
    context_.raise("Path must be specified as an array");
    return;
  }
  if (!context_.spend_bytes((path.size() + rest.size()) * sizeof(Value))) return;
  json::ArrayBuilder longer(path.size() + rest.size());
  for (const Value& key : path.items()) longer.push(key);
  for (const Value& key : rest.items()) longer.push(key);
  put(i.dst, longer.build());
}

void Machine::path_check(const Instruction& i) {
  const Value& result = value(i.b);
  if (value(i.a).same_node(result)) return;
  switch (static_cast<CheckAt>(i.flags)) {
    case CheckAt::kResult:
      context_.raise("Invalid path expression with result " + excerpt(result));
      return;
    case CheckAt::kAccess:
      context_.raise("Invalid path expression near attempt to access element " + excerpt(value(i.c)) + " of " +
                     excerpt(result));
      return;
    case CheckAt::kIterate:
      context_.raise("Invalid path expression near attempt to iterate through " + excerpt(result));
      return;
  }
}

// Where the whole is ours, the part is taken out of it, so that changing it needs no copy either.
void Machine::get_at_path(const Instruction& i) {
  const auto path = value(i.b).items();
  Value part = get_path(context_, value(i.a), path);
  if (context_.failed()) return;
  const bool is_worth_it = (i.flags & kTakes) != 0 && part.identity() != nullptr &&
                           std::ranges::none_of(path, [](const Value& key) { return key.is_object(); });
  if (is_worth_it) put(i.a, set_path(context_, std::exchange(registers_[i.a], Value()), path, Value()));
  put(i.dst, std::move(part));
}

void Machine::set_at_path(const Instruction& i) {
  Value whole = (i.flags & kTakes) != 0 ? std::exchange(registers_[i.a], Value()) : value(i.a);
  Value part = (i.flags & kTakesPart) != 0 ? std::exchange(registers_[i.c], Value()) : value(i.c);
  put(i.dst, set_path(context_, std::move(whole), value(i.b).items(), std::move(part)));
}

}  // namespace pawl::jq::internal
