// What a Task runs, for how long, and as whom.
#include <optional>
#include <string>

#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kResource = "Resource";

void check_express(std::string_view resource, const Place& place, Context& context) {
  std::string cause;
  if (resource.ends_with(".waitForTaskToken"))
    cause = "Express state machine does not support '.waitForTaskToken' service integration";
  else if (resource.ends_with(".sync") || resource.ends_with(".sync:2"))
    cause = "Express state machine does not support '.sync' service integration";
  else if (resource.starts_with("arn:") && resource.find(":activity:") != std::string_view::npos)
    cause = "Express state machine does not support Activity ARN";
  else
    return;
  context.findings.report(Code::kExpress, place, std::move(cause),
                          "Make the machine a standard one, or call the resource without waiting.");
}

// The alias or version after the name of a Lambda function.
std::optional<std::string_view> find_alias(std::string_view resource) {
  constexpr std::string_view kFunction = ":function:";
  if (!resource.starts_with("arn:") || resource.find(":lambda:") == std::string_view::npos) return std::nullopt;
  const size_t function = resource.find(kFunction);
  if (function == std::string_view::npos) return std::nullopt;
  const size_t colon = resource.find(':', function + kFunction.size());
  if (colon == std::string_view::npos) return std::nullopt;
  return resource.substr(colon + 1);
}

bool is_alias(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$";
  return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

void check_resource(const State& state, const Place& place, Context& context) {
  const Value* value = state.source.find(kResource);
  if (value == nullptr || !value->is_string()) return;
  const Place here(place, kResource);
  const std::string_view resource = value->as_string();
  if (resource.empty())
    context.findings.report(Code::kEmpty, here, "Value cannot be empty", "Name what the task runs.");
  const size_t open = resource.rfind("${");
  const bool substituted = open != std::string_view::npos;
  if (substituted && resource.find('}', open) == std::string_view::npos)
    context.findings.report(Code::kInvalidValue, here, "The substitution ${ in \"Resource\" is not closed.",
                            "Close it with }.");
  const auto alias = find_alias(resource);
  if (alias && !substituted && !is_alias(*alias))
    context.findings.report(Code::kInvalidValue, here, "What follows the function's name is no version or alias.",
                            "Use letters, digits, underscores and hyphens, or take the last colon out.");
  if (context.express) check_express(resource, here, context);
}

std::optional<int64_t> seconds(const State& state, std::string_view field) {
  const Value* value = state.source.find(field);
  return value != nullptr && value->is_number() ? value->as_integer() : std::nullopt;
}

void check_heartbeat(const State& state, const Place& place, Context& context) {
  const std::optional<int64_t> heartbeat = seconds(state, "HeartbeatSeconds");
  std::optional<int64_t> timeout = seconds(state, "TimeoutSeconds");
  if (!timeout && state.source.find("TimeoutSeconds") == nullptr && state.source.find("TimeoutSecondsPath") == nullptr)
    timeout = context.options.task_timeout_seconds;
  if (!heartbeat || !timeout || *heartbeat < *timeout) return;
  context.findings.report(Code::kHeartbeatNotBelowTimeout, Place(place, "HeartbeatSeconds"),
                          "\"HeartbeatSeconds\" (" + std::to_string(*heartbeat) + ") must be below the timeout (" +
                              std::to_string(*timeout) + ").",
                          "Shorten the heartbeat or lengthen \"TimeoutSeconds\".");
}

void check_credentials(const State& state, const Place& place, Context& context) {
  const Value* credentials = state.source.find("Credentials");
  if (credentials == nullptr || !credentials->is_object()) return;
  const Place here(place, "Credentials");
  if (credentials->find("RoleArn") == nullptr && credentials->find("RoleArn.$") == nullptr)
    context.findings.report(Code::kMissingField, here, "The field 'RoleArn' is required but was missing",
                            "Add \"RoleArn\" or \"RoleArn.$\".");
  check_value(Kind::kTemplate, *credentials, here, context);
}

}  // namespace

void check_task(const State& state, const Place& place, Context& context) {
  check_resource(state, place, context);
  check_heartbeat(state, place, context);
  check_credentials(state, place, context);
}

}  // namespace pawl::asl
