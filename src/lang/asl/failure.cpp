#include "lang/asl/failure.h"

namespace pawl::asl {

namespace {

std::optional<std::string> string_member(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return std::string(member->as_string());
}

}  // namespace

Value Failure::to_value() const {
  json::ObjectBuilder value(2);
  if (error) value.set("Error", Value::string(*error));
  if (cause) value.set("Cause", Value::string(*cause));
  return value.build();
}

Value Failure::to_error_output() const {
  json::ObjectBuilder value(2);
  value.set("Error", error ? Value::string(*error) : Value());
  const bool is_timeout = error && *error == kTimeout;
  value.set("Cause", cause ? Value::string(*cause) : is_timeout ? Value::string("") : Value());
  return value.build();
}

Failure Failure::from_value(const Value& value) {
  Failure failure;
  failure.error = string_member(value, "Error");
  failure.cause = string_member(value, "Cause");
  return failure;
}

}  // namespace pawl::asl
