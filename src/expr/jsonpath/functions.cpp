// Jayway's functions at the end of a path: .length(), .sum(), .concat($.a, "-") and the like.
//
// Two mistakes of Jayway 2.9 are not repeated: its max() of negative numbers is 4.9E-324, its last() of one element an
// error.
#include <algorithm>
#include <cmath>

#include "expr/jsonpath/evaluator.h"
#include "json/print.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr uint64_t kTextBytesPerCharge = 8;  // of a computed text, that cost as much as one value

void gather_numbers(const Value& value, std::vector<double>& out) {
  if (value.is_number()) out.push_back(value.as_double());
  if (!value.is_array()) return;
  for (const Value& item : value.items())
    if (item.is_number()) out.push_back(item.as_double());
}

double sum_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum;
}

double standard_deviation(const std::vector<double>& numbers) {
  const auto count = static_cast<double>(numbers.size());
  const double sum = sum_of(numbers);
  double squares = 0;
  for (const double number : numbers) squares += number * number;
  return std::sqrt(std::max(0.0, squares / count - sum * sum / count / count));
}

double aggregate(Function function, const std::vector<double>& numbers) {
  if (function == Function::kMin) return *std::min_element(numbers.begin(), numbers.end());
  if (function == Function::kMax) return *std::max_element(numbers.begin(), numbers.end());
  if (function == Function::kSum) return sum_of(numbers);
  if (function == Function::kAverage) return sum_of(numbers) / static_cast<double>(numbers.size());
  return standard_deviation(numbers);
}

void append_text(const Value& value, std::string& out) {
  if (value.is_string()) {
    out += value.as_string();
  } else if (!value.is_null()) {
    json::append(out, value);
  }
}

uint64_t text_cost(const Value& value) { return 1 + value.json_size() / kTextBytesPerCharge; }

}  // namespace

bool Evaluator::call(const Call& call, const Value& model, Value& out) {
  switch (call.function) {
    case Function::kLength:
      return call_length(call, model, out);
    case Function::kMin:
    case Function::kMax:
    case Function::kAverage:
    case Function::kSum:
    case Function::kStandardDeviation:
      return call_aggregate(call, model, out);
    case Function::kConcat:
      return call_concat(call, model, out);
    case Function::kAppend:
      return call_append(call, model, out);
    case Function::kKeys:
      return call_keys(model, out);
    case Function::kFirst:
    case Function::kLast:
    case Function::kIndex:
      return call_element(call, model, out);
    case Function::kRfcLength:
    case Function::kRfcCount:
    case Function::kRfcMatch:
    case Function::kRfcSearch:
    case Function::kRfcValue:
      break;
  }
  return fail(Failure::kFunction, "The function " + call.name + " belongs in a filter.");
}

bool Evaluator::resolve_arguments(const Call& call, std::vector<Value>& out) {
  for (const Operand& argument : call.arguments) {
    Value value;
    if (!resolve_argument(argument, value)) return false;
    out.push_back(std::move(value));
  }
  return true;
}

// A path in an argument begins at the document, whether it is written with $ or @.
bool Evaluator::resolve_argument(const Operand& argument, Value& out) {
  if (argument.kind != Operand::Kind::kQuery) {
    out = argument.literal;
    return true;
  }
  Nodes nodes;
  if (!run(*argument.query, root_, nodes)) return false;
  if (!argument.query->definite) {
    json::ArrayBuilder items(nodes.size());
    for (const Value* node : nodes) items.push(*node);
    out = items.build();
    return true;
  }
  if (nodes.empty()) return fail(Failure::kNoMatch, "No results for path: " + canonical_text(*argument.query));
  out = *nodes.back();
  return true;
}

// length($..a) counts what is inside the values of $..a: Jayway puts [*] after the path.
bool Evaluator::call_length(const Call& call, const Value& model, Value& out) {
  const bool has_query = !call.arguments.empty() && call.arguments[0].kind == Operand::Kind::kQuery;
  if (has_query && !ends_in_function(*call.arguments[0].query)) {
    const Query& query = *call.arguments[0].query;
    Nodes nodes;
    if (!run(query, model, nodes)) return false;
    if (query.definite && nodes.empty())
      return fail(Failure::kNoMatch, "Missing property in path " + canonical_text(query));
    size_t count = 0;
    for (const Value* node : nodes) count += node->size();
    out = Value::integer(static_cast<int64_t>(count));
    return true;
  }
  Value argument = model;
  if (!call.arguments.empty() && !resolve_argument(call.arguments[0], argument)) return false;
  const Value& measured = argument.is_array() ? argument : model;
  const bool sized = measured.is_array() || measured.is_object();
  out = sized ? Value::integer(static_cast<int64_t>(measured.size())) : Value::null();
  return true;
}

bool Evaluator::call_aggregate(const Call& call, const Value& model, Value& out) {
  std::vector<double> numbers;
  if (!charge(1 + model.size())) return false;
  if (model.is_array()) gather_numbers(model, numbers);
  std::vector<Value> arguments;
  if (!resolve_arguments(call, arguments)) return false;
  for (const Value& argument : arguments) gather_numbers(argument, numbers);
  if (numbers.empty())
    return fail(Failure::kFunction, "Aggregation function attempted to calculate value using empty array");
  const double result = aggregate(call.function, numbers);
  if (!std::isfinite(result)) return fail(Failure::kFunction, "The result of " + call.name + "() is no finite number.");
  out = Value::real(result);
  return true;
}

bool Evaluator::call_concat(const Call& call, const Value& model, Value& out) {
  if (!charge(text_cost(model))) return false;
  std::string text;
  if (model.is_array()) {
    for (const Value& item : model.items())
      if (item.is_string()) append_text(item, text);
  }
  std::vector<Value> arguments;
  if (!resolve_arguments(call, arguments)) return false;
  for (const Value& argument : arguments) {
    if (!charge(text_cost(argument))) return false;
    if (!argument.is_array()) {
      append_text(argument, text);
      continue;
    }
    for (const Value& item : argument.items()) append_text(item, text);
  }
  out = Value::string(text);
  return true;
}

bool Evaluator::call_append(const Call& call, const Value& model, Value& out) {
  out = model;
  std::vector<Value> arguments;
  if (!resolve_arguments(call, arguments) || !charge(1 + model.size())) return false;
  if (!model.is_array()) return true;
  json::ArrayBuilder items(model.size() + arguments.size());
  for (const Value& item : model.items()) items.push(item);
  for (Value& argument : arguments) items.push(std::move(argument));
  out = items.build();
  return true;
}

bool Evaluator::call_keys(const Value& model, Value& out) {
  out = Value::null();
  if (!model.is_object()) return true;
  if (!charge(1 + model.size())) return false;
  json::ArrayBuilder keys(model.size());
  for (const json::Member& member : model.members()) keys.push(member.key);
  out = keys.build();
  return true;
}

bool Evaluator::call_element(const Call& call, const Value& model, Value& out) {
  if (!model.is_array())
    return fail(Failure::kFunction, "Aggregation function attempted to calculate value using empty array");
  int64_t index = call.function == Function::kLast ? -1 : 0;
  if (call.function == Function::kIndex) {
    std::vector<Value> arguments;
    if (!resolve_arguments(call, arguments)) return false;
    const auto number = arguments[0].is_number() ? arguments[0].as_integer() : std::nullopt;
    if (!number) return fail(Failure::kFunction, "index() needs a whole number.");
    index = *number;
  }
  const auto size = static_cast<int64_t>(model.size());
  if (index < -size || index >= size)
    return fail(Failure::kFunction,
                "Target index:" + std::to_string(index) + " larger than object count:" + std::to_string(size));
  out = model.items()[static_cast<size_t>(index < 0 ? size + index : index)];
  return true;
}

}  // namespace pawl::jsonpath::internal
