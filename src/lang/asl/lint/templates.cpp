// Payload Templates and the variables that Assign sets.
#include <string>

#include "lang/asl/lint/characters.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kDynamic = ".$";

void check_member(const json::Member& member, const Value& object, const Place& place, Context& context);

bool looks_dynamic(std::string_view text) {
  return text == "$" || text.starts_with("$.") || text.starts_with("$$.") || text.starts_with("$[") ||
         (text.starts_with("States.") && text.ends_with(")"));
}

void check_static(const Value& value, const Place& place, Context& context) {
  if (!value.is_string() || !looks_dynamic(value.as_string())) return;
  context.findings.report(
      Code::kNoDollar, place, quoted(value.as_string()) + " is taken as text: the field's name does not end in .$.",
      "Write the name as " + quoted(place.last_token() + ".$") + ", if a path or a function is meant.",
      Findings::At::kKey);
}

// Recursion is bounded by the parser's depth.
void walk(const Value& value, const Place& place, Context& context) {
  if (context.findings.full()) return;
  if (value.is_object())
    for (const json::Member& member : value.members()) check_member(member, value, place, context);
  if (value.is_array())
    for (size_t index = 0; index < value.size(); ++index) walk(value.at(index), Place(place, index), context);
}

void check_member(const json::Member& member, const Value& object, const Place& place, Context& context) {
  const std::string_view key = member.key.as_string();
  const Place here(place, key);
  if (!key.ends_with(kDynamic)) {
    check_static(member.value, here, context);
    return walk(member.value, here, context);
  }
  const std::string_view name = key.substr(0, key.size() - kDynamic.size());
  if (object.find(name) != nullptr)
    context.findings.report(Code::kDuplicateField, here, quoted(name) + " and " + quoted(key) + " are the same field.",
                            "Keep one of the two.", Findings::At::kKey);
  if (member.value.is_string()) return check_path_or_intrinsic(member.value.as_string(), here, context);
  context.findings.report(
      Code::kFieldType, here,
      "The value for the field '" + std::string(key) + "' must be a valid JSONPath or a valid intrinsic function call",
      "Write a string with a path or a function call, or take the .$ off the field's name.");
}

bool is_selector(std::string_view field) {
  return field == "Parameters" || field == "ResultSelector" || field == "ItemSelector" || field == "BatchInput";
}

void check_variable(std::string_view key, const Place& place, Context& context) {
  const std::string_view name = key.ends_with(kDynamic) ? key.substr(0, key.size() - kDynamic.size()) : key;
  std::string cause;
  if (name == kReservedVariable)
    cause = "The variable name \"states\" is reserved.";
  else if (character_count(name) > kVariableNameCharactersMax)
    cause = "A variable's name has at most 80 characters.";
  else if (!is_identifier(name))
    cause = quoted(name) + " is no name for a variable.";
  else
    return;
  context.findings.report(Code::kVariableName, place, std::move(cause),
                          "Use a letter followed by letters, digits and underscores, at most 80 characters.",
                          Findings::At::kKey);
}

}  // namespace

void check_template(const Value& value, const Place& place, Context& context) {
  const std::string field = place.last_token();
  if (!value.is_object() && !value.is_null() && is_selector(field))
    context.findings.report(Code::kParametersNotObject, place,
                            quoted(field) + " is no object; only the earlier text of the language allows that.",
                            "Write an object.");
  walk(value, place, context);
}

void check_static_result(const Value& value, const Place& place, Context& context) {
  if (context.findings.full()) return;
  if (value.is_array())
    for (size_t index = 0; index < value.size(); ++index)
      check_static_result(value.at(index), Place(place, index), context);
  if (!value.is_object()) return;
  for (const json::Member& member : value.members()) {
    const std::string_view key = member.key.as_string();
    const Place here(place, key);
    if (key.ends_with(kDynamic) && member.value.is_string() && looks_dynamic(member.value.as_string()))
      context.findings.report(Code::kStaticResult, here,
                              "\"Result\" is taken as it is written: the path is not evaluated.",
                              "Use \"Parameters\" in place of \"Result\".", Findings::At::kKey);
    check_static_result(member.value, here, context);
  }
}

void check_assign(const Value& value, const Place& place, Context& context) {
  if (!value.is_object()) return report_type(place, "an object whose members are the variables", context);
  for (const json::Member& member : value.members())
    check_variable(member.key.as_string(), Place(place, member.key.as_string()), context);
}

}  // namespace pawl::asl
