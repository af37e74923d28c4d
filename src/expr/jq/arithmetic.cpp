#include "expr/jq/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "expr/jq/access.h"
#include "expr/jq/numbers.h"
#include "expr/jq/order.h"
#include "json/in_place.h"
#include "json/utf8.h"

namespace pawl::jq::internal {

namespace {

Value noted(Context& context, Value number) {
  if (!number.is_int64() && is_special(number)) context.made_special = true;
  return number;
}

Value cannot(Context& context, const Value& a, const Value& b, std::string_view what) {
  return context.raise(described(a) + " and " + described(b) + " cannot be " + std::string(what));
}

Value join_arrays(Context& context, const Value& a, const Value& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  if (!context.spend_bytes((a.size() + b.size()) * sizeof(Value))) return Value();
  json::ArrayBuilder items(a.size() + b.size());
  for (const Value& item : a.items()) items.push(item);
  for (const Value& item : b.items()) items.push(item);
  return items.build();
}

Value join_strings(Context& context, const Value& a, const Value& b) {
  if (!context.spend_bytes(a.as_string().size() + b.as_string().size())) return Value();
  std::string text;
  text.reserve(a.as_string().size() + b.as_string().size());
  return Value::string(text.append(a.as_string()).append(b.as_string()));
}

Value join_objects(Context& context, const Value& a, const Value& b) {
  if (b.size() == 0) return a;
  if (a.size() == 0) return b;
  if (!context.spend_bytes((a.size() + b.size()) * sizeof(json::Member))) return Value();
  if (b.size() == 1) return a.with_member(b.members()[0].key.as_string(), b.members()[0].value);
  json::ObjectBuilder members(a.size() + b.size());
  for (const json::Member& member : a.members()) members.set(member.key, member.value);
  for (const json::Member& member : b.members()) members.set(member.key, member.value);
  return members.build();
}

Value subtract(Context& context, const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return noted(context, subtract_numbers(a, b));
  if (!a.is_array() || !b.is_array()) return cannot(context, a, b, "subtracted");
  if (!context.spend_steps(a.size() * b.size()) || !context.spend_bytes(a.size() * sizeof(Value))) return Value();
  json::ArrayBuilder kept;
  for (const Value& item : a.items()) {
    const bool is_in_b = std::ranges::any_of(b.items(), [&](const Value& other) {
      return !context.spend_steps(comparison_steps(item, other)) || equal(item, other);
    });
    if (context.failed()) return Value();
    if (!is_in_b) kept.push(item);
  }
  return kept.build();
}

// Objects within objects are merged too; how deep is bounded, as values are.
Value merge(Context& context, const Value& a, const Value& b) {
  if (!context.spend_bytes((a.size() + b.size()) * sizeof(json::Member))) return Value();
  Value merged = a;
  for (const json::Member& member : b.members()) {
    const Value* old = merged.find(member.key.as_string());
    const bool both = old != nullptr && old->is_object() && member.value.is_object();
    merged = merged.with_member(member.key.as_string(), both ? merge(context, *old, member.value) : member.value);
    if (context.failed()) return Value();
  }
  return merged;
}

// Repeated, with a fraction left out, but once at least; null for zero and less.
Value repeat(Context& context, const Value& text, double times) {
  if (!(times > 0)) return Value();
  const double count = std::max(1.0, std::floor(times));
  const size_t size = text.as_string().size();
  if (count * static_cast<double>(std::max<size_t>(size, 1)) > static_cast<double>(context.limits().bytes_max))
    return context.exceed("The program builds values of more than " + std::to_string(context.limits().bytes_max) +
                          " bytes.");
  if (!context.spend_bytes(static_cast<size_t>(count) * size)) return Value();
  std::string repeated;
  repeated.reserve(static_cast<size_t>(count) * size);
  for (size_t i = 0; i < static_cast<size_t>(count) && size > 0; ++i) repeated += text.as_string();
  return Value::string(repeated);
}

Value multiply(Context& context, const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return noted(context, multiply_numbers(a, b));
  if (a.is_string() && b.is_number()) return repeat(context, a, b.as_double());
  if (a.is_number() && b.is_string()) return repeat(context, b, a.as_double());
  if (a.is_object() && b.is_object()) return context.built(merge(context, a, b));
  return cannot(context, a, b, "multiplied");
}

Value divide(Context& context, const Value& a, const Value& b) {
  if (a.is_string() && b.is_string()) return split(context, a.as_string(), b.as_string());
  if (!a.is_number() || !b.is_number()) return cannot(context, a, b, "divided");
  if (b.as_double() == 0) return cannot(context, a, b, "divided because the divisor is zero");
  return noted(context, divide_numbers(a, b));
}

Value modulo(Context& context, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) return cannot(context, a, b, "divided");
  const auto rest = modulo_numbers(a, b);
  return rest ? noted(context, *rest) : cannot(context, a, b, "divided (remainder) because the divisor is zero");
}

}  // namespace

Value split(Context& context, std::string_view text, std::string_view separator) {
  json::ArrayBuilder parts;
  if (!context.spend_bytes(2 * text.size())) return Value();
  if (text.empty()) return parts.build();
  if (separator.empty()) {
    if (!context.spend_bytes(text.size() * sizeof(Value))) return Value();
    for (size_t at = 0; at < text.size();) {
      const size_t size = json::utf8_sequence_size(text.data() + at, text.data() + text.size());
      parts.push(Value::string(text.substr(at, size)));
      at += size;
    }
    return parts.build();
  }
  size_t from = 0;
  for (size_t at = find_text(text, separator, 0); at != std::string_view::npos; at = find_text(text, separator, from)) {
    parts.push(Value::string(text.substr(from, at - from)));
    from = at + separator.size();
    if (!context.spend_bytes(sizeof(Value))) return Value();
  }
  parts.push(Value::string(text.substr(from)));
  return parts.build();
}

Value add(Context& context, const Value& a, const Value& b) {
  if (a.is_null()) return b;
  if (b.is_null()) return a;
  if (a.is_number() && b.is_number()) return noted(context, add_numbers(a, b));
  if (a.is_string() && b.is_string()) return join_strings(context, a, b);
  if (a.is_array() && b.is_array()) return join_arrays(context, a, b);
  if (a.is_object() && b.is_object()) return join_objects(context, a, b);
  return cannot(context, a, b, "added");
}

Value add_to(Context& context, Value&& a, const Value& b) {
  if (!json::is_unshared(a) || a.kind() != b.kind()) return add(context, a, b);
  if (a.is_array()) {
    return context.spend_bytes(b.size() * sizeof(Value)) ? json::with_items_appended(std::move(a), b.items()) : Value();
  }
  if (a.is_string()) {
    const size_t size = b.as_string().size();
    return context.spend_bytes(size) ? json::with_text_appended(std::move(a), b.as_string()) : Value();
  }
  if (!a.is_object()) return add(context, a, b);
  if (!context.spend_bytes(b.size() * sizeof(json::Member))) return Value();
  Value sum = std::move(a);
  for (const json::Member& member : b.members())
    sum = json::with_member(std::move(sum), member.key.as_string(), member.value);
  return sum;
}

Value calculate(Context& context, Operation operation, const Value& a, const Value& b) {
  switch (operation) {
    case Operation::kAdd:
      return add(context, a, b);
    case Operation::kSubtract:
      return subtract(context, a, b);
    case Operation::kMultiply:
      return multiply(context, a, b);
    case Operation::kDivide:
      return divide(context, a, b);
    default:
      return modulo(context, a, b);
  }
}

}  // namespace pawl::jq::internal
