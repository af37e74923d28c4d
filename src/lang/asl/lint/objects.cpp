#include "lang/asl/lint/objects.h"

#include <vector>

#include "lang/asl/lint/values.h"
#include "text/suggest.h"

namespace pawl::asl {
namespace {

std::vector<std::string_view> allowed_names(const Shape& shape, const Context& context) {
  std::vector<std::string_view> names;
  for (const Field& field : shape.fields)
    if (field.allowed(context.language, context.type)) names.push_back(field.name);
  return names;
}

std::string not_supported(std::string_view key) { return "Field '" + shortened(key) + "' is not supported"; }

void report_unknown(std::string_view key, const Shape& shape, const Place& place, Context& context) {
  context.findings.report(
      Code::kUnknownField, place, not_supported(key),
      suggestion(key, allowed_names(shape, context),
                 std::string(shape.title) + " has no such field: take it out, or put the text into \"Comment\"."),
      Findings::At::kKey);
}

void report_misplaced(const Field& field, const Place& place, Context& context) {
  const TypeSet types = field.types(context.language);
  if (types == kNoType)
    return context.findings.report(Code::kQueryLanguage, place, only_for(field.name, context.language),
                                   "Use the fields of the state's query language, or change its \"QueryLanguage\".",
                                   Findings::At::kKey);
  context.findings.report(Code::kWrongStateType, place, not_supported(field.name),
                          "Take it out: it belongs to a state of type " + type_names(types) + ", and this is a " +
                              std::string(type_name(context.type)) + ".",
                          Findings::At::kKey);
}

void check_member(const json::Member& member, const Shape& shape, const Place& place, Context& context) {
  const std::string_view key = member.key.as_string();
  const Place here(place, key);
  const Field* field = shape.find(key);
  if (field == nullptr) return report_unknown(key, shape, here, context);
  if (!field->allowed(context.language, context.type)) return report_misplaced(*field, here, context);
  check_value(field->kind, member.value, here, context);
}

void check_required(const Value& object, const Shape& shape, const Place& place, Context& context) {
  std::vector<std::string_view> missing;
  for (const Field& field : shape.fields)
    if (field.required && field.allowed(context.language, context.type) && object.find(field.name) == nullptr)
      missing.push_back(field.name);
  if (missing.empty()) return;
  context.findings.report(Code::kMissingField, place, "These fields are required: " + listed(missing),
                          "Add what is missing.", Findings::At::kKey);
}

void check_twins(const Value& object, const Twins& twins, const Shape& shape, const Place& place, Context& context) {
  if ((twins.types & only(context.type)) == 0) return;
  std::vector<std::string_view> allowed;
  std::vector<std::string_view> present;
  for (const std::string_view name : twins.names) {
    const Field* field = shape.find(name);
    if (field == nullptr || !field->allowed(context.language, context.type)) continue;
    allowed.push_back(name);
    if (object.find(name) != nullptr) present.push_back(name);
  }
  if (present.size() > 1)
    context.findings.report(Code::kTwinFields, Place(place, present.back()),
                            "There should only be one of the following fields: " + listed(present), "Keep one of them.",
                            Findings::At::kKey);
  if (present.empty() && twins.required)
    context.findings.report(Code::kMissingField, place, "One of these fields is required: " + listed(allowed),
                            "Add one of them.", Findings::At::kKey);
}

}  // namespace

void check_object(const Value& object, const Shape& shape, const Place& place, Context& context) {
  if (!object.is_object())
    return context.findings.report(Code::kFieldType, place, std::string(shape.title) + " must be an object.",
                                   "Write an object.");
  for (const json::Member& member : object.members()) {
    if (context.findings.full()) return;
    check_member(member, shape, place, context);
  }
  check_required(object, shape, place, context);
  for (const Twins& twins : shape.twins) check_twins(object, twins, shape, place, context);
}

std::string only_for(std::string_view field, Language language) {
  const bool jsonpath = language == Language::kJsonPath;
  return "The QueryLanguage is set to '" + std::string(jsonpath ? "JSONPath" : "JSONata") + "', but field '" +
         std::string(field) + "' is only supported for the '" + (jsonpath ? "JSONata" : "JSONPath") + "' QueryLanguage";
}

std::string suggestion(std::string_view written, const std::vector<std::string_view>& names,
                       std::string_view otherwise) {
  const std::string_view near = text::nearest(written, names);
  return near.empty() ? std::string(otherwise) : "Did you mean " + quoted(near) + "?";
}

}  // namespace pawl::asl
