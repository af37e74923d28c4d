#include "server/fields.h"

#include <algorithm>
#include <vector>

#include "base/assert.h"

namespace pawl::server {

namespace {

constexpr size_t kShownCharactersMax = 100;  // of a value that is quoted in a message

std::string_view kind_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "NULL_VALUE";
    case Value::Kind::kBoolean:
      return value.as_boolean() ? "TRUE_VALUE" : "FALSE_VALUE";
    case Value::Kind::kNumber:
      return value.as_integer() ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    case Value::Kind::kString:
      return "STRING_VALUE";
    case Value::Kind::kArray:
      return "START_ARRAY";
    case Value::Kind::kObject:
      return "START_OBJECT";
  }
  PAWL_ASSERT(false, static_cast<int>(value.kind()));
}

std::string_view wanted(FieldKind kind) {
  switch (kind) {
    case FieldKind::kText:
      return "a String";
    case FieldKind::kInteger:
      return "an Integer";
    case FieldKind::kFlag:
      return "a Boolean";
    case FieldKind::kObject:
      return "a Structure";
    case FieldKind::kList:
      return "a List";
  }
  PAWL_ASSERT(false, static_cast<int>(kind));
}

bool has_type(const Value& value, FieldKind kind) {
  switch (kind) {
    case FieldKind::kText:
      return value.is_string();
    case FieldKind::kInteger:
      return value.is_number() && value.as_integer().has_value();
    case FieldKind::kFlag:
      return value.is_boolean();
    case FieldKind::kObject:
      return value.is_object();
    case FieldKind::kList:
      return value.is_array();
  }
  PAWL_ASSERT(false, static_cast<int>(kind));
}

int64_t characters_of(std::string_view text) {
  return std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

bool is_among(std::string_view text, std::string_view values) {
  while (!values.empty()) {
    const size_t end = std::min(values.find(", "), values.size());
    if (values.substr(0, end) == text) return true;
    values.remove_prefix(std::min(end + 2, values.size()));
  }
  return false;
}

// "Value 'x' at 'name' failed to satisfy constraint: Member must …"
std::string violation(const Field& field, const Value& value, const std::string& rule) {
  std::string shown;
  if (value.is_string() && value.as_string().size() <= kShownCharactersMax)
    shown = " '" + std::string(value.as_string()) + "'";
  if (value.is_number()) shown = " '" + value.number_text() + "'";
  return "Value" + shown + " at '" + std::string(field.name) + "' failed to satisfy constraint: Member must " + rule;
}

std::string limit_rule(const Field& field, std::string_view measure, bool too_small) {
  return "have " + std::string(measure) + (too_small ? " greater" : " less") + " than or equal to " +
         std::to_string(too_small ? field.min : field.max);
}

// Why a value of the right type does not do; empty where it does.
std::string judge(const Field& field, const Value& value) {
  int64_t measured = 0;
  std::string_view measure = "length";
  if (field.kind == FieldKind::kText) {
    measured = characters_of(value.as_string());
  } else if (field.kind == FieldKind::kList) {
    measured = static_cast<int64_t>(value.size());
  } else if (field.kind == FieldKind::kInteger) {
    measured = *value.as_integer();
    measure = "value";
  } else {
    return {};
  }
  if (measured < field.min || measured > field.max)
    return violation(field, value, limit_rule(field, measure, measured < field.min));
  if (!field.values.empty() && !is_among(value.as_string(), field.values))
    return violation(field, value, "satisfy enum value set: [" + std::string(field.values) + "]");
  return {};
}

Outcome<void> check_types(const Value& body, std::span<const Field> fields) {
  for (const json::Member& member : body.members()) {
    const auto field = std::ranges::find(fields, member.key.as_string(), &Field::name);
    if (field == fields.end() || member.value.is_null() || has_type(member.value, field->kind)) continue;
    return refuse("SerializationException",
                  std::string(kind_of(member.value)) + " can not be converted to " + std::string(wanted(field->kind)));
  }
  return {};
}

std::vector<std::string> violations_of(const Value& body, std::span<const Field> fields) {
  std::vector<std::string> violations;
  for (const Field& field : fields) {
    const Value* value = body.find(field.name);
    const bool is_absent = value == nullptr || value->is_null();
    std::string found;
    if (!is_absent) found = judge(field, *value);
    if (is_absent && field.required)
      found = "Value null at '" + std::string(field.name) + "' failed to satisfy constraint: Member must not be null";
    if (!found.empty()) violations.push_back(std::move(found));
  }
  for (const json::Member& member : body.members())
    if (std::ranges::find(fields, member.key.as_string(), &Field::name) == fields.end())
      violations.push_back("Value at '" + std::string(member.key.as_string().substr(0, kShownCharactersMax)) +
                           "' failed to satisfy constraint: Member must be a field of this operation");
  return violations;
}

}  // namespace

Outcome<Request> Request::read(Value body, std::span<const Field> fields) {
  if (!body.is_object())
    return refuse("SerializationException", std::string(kind_of(body)) + " can not be converted to a Structure");
  if (const auto types = check_types(body, fields); !types) return std::unexpected(types.error());
  const auto violations = violations_of(body, fields);
  if (violations.empty()) return Request(std::move(body));
  std::string message = std::to_string(violations.size()) +
                        (violations.size() == 1 ? " validation error detected: " : " validation errors detected: ");
  for (size_t i = 0; i < violations.size(); ++i) message += (i == 0 ? "" : "; ") + violations[i];
  return refuse("ValidationException", std::move(message));
}

const Value* Request::find(std::string_view name) const {
  const Value* value = body_.find(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string Request::text(std::string_view name) const {
  const Value* value = find(name);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

int64_t Request::integer(std::string_view name, int64_t otherwise) const {
  const Value* value = find(name);
  return value == nullptr ? otherwise : value->as_integer().value_or(otherwise);
}

bool Request::flag(std::string_view name, bool otherwise) const {
  const Value* value = find(name);
  return value == nullptr ? otherwise : value->as_boolean();
}

}  // namespace pawl::server
