#include "lang/sm4c/failure.h"

namespace pawl::sm4c {

namespace {

std::string text_member(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  return member != nullptr && member->is_string() ? std::string(member->as_string()) : std::string();
}

// What tells of a failed call without a name of its own, in the words of the kernel and of the task handlers.
bool is_nameless(std::string_view name) { return name.empty() || name == "States.TaskFailed"; }

}  // namespace

Value Failure::to_value() const {
  json::ObjectBuilder value(2);
  value.set("Error", Value::string(name));
  value.set("Cause", Value::string(message));
  return value.build();
}

Value Failure::to_error() const {
  json::ObjectBuilder value(4);
  for (const char* key : {"Message", "message"}) value.set(key, Value::string(message));
  for (const char* key : {"ClassName", "type"}) value.set(key, Value::string(name));
  return value.build();
}

Failure Failure::from_value(const Value& value) {
  Failure failure{text_member(value, "Error"), text_member(value, "Cause")};
  if (is_nameless(failure.name)) failure.name = kFunctionError;
  return failure;
}

Failure Failure::from_error(const Error& error) {
  const std::string_view name = error.code == "DURATION_TOO_LONG" ? kTimeTooFar : kExpressionFailure;
  return {std::string(name), error.what};
}

}  // namespace pawl::sm4c
