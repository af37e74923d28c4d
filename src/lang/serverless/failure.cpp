#include "lang/serverless/failure.h"

namespace pawl::serverless {

namespace {

std::string text_member(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  return member != nullptr && member->is_string() ? std::string(member->as_string()) : std::string();
}

// What tells of a failed call without a name of its own, in the words of the kernel and of the task handlers.
bool is_nameless(std::string_view name) { return name.empty() || name == "States.TaskFailed"; }

std::string_view name_of_code(std::string_view code) {
  if (code == "SW_MERGE") return kMergeFailure;
  if (code == "SW_NOT_AN_ARRAY") return kNotAnArray;
  if (code == "SW_NUMBER") return kNotANumber;
  if (code == "SW_INHERITED") return kUnknownEvent;
  if (code == "DURATION_TOO_LONG") return kTimeTooFar;
  return kExpressionFailure;
}

}  // namespace

Value Failure::to_value() const {
  json::ObjectBuilder value(2);
  value.set("Error", Value::string(name));
  value.set("Cause", Value::string(message));
  return value.build();
}

Value Failure::to_end() const {
  if (!is_placeless || trace.empty()) return to_value();
  Failure placed = *this;
  std::string way = trace;
  for (size_t at = way.find('\n'); at != std::string::npos; at = way.find('\n', at)) way.replace(at, 1, ", ");
  placed.message += " (" + way + ")";
  return placed.to_value();
}

Value Failure::to_error() const {
  json::ObjectBuilder value(3);
  value.set("name", Value::string(name));
  value.set("message", Value::string(message));
  value.set("trace", Value::string(trace));
  return value.build();
}

Failure Failure::at(std::string_view what, std::string_view place) && {
  if (!trace.empty()) trace += '\n';
  trace += "at ";
  trace += what;
  trace += " '" + std::string(place) + "'";
  return std::move(*this);
}

Failure Failure::from_value(const Value& value) {
  Failure failure{text_member(value, "Error"), text_member(value, "Cause"), {}};
  if (is_nameless(failure.name)) failure.name = kFunctionError;
  return failure;
}

Failure Failure::from_error(const Error& error) {
  const std::string place = error.where.empty() ? std::string() : error.where + ": ";
  return placeless(name_of_code(error.code), place + error.what);
}

}  // namespace pawl::serverless
