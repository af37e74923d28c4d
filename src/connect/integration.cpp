#include "connect/integration.h"

#include "lang/asl/resource.h"

namespace pawl::connect {

namespace {

constexpr size_t kRegionPart = 3;

std::string_view without_pattern(std::string_view action) {
  for (const std::string_view pattern : {".waitForTaskToken", ".sync:2", ".sync"})
    if (action.ends_with(pattern)) return action.substr(0, action.size() - pattern.size());
  return action;
}

}  // namespace

std::optional<Integration> parse_integration(std::string_view resource) {
  const bool is_integration = resource.starts_with("arn:") && asl::arn_part(resource, kRegionPart - 1) == "states" &&
                              asl::arn_part(resource, kRegionPart).empty();
  if (!is_integration) return std::nullopt;
  const asl::ResourceName name = asl::parse_resource(resource);
  return Integration{name.type, without_pattern(name.action)};
}

json::Value integration_input(std::string_view resource, const Integration& integration, json::Value parameters) {
  json::ObjectBuilder input(3);
  input.set("resource", json::Value::string(resource));
  input.set("action", json::Value::string(integration.action));
  input.set("parameters", std::move(parameters));
  return input.build();
}

}  // namespace pawl::connect
