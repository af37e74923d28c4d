#include "lang/asl/mock_context.h"

#include <algorithm>
#include <array>

#include "json/parse.h"
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

std::unexpected<TestRefusal> invalid_context(const std::string& why) {
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

}  // namespace pawl::asl
