// Keywords for objects.
#include "schema/evaluator.h"

namespace pawl::schema::internal {

using json::Value;

namespace {

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

bool Evaluator::check_object(const Application& a) {
  const ObjectRules& rules = *a.node.objects;
  bool holds = true;
  if (rules.min_properties && a.value.size() < *rules.min_properties)
    holds =
        violate(a, "minProperties", "The object has fewer than " + std::to_string(*rules.min_properties) + " members.");
  if (rules.max_properties && a.value.size() > *rules.max_properties)
    holds =
        violate(a, "maxProperties", "The object has more than " + std::to_string(*rules.max_properties) + " members.");
  for (const std::string_view name : rules.required)
    if (!is_decided(holds) && a.value.find(name) == nullptr)
      holds = violate(a, "required", "The object has no member " + quoted(name) + ".");
  if (rules.has_properties() && !is_decided(holds)) holds = check_properties(a) && holds;
  if (rules.names != nullptr && !is_decided(holds)) holds = check_property_names(a) && holds;
  if (!rules.dependencies.empty() && !is_decided(holds)) holds = check_dependencies(a) && holds;
  return holds;
}

bool Evaluator::check_properties(const Application& a) {
  bool holds = true;
  for (size_t i = 0; i < a.value.size() && !is_decided(holds); ++i) holds = check_property(a, i) && holds;
  return holds;
}

bool Evaluator::check_property(const Application& a, size_t index) {
  const ObjectRules& rules = *a.node.objects;
  const json::Member& member = a.value.members()[index];
  const std::string_view name = member.key.as_string();
  const Path path{a.path, &member.key, 0};
  bool holds = true;
  bool is_known = false;
  const auto apply_one = [&](const Node& node) {
    is_known = true;
    if (!is_decided(holds)) holds = apply(node, member.value, &path, a.scope, nullptr) && holds;
  };
  if (const auto named = rules.named.find(name); named != rules.named.end()) apply_one(*named->second);
  for (const PatternProperty& property : rules.matched)
    if (search(a, property.pattern, name, "patternProperties")) apply_one(*property.node);
  if (!is_known && rules.additional != nullptr) {
    if (rules.additional->boolean == false) {
      const Application member_application{a.node, member.value, &path, a.scope, nullptr};
      return violate(member_application, "additionalProperties", "The member " + quoted(name) + " is not allowed.");
    }
    apply_one(*rules.additional);
  }
  if (is_known && a.marks != nullptr) a.marks->mark(index);
  return holds;
}

bool Evaluator::check_property_names(const Application& a) {
  bool holds = true;
  for (const json::Member& member : a.value.members()) {
    if (is_decided(holds)) return holds;
    const Path path{a.path, &member.key, 0};
    holds = apply(*a.node.objects->names, member.key, &path, a.scope, nullptr) && holds;
  }
  return holds;
}

bool Evaluator::check_dependencies(const Application& a) {
  bool holds = true;
  for (const Dependency& dependency : a.node.objects->dependencies) {
    if (is_decided(holds)) return holds;
    if (a.value.find(dependency.name) == nullptr) continue;
    for (const std::string_view name : dependency.required)
      if (a.value.find(name) == nullptr)
        holds = violate(a, dependency.keyword,
                        "The object has a member " + quoted(dependency.name) + ", but no member " + quoted(name) + ".");
    if (dependency.node != nullptr) holds = apply_to_same(a, *dependency.node, a.marks) && holds;
  }
  return holds;
}

}  // namespace pawl::schema::internal
