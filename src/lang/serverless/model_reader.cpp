#include "lang/serverless/model_reader.h"

#include <algorithm>

#include "text/suggest.h"
#include "text/yaml.h"

namespace pawl::serverless {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

// Brigade's examples write an expression as {language, body}.
const Value* body_of(const Value& value) {
  const Value* body = value.find("body");
  return body != nullptr && body->is_string() ? body : nullptr;
}

}  // namespace

Fields::Fields(const Value& object, const Place& place, Reading& reading)
    : object_(object), place_(place), reading_(reading) {}

bool Fields::is_same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

Fields::Found Fields::find(Names names, Need need) {
  Found found;
  for (const std::string_view name : names) {
    known_.push_back(name);
    const Value* value = object_.find(name);
    if (value != nullptr && !value->is_null() && !found) found = {value, name};
  }
  if (found || need == Need::kOptional) return found;
  const std::string name(*names.begin());
  if (need == Need::kRequired)
    reading_.findings.report(Code::kMissingField, place_, "The field \"" + name + "\" is required.", "Add it.",
                             Findings::At::kKey);
  else
    reading_.findings.report(Code::kOmittedField, place_, "The specification requires the field \"" + name + "\".",
                             "Add it.", Findings::At::kKey);
  return found;
}

void Fields::report_type(const Place& place, std::string_view name, std::string_view wanted) {
  reading_.findings.report(Code::kFieldType, place,
                           "\"" + std::string(name) + "\" must be " + std::string(wanted) + ".",
                           "Write " + std::string(wanted) + ".");
}

Fields::Found Fields::array(Names names, Need need) {
  const Found found = find(names, need);
  if (!found || found.value->is_array()) return found;
  report_type(Place(place_, found.name), found.name, "an array");
  return {};
}

Fields::Found Fields::object(Names names, Need need) {
  const Found found = find(names, need);
  if (!found || found.value->is_object()) return found;
  report_type(Place(place_, found.name), found.name, "an object");
  return {};
}

std::string Fields::text(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return {};
  if (found.value->is_number()) return found.value->number_text();
  const Place here(place_, found.name);
  if (!found.value->is_string()) {
    report_type(here, found.name, "text");
  } else if (found.value->as_string().empty() && need != Need::kOptional) {
    reading_.findings.report(Code::kEmpty, here, "\"" + std::string(found.name) + "\" must not be empty.",
                             "Write what it stands for.");
  } else {
    return std::string(found.value->as_string());
  }
  return {};
}

std::optional<bool> Fields::boolean(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  if (found.value->is_boolean()) return found.value->as_boolean();
  const bool is_text = found.value->is_string();
  if (is_text && is_same_word(found.value->as_string(), "true")) return true;
  if (is_text && is_same_word(found.value->as_string(), "false")) return false;
  report_type(Place(place_, found.name), found.name, "true or false");
  return std::nullopt;
}

std::optional<Expression> Fields::compile(const Found& found, bool is_path) {
  const Place here(place_, found.name);
  const Value* text = found.value->is_object() && is_path ? body_of(*found.value) : found.value;
  if (text == nullptr || !text->is_string()) {
    report_type(here, found.name, "text");
    return std::nullopt;
  }
  const std::string_view written = text->as_string();
  auto expression = is_path ? Expression::compile_path(written, reading_.dialect())
                            : Expression::compile(written, reading_.dialect());
  if (!expression) {
    report_error(Code::kExpression, expression.error(), here, reading_);
    return std::nullopt;
  }
  if (is_path && (expression->is_literal() || text != found.value))
    reading_.findings.report(Code::kNotAnExpression, here,
                             "\"" + std::string(found.name) + "\" should be an expression in double braces.",
                             "Write it as \"{{ $.path }}\".");
  return *std::move(expression);
}

std::optional<Expression> Fields::expression(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  if (found.value->is_number()) return Expression::compile(found.value->number_text()).value();
  return compile(found, false);
}

std::optional<Expression> Fields::path(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  if (found.value->is_boolean()) return Expression::compile(found.value->as_boolean() ? "true" : "false").value();
  return compile(found, true);
}

std::optional<DurationField> Fields::duration(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  const Place here(place_, found.name);
  if (!found.value->is_string()) {
    report_type(here, found.name, "a duration such as \"PT15M\"");
    return std::nullopt;
  }
  DurationField field{.text = std::string(found.value->as_string()), .value = {}};
  const auto duration = text::parse_duration(field.text);
  if (!duration) {
    report_error(Code::kDuration, duration.error(), here, reading_);
    return std::nullopt;
  }
  if (duration->is_negative()) {
    reading_.findings.report(Code::kDuration, here, "A time to wait cannot be negative.", "Take the sign away.");
    return std::nullopt;
  }
  field.value = *duration;
  return field;
}

std::optional<IntegerField> Fields::integer(Names names) {
  const Found found = find(names);
  if (!found) return std::nullopt;
  auto field = IntegerField::compile(*found.value, reading_.dialect());
  if (field) return *std::move(field);
  const Code code = field.error().code == "SW_NUMBER" ? Code::kNumber : Code::kExpression;
  report_error(code, field.error(), Place(place_, found.name), reading_);
  return std::nullopt;
}

std::optional<Template> Fields::data(Names names) {
  const Found found = find(names);
  if (!found) return std::nullopt;
  auto data = Template::compile(*found.value, reading_.dialect());
  if (data) return *std::move(data);
  const bool is_below = data.error().where.starts_with('/');
  const std::string pointer = Place(place_, found.name).pointer() + (is_below ? data.error().where : "");
  report_error(Code::kExpression, data.error(), Place(pointer), reading_);
  return std::nullopt;
}

std::optional<Schema> Fields::schema(Names names) {
  const Found found = find(names);
  if (!found) return std::nullopt;
  const Place here(place_, found.name);
  Schema schema{.uri = {}, .document = *found.value, .pointer = here.pointer()};
  if (found.value->is_object() || found.value->is_boolean()) {
    schema.others = documents_of(schema.document, "", reading_.files);
    return schema;
  }
  if (!found.value->is_string()) {
    report_type(here, found.name, "a schema, or the path of a file with one");
    return std::nullopt;
  }
  schema.uri = found.value->as_string();
  const auto file = reading_.files.find(without_fragment(schema.uri));
  if (file == reading_.files.end()) {
    reading_.findings.report(Code::kReference, here, "There is no file " + quoted(schema.uri) + " to read.",
                             "Name a file by its path from the definition's folder.");
    return std::nullopt;
  }
  auto document = text::parse_definition(file->second);
  if (!document) {
    report_error(Code::kReference, document.error(), here, reading_);
    return std::nullopt;
  }
  schema.document = document->root;
  schema.others = documents_of(schema.document, without_fragment(schema.uri), reading_.files);
  return schema;
}

Value Fields::metadata() {
  const Found found = object({"metadata"});
  return found ? *found.value : Value::null();
}

void Fields::report_choice(Names names, std::string_view written, const std::vector<std::string_view>& allowed) {
  for (const std::string_view name : names)
    if (object_.find(name) != nullptr)
      return reading_.findings.report(Code::kInvalidValue, Place(place_, name),
                                      quoted(written) + " is none of " + listed(allowed) + ".", "Write one of these.");
}

bool Fields::is_known(std::string_view name) const { return std::ranges::find(known_, name) != known_.end(); }

void Fields::done(std::string_view title) {
  if (!object_.is_object()) return;
  for (const json::Member& member : object_.members()) {
    const std::string_view name = member.key.as_string();
    if (reading_.findings.full()) return;
    if (is_known(name)) continue;
    std::string fix =
        suggestion(name, known_, std::string(title) + " has no such field: put the text into \"metadata\".");
    reading_.findings.report(Code::kUnknownField, Place(place_, name), "The field " + quoted(name) + " is unknown.",
                             std::move(fix), Findings::At::kKey);
  }
}

void Fields::report(Code code, std::string cause, std::string fix) {
  reading_.findings.report(code, place_, std::move(cause), std::move(fix), Findings::At::kKey);
}

bool check_object(const Value& value, const Place& place, std::string_view title, Reading& reading) {
  if (value.is_object()) return true;
  reading.findings.report(Code::kFieldType, place, std::string(title) + " must be an object.", "Write an object.");
  return false;
}

void report_error(Code code, const Error& error, const Place& place, Reading& reading) {
  std::string cause = error.what;
  if (!error.where.empty() && !error.where.starts_with('/')) cause += " (" + error.where + ")";
  reading.findings.report(code, place, std::move(cause), error.fix.empty() ? "Correct it." : error.fix);
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& names, std::string otherwise) {
  if (names.size() > kSuggestNamesMax) return otherwise;
  const std::string_view near = text::nearest(word, names);
  return near.empty() ? otherwise : "Did you mean " + quoted(near) + "?";
}

}  // namespace pawl::serverless
