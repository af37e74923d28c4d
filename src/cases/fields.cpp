#include "cases/fields.h"

#include <algorithm>
#include <vector>

#include "json/pointer.h"
#include "json/position.h"
#include "text/suggest.h"

namespace pawl::cases {

namespace {

constexpr std::string_view kFix = "See docs/testing.md for the format of a case.";

bool has_form(const Value& value, Form form) {
  const auto is_string = [](const Value& item) { return item.is_string(); };
  switch (form) {
    case Form::kAny:
      return true;
    case Form::kString:
      return value.is_string();
    case Form::kStringOrNull:
      return value.is_string() || value.is_null();
    case Form::kObject:
      return value.is_object();
    case Form::kArray:
      return value.is_array();
    case Form::kStrings:
      return value.is_array() && std::ranges::all_of(value.items(), is_string);
    case Form::kNumber:
      return value.is_number();
    case Form::kCount:
      return value.is_number() && value.as_integer().value_or(-1) >= 0;
    case Form::kObjectOfArrays:
      return value.is_object() &&
             std::ranges::all_of(value.members(), [](const json::Member& member) { return member.value.is_array(); });
  }
  return false;
}

std::string_view name_of(Form form) {
  switch (form) {
    case Form::kAny:
      return "anything";
    case Form::kString:
      return "a string";
    case Form::kStringOrNull:
      return "a string or null";
    case Form::kObject:
      return "an object";
    case Form::kArray:
      return "a list";
    case Form::kStrings:
      return "a list of strings";
    case Form::kNumber:
      return "a number";
    case Form::kCount:
      return "a whole number from 0";
    case Form::kObjectOfArrays:
      return "an object with a list for each state";
  }
  return "";
}

}  // namespace

std::string Fields::place(const std::string& pointer) const {
  const Position position = document_.positions.value_at(pointer);
  return file_ + ":" + json::to_string(position) + (pointer.empty() ? "" : " " + pointer);
}

std::unexpected<Error> Fields::invalid(const std::string& pointer, std::string what) const {
  return fail("CASE_INVALID", std::move(what), std::string(kFix), place(pointer));
}

Result<void> Fields::check_form(const Value& value, const std::string& pointer, Form form) const {
  if (has_form(value, form)) return {};
  return invalid(pointer, "This is not " + std::string(name_of(form)) + ".");
}

Result<void> Fields::check(const Value& object, const std::string& pointer, std::span<const Field> fields) const {
  if (auto checked = check_form(object, pointer, Form::kObject); !checked) return checked;
  for (const json::Member& member : object.members()) {
    const std::string_view key = member.key.as_string();
    const std::string here = json::child_pointer(pointer, key);
    const auto known = std::ranges::find(fields, key, &Field::name);
    if (known != fields.end()) {
      if (auto checked = check_form(member.value, here, known->form); !checked) return checked;
      continue;
    }
    std::vector<std::string_view> names;
    for (const Field& field : fields) names.push_back(field.name);
    const std::string_view near = text::nearest(key, names);
    return fail("CASE_UNKNOWN_FIELD", "The field '" + std::string(key) + "' is not known here.",
                near.empty() ? std::string(kFix) : "Did you mean '" + std::string(near) + "'?", place(here));
  }
  return {};
}

}  // namespace pawl::cases
