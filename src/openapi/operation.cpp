// An operation as JSON, and back.
#include "openapi/operation.h"

#include <array>
#include <optional>
#include <utility>

namespace pawl::openapi {

namespace {

template <typename Choice>
using Word = std::pair<Choice, std::string_view>;

constexpr std::array kLocations = {
    Word<Location>{Location::kPath, "path"},           Word<Location>{Location::kQuery, "query"},
    Word<Location>{Location::kHeader, "header"},       Word<Location>{Location::kCookie, "cookie"},
    Word<Location>{Location::kFormField, "formField"},
};
constexpr std::array kStyles = {
    Word<Style>{Style::kSimple, "simple"},
    Word<Style>{Style::kLabel, "label"},
    Word<Style>{Style::kMatrix, "matrix"},
    Word<Style>{Style::kForm, "form"},
    Word<Style>{Style::kSpaceDelimited, "spaceDelimited"},
    Word<Style>{Style::kPipeDelimited, "pipeDelimited"},
    Word<Style>{Style::kTabDelimited, "tabDelimited"},
    Word<Style>{Style::kDeepObject, "deepObject"},
    Word<Style>{Style::kJson, "json"},
};
constexpr std::array kBodyForms = {
    Word<BodyForm>{BodyForm::kNone, "none"},
    Word<BodyForm>{BodyForm::kJson, "json"},
    Word<BodyForm>{BodyForm::kForm, "form"},
    Word<BodyForm>{BodyForm::kText, "text"},
};

template <typename Choice, size_t kCount>
Value word_for(const std::array<Word<Choice>, kCount>& words, Choice choice) {
  for (const auto& [value, word] : words)
    if (value == choice) return Value::string(word);
  return {};
}

// Reads members of one object, and remembers whether all were what they must be.
class Members {
 public:
  explicit Members(const Value& object) : object_(object), is_good_(object.is_object()) {}

  std::string text(std::string_view name) {
    const Value* found = object_.find(name);
    const bool is_text = found != nullptr && found->is_string();
    is_good_ &= is_text;
    return is_text ? std::string(found->as_string()) : std::string();
  }

  bool flag(std::string_view name) {
    const Value* found = object_.find(name);
    const bool is_flag = found != nullptr && found->is_boolean();
    is_good_ &= is_flag;
    return is_flag && found->as_boolean();
  }

  template <typename Choice, size_t kCount>
  Choice choice(std::string_view name, const std::array<Word<Choice>, kCount>& words) {
    const std::string written = text(name);
    for (const auto& [value, word] : words)
      if (word == written) return value;
    is_good_ = false;
    return words[0].first;
  }

  bool is_good() const { return is_good_; }

 private:
  const Value& object_;
  bool is_good_;
};

Value parameter_value(const Parameter& parameter) {
  json::ObjectBuilder value(6);
  value.set("name", Value::string(parameter.name));
  value.set("in", word_for(kLocations, parameter.in));
  value.set("style", word_for(kStyles, parameter.style));
  value.set("explode", Value::boolean(parameter.explode));
  value.set("required", Value::boolean(parameter.required));
  value.set("reserved", Value::boolean(parameter.allows_reserved));
  return value.build();
}

Value body_value(const Body& body) {
  json::ObjectBuilder value(5);
  value.set("form", word_for(kBodyForms, body.form));
  value.set("contentType", Value::string(body.content_type));
  value.set("argument", Value::string(body.argument));
  value.set("takesRest", Value::boolean(body.takes_rest));
  value.set("required", Value::boolean(body.required));
  return value.build();
}

std::optional<Parameter> read_parameter(const Value& value) {
  Members members(value);
  Parameter parameter;
  parameter.name = members.text("name");
  parameter.in = members.choice("in", kLocations);
  parameter.style = members.choice("style", kStyles);
  parameter.explode = members.flag("explode");
  parameter.required = members.flag("required");
  parameter.allows_reserved = members.flag("reserved");
  return members.is_good() ? std::optional(std::move(parameter)) : std::nullopt;
}

std::optional<Body> read_body(const Value& value) {
  Members members(value);
  Body body;
  body.form = members.choice("form", kBodyForms);
  body.content_type = members.text("contentType");
  body.argument = members.text("argument");
  body.takes_rest = members.flag("takesRest");
  body.required = members.flag("required");
  return members.is_good() ? std::optional(std::move(body)) : std::nullopt;
}

std::unexpected<Error> not_an_operation() {
  return fail("OPENAPI_INVALID", "The description of the operation is damaged.", "Deploy the definition again.");
}

}  // namespace

Value to_value(const Operation& operation) {
  json::ArrayBuilder parameters(operation.parameters.size());
  for (const Parameter& parameter : operation.parameters) parameters.push(parameter_value(parameter));
  json::ObjectBuilder value(5);
  value.set("operation", Value::string(operation.id));
  value.set("method", Value::string(operation.method));
  value.set("url", Value::string(operation.url));
  value.set("parameters", parameters.build());
  value.set("body", body_value(operation.body));
  return value.build();
}

Result<Operation> read_operation(const Value& value) {
  Members members(value);
  Operation operation;
  operation.id = members.text("operation");
  operation.method = members.text("method");
  operation.url = members.text("url");
  const Value* parameters = value.find("parameters");
  const Value* given_body = value.find("body");
  auto body = given_body == nullptr ? std::nullopt : read_body(*given_body);
  if (!members.is_good() || !body || parameters == nullptr || !parameters->is_array()) return not_an_operation();
  operation.body = *std::move(body);
  for (const Value& item : parameters->items()) {
    auto parameter = read_parameter(item);
    if (!parameter) return not_an_operation();
    operation.parameters.push_back(*std::move(parameter));
  }
  return operation;
}

}  // namespace pawl::openapi
