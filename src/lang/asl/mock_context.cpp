#include "lang/asl/mock_context.h"

#include <algorithm>
#include <array>
#include <optional>

#include "json/parse.h"
#include "json/pointer.h"
#include "lang/asl/resource.h"
#include "lang/asl/test_state_request.h"

namespace pawl::asl {

namespace {

enum class Wanted : uint8_t { kAnything, kText, kNumber };

struct ContextField {
  std::string_view part;
  std::string_view name;
  Wanted wanted;
};

constexpr std::array kContextFields = {
    ContextField{"Execution", "Id", Wanted::kText},
    ContextField{"Execution", "Input", Wanted::kAnything},
    ContextField{"Execution", "Name", Wanted::kText},
    ContextField{"Execution", "RoleArn", Wanted::kText},
    ContextField{"Execution", "StartTime", Wanted::kText},
    ContextField{"Execution", "RedriveCount", Wanted::kNumber},
    ContextField{"Execution", "RedriveTime", Wanted::kText},
    ContextField{"State", "EnteredTime", Wanted::kText},
    ContextField{"State", "Name", Wanted::kText},
    ContextField{"State", "RetryCount", Wanted::kNumber},
    ContextField{"StateMachine", "Id", Wanted::kText},
    ContextField{"StateMachine", "Name", Wanted::kText},
    ContextField{"Task", "Token", Wanted::kText},
};

std::unexpected<TestRefusal> invalid_context(std::string why) {
  return invalid_request("Invalid Context object provided: " + why);
}

std::unexpected<TestRefusal> not_allowed(std::string_view field) {
  return invalid_context("Field '" + std::string(field) + "' is not allowed");
}

bool is_part(std::string_view name) {
  return std::ranges::any_of(kContextFields, [&](const ContextField& field) { return field.part == name; });
}

Tested<void> check_field(std::string_view part, const json::Member& member) {
  const std::string_view name = member.key.as_string();
  const auto field = std::ranges::find_if(
      kContextFields, [&](const ContextField& known) { return known.part == part && known.name == name; });
  if (field == kContextFields.end()) return not_allowed(name);
  const std::string shown = std::string(part) + "." + std::string(name);
  if (field->wanted == Wanted::kText && !member.value.is_string()) return invalid_context(shown + " must be a string");
  if (field->wanted == Wanted::kNumber && !member.value.is_number())
    return invalid_context(shown + " must be a number");
  return {};
}

Tested<void> check_part(const json::Member& member, std::string_view resource) {
  const std::string_view part = member.key.as_string();
  if (part == "Map") return invalid_context("'Map' field is not supported when mocking a Context object");
  if (!is_part(part)) return not_allowed(part);
  if (part == "Task" && integration_pattern(resource).empty())
    return invalid_context(
        "Context object contains 'Task' when state is not a Task state with a '.sync' or '.waitForTaskToken' service "
        "integration pattern");
  if (!member.value.is_object()) return invalid_context(std::string(part) + " must be an object");
  for (const json::Member& inner : member.value.members())
    if (auto checked = check_field(part, inner); !checked) return checked;
  return {};
}

// --- items

std::unexpected<TestRefusal> unreadable_items(const std::string& why) {
  return invalid_request("MapItemReaderData cannot be read: " + why);
}

Tested<Value> read_json_lines(std::string_view text) {
  json::ArrayBuilder items;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto item = json::parse(line);
    if (!item) return unreadable_items(item.error().what);
    items.push(*std::move(item));
  }
  return items.build();
}

// An object is read as its entries, as AWS does.
Value entries_of(const Value& object) {
  json::ArrayBuilder entries(object.size());
  for (const json::Member& member : object.members()) {
    json::ObjectBuilder entry(2);
    entry.set("Key", member.key);
    entry.set("Value", member.value);
    entries.push(entry.build());
  }
  return entries.build();
}

}  // namespace

std::string_view integration_pattern(std::string_view resource) {
  const std::string_view action = parse_resource(resource).action;
  for (const std::string_view pattern : {".waitForTaskToken", ".sync:2", ".sync"})
    if (action.ends_with(pattern)) return pattern;
  return {};
}

Tested<Value> read_mock_context(const Value& given, std::string_view resource) {
  if (!given.is_string()) return Value();
  auto context = json::parse(given.as_string());
  if (!context) return invalid_context("it is not valid JSON: " + context.error().what);
  if (!context->is_object()) return invalid_context("it must be an object");
  for (const json::Member& member : context->members())
    if (auto checked = check_part(member, resource); !checked) return std::unexpected(checked.error());
  return *std::move(context);
}

Tested<Value> read_items(const std::string& text, const Value& reader) {
  const Value config = value_at(reader, "ReaderConfig");
  if (text_at(config, "InputType") == "JSONL") return read_json_lines(text);
  auto items = json::parse(text);
  if (!items) return unreadable_items(items.error().what);
  if (items->is_object()) return entries_of(*items);
  if (!items->is_array()) return unreadable_items("it must be an array or an object.");
  return *std::move(items);
}

}  // namespace pawl::asl
