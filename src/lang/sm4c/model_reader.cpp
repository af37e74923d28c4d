#include "lang/sm4c/model_reader.h"

#include <algorithm>

#include "lang/sm4c/timespan.h"
#include "text/suggest.h"

namespace pawl::sm4c {

Fields::Fields(const Value& object, const Place& place, Reading& reading)
    : object_(object), place_(place), reading_(reading) {}

Fields::Found Fields::find(Names names, Need need) {
  Found found;
  for (const std::string_view name : names) {
    known_.push_back(name);
    const json::Member* member = find_member(object_, name);
    if (member != nullptr && !member->value.is_null() && !found) found = {&member->value, member->key.as_string()};
  }
  if (!found && need == Need::kRequired)
    reading_.findings.report(Code::kMissingField, place_,
                             "The field \"" + std::string(*names.begin()) + "\" is required.", "Add it.",
                             Findings::At::kKey);
  return found;
}

void Fields::report_type(const Found& found, std::string_view wanted) {
  reading_.findings.report(Code::kFieldType, Place(place_, found.name),
                           "\"" + std::string(found.name) + "\" must be " + std::string(wanted) + ".",
                           "Write " + std::string(wanted) + ".");
}

Fields::Found Fields::array(Names names, Need need) {
  const Found found = find(names, need);
  if (!found || found.value->is_array()) return found;
  report_type(found, "an array");
  return {};
}

Fields::Found Fields::object(Names names, Need need) {
  const Found found = find(names, need);
  if (!found || found.value->is_object()) return found;
  report_type(found, "an object");
  return {};
}

std::string Fields::text(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return {};
  if (found.value->is_number()) return found.value->number_text();
  if (!found.value->is_string()) {
    report_type(found, "text");
  } else if (found.value->as_string().empty() && need == Need::kRequired) {
    reading_.findings.report(Code::kEmpty, Place(place_, found.name),
                             "\"" + std::string(found.name) + "\" must not be empty.", "Write what it stands for.");
  } else {
    return std::string(found.value->as_string());
  }
  return {};
}

std::optional<bool> Fields::boolean(Names names) {
  const Found found = find(names);
  if (!found) return std::nullopt;
  if (found.value->is_boolean()) return found.value->as_boolean();
  report_type(found, "true or false");
  return std::nullopt;
}

namespace {

Code code_of(const Error& error) {
  if (error.code == "SM4C_NOT_AN_EXPRESSION") return Code::kNotAnExpression;
  if (error.code == "SM4C_UNKNOWN_FUNCTION") return Code::kUnknownFunction;
  return Code::kExpression;
}

}  // namespace

std::optional<Expression> Fields::expression(Names names, Role role, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  if (!found.value->is_string()) {
    report_type(found, "an expression such as \"${ .path }\"");
    return std::nullopt;
  }
  auto expression = Expression::compile(found.value->as_string(), role, reading_.expression_functions);
  if (expression) return *std::move(expression);
  report_error(code_of(expression.error()), expression.error(), Place(place_, found.name), reading_);
  return std::nullopt;
}

std::optional<Timespan> Fields::timespan(Names names, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  const Place here(place_, found.name);
  if (!found.value->is_string()) {
    report_type(found, "a timespan such as \"00:00:10\" or \"PT10S\"");
    return std::nullopt;
  }
  Timespan timespan{.text = std::string(found.value->as_string()), .value = {}};
  const auto parsed = parse_timespan(timespan.text);
  if (!parsed) {
    report_error(Code::kTimespan, parsed.error(), here, reading_);
    return std::nullopt;
  }
  if (parsed->is_negative()) {
    reading_.findings.report(Code::kTimespan, here, "A time to wait cannot be negative.", "Take the sign away.");
    return std::nullopt;
  }
  if (is_bare_days(timespan.text))
    reading_.findings.report(Code::kTimespanInDays, here, "A bare number is a number of days.",
                             "Write " + timespan.text + ".00:00:00 where days are meant, else hh:mm:ss.");
  timespan.value = *parsed;
  return timespan;
}

std::optional<uint32_t> Fields::count(Names names, uint32_t least, Need need) {
  const Found found = find(names, need);
  if (!found) return std::nullopt;
  const auto number = found.value->is_number() ? found.value->as_integer() : std::nullopt;
  if (number && *number >= least && *number <= INT32_MAX) return static_cast<uint32_t>(*number);
  reading_.findings.report(
      Code::kNumber, Place(place_, found.name),
      "\"" + std::string(found.name) + "\" must be an integer of at least " + std::to_string(least) + ".",
      "Write such a number.");
  return std::nullopt;
}

std::optional<Template> Fields::data(Names names) {
  const Found found = object(names);
  if (!found) return std::nullopt;
  return data_at(*found.value, Place(place_, found.name));
}

std::optional<Template> Fields::data_at(const Value& value, const Place& place) {
  auto data = Template::compile(value, reading_.expression_functions);
  if (data) return *std::move(data);
  const bool is_below = data.error().where.starts_with('/');
  const std::string pointer = place.pointer() + (is_below ? data.error().where : "");
  report_error(code_of(data.error()), data.error(), Place(pointer), reading_);
  return std::nullopt;
}

void Fields::report_choice(std::string_view name, std::string_view written,
                           const std::vector<std::string_view>& allowed) {
  report_at(Code::kInvalidValue, name, quoted(written) + " is none of " + listed(allowed) + ".", "Write one of these.");
}

bool Fields::is_known(std::string_view name) const {
  const std::string lower = lower_case(name);
  return std::ranges::any_of(known_, [&](std::string_view known) { return lower_case(known) == lower; });
}

void Fields::done(std::string_view title) {
  if (!object_.is_object()) return;
  for (const json::Member& member : object_.members()) {
    const std::string_view name = member.key.as_string();
    if (reading_.findings.full()) return;
    if (is_known(name)) continue;
    reading_.findings.report(Code::kUnknownField, Place(place_, name), "The field " + quoted(name) + " is unknown.",
                             suggestion(name, known_, std::string(title) + " has no such field: take it out."),
                             Findings::At::kKey);
  }
}

void Fields::report(Code code, std::string cause, std::string fix) {
  reading_.findings.report(code, place_, std::move(cause), std::move(fix), Findings::At::kKey);
}

void Fields::report_at(Code code, std::string_view field, std::string cause, std::string fix) {
  const json::Member* member = find_member(object_, field);
  const std::string_view name = member == nullptr ? field : member->key.as_string();
  reading_.findings.report(code, Place(place_, name), std::move(cause), std::move(fix));
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

}  // namespace pawl::sm4c
