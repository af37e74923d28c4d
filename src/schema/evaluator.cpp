// The evaluation as such: its bounds, references, the keywords that combine schemas, and what is left unevaluated.
#include "schema/evaluator.h"

#include <algorithm>

#include "json/pointer.h"

namespace pawl::schema::internal {

using json::Value;

namespace {

std::string pointer_of(const Path* path) {
  std::vector<const Path*> steps;
  for (; path != nullptr; path = path->parent) steps.push_back(path);
  std::string pointer;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    pointer = (*step)->name != nullptr ? json::child_pointer(pointer, (*step)->name->as_string())
                                       : json::child_pointer(pointer, (*step)->index);
  return pointer;
}

}  // namespace

void Marks::mark(size_t index) {
  if (index >= marked_.size()) marked_.resize(index + 1);
  marked_[index] = true;
}

void Marks::merge(const Marks& other) {
  all_ |= other.all_;
  if (other.marked_.size() > marked_.size()) marked_.resize(other.marked_.size());
  for (size_t i = 0; i < other.marked_.size(); ++i)
    if (other.marked_[i]) marked_[i] = true;
}

std::vector<Violation> Evaluator::run(const Program& program, const Value& value) {
  apply(*program.root, value, nullptr, nullptr, nullptr);
  return std::move(violations_);
}

bool Evaluator::violate(const Application& a, std::string_view keyword, std::string what) {
  if (quiet_ > 0 || gave_up_ || violations_.size() >= violations_max_) return false;
  std::string place = a.node.place;
  if (!keyword.empty()) place += "/" + std::string(keyword);
  violations_.push_back({"SCHEMA_VIOLATED", pointer_of(a.path), std::move(place), std::move(what)});
  return false;
}

bool Evaluator::give_up(const Application& a, std::string what) {
  if (gave_up_) return false;
  gave_up_ = true;
  violations_.assign(1, {"SCHEMA_LIMIT", pointer_of(a.path), a.node.place, std::move(what)});
  return false;
}

bool Evaluator::apply(const Node& node, const Value& value, const Path* path, const Scope* scope, Marks* marks) {
  if (node.boolean == true) return true;
  const Scope own_scope{scope, node.resource};
  if (scope == nullptr || scope->resource != node.resource) scope = &own_scope;
  const Application application{node, value, path, scope, marks};
  if (node.boolean) return violate(application, "", "Nothing may stand here.");
  if (gave_up_) return false;
  if (++steps_ > kValidationStepsMax) return give_up(application, "The value takes too much effort to validate.");
  if (depth_ == kValidationDepthMax)
    return give_up(application, "The schemas lie more than " + std::to_string(kValidationDepthMax) +
                                    " deep within each other, for this value.");
  ++depth_;
  const bool holds = apply_rules(application);
  --depth_;
  return holds && !gave_up_;
}

bool Evaluator::apply_to_same(const Application& a, const Node& node, Marks* marks) {
  return apply(node, a.value, a.path, a.scope, marks);
}

// What a schema that may fail has marked counts only if it does not.
bool Evaluator::apply_quietly(const Application& a, const Node& node, Marks* marks) {
  Marks own;
  ++quiet_;
  const bool holds = apply_to_same(a, node, marks == nullptr ? nullptr : &own);
  --quiet_;
  if (holds && marks != nullptr) marks->merge(own);
  return holds;
}

bool Evaluator::apply_rules(const Application& given) {
  const Node& node = given.node;
  const bool is_array = given.value.is_array();
  const bool is_object = given.value.is_object();
  // A schema that asks what is unevaluated sees what was evaluated beside it, and not what was around it.
  const bool asks =
      (is_array && node.unevaluated_items != nullptr) || (is_object && node.unevaluated_properties != nullptr);
  Marks own;
  const Application a{node, given.value, given.path, given.scope, asks ? &own : given.marks};
  bool holds = true;
  const auto check = [&](bool is_there, bool (Evaluator::*rule)(const Application&)) {
    if (is_there && !is_decided(holds)) holds = (this->*rule)(a) && holds;
  };
  check(node.types != 0, &Evaluator::check_types);
  check(node.constant != nullptr || node.choices != nullptr, &Evaluator::check_values);
  check(node.numbers != nullptr && given.value.is_number(), &Evaluator::check_numbers);
  check(node.strings != nullptr && given.value.is_string(), &Evaluator::check_strings);
  check(node.arrays != nullptr && is_array, &Evaluator::check_array);
  check(node.objects != nullptr && is_object, &Evaluator::check_object);
  check(node.reference != nullptr || node.dynamic_reference, &Evaluator::check_references);
  check(node.logic != nullptr, &Evaluator::check_logic);
  check(asks, &Evaluator::check_unevaluated);
  if (asks && given.marks != nullptr) given.marks->merge(own);
  return holds;
}

// The outermost resource on the way here that has the anchor decides.
const Node& Evaluator::dynamic_target(const DynamicReference& reference, const Scope* scope) const {
  const Node* target = reference.target;
  if (reference.anchor.empty()) return *target;
  for (; scope != nullptr; scope = scope->outer) {
    const auto found = scope->resource->dynamic_anchors.find(reference.anchor);
    if (found != scope->resource->dynamic_anchors.end()) target = found->second;
  }
  return *target;
}

bool Evaluator::check_references(const Application& a) {
  bool holds = a.node.reference == nullptr || apply_to_same(a, *a.node.reference, a.marks);
  if (a.node.dynamic_reference && !is_decided(holds))
    holds = apply_to_same(a, dynamic_target(*a.node.dynamic_reference, a.scope), a.marks) && holds;
  return holds;
}

bool Evaluator::check_logic(const Application& a) {
  const LogicRules& rules = *a.node.logic;
  bool holds = true;
  for (const Node* node : rules.all_of)
    if (!is_decided(holds)) holds = apply_to_same(a, *node, a.marks) && holds;
  if (!rules.any_of.empty() && !is_decided(holds)) holds = check_any_of(a) && holds;
  if (!rules.one_of.empty() && !is_decided(holds)) holds = check_one_of(a) && holds;
  if (rules.negated != nullptr && !is_decided(holds) && apply_quietly(a, *rules.negated, nullptr))
    holds = violate(a, "not", "The value matches the schema that it must not match.");
  if (rules.condition != nullptr && !is_decided(holds)) holds = check_condition(a) && holds;
  return holds;
}

bool Evaluator::check_any_of(const Application& a) {
  bool holds = false;
  for (const Node* node : a.node.logic->any_of) {
    holds |= apply_quietly(a, *node, a.marks);
    if (holds && a.marks == nullptr) return true;
  }
  return holds || violate(a, "anyOf", "The value matches none of the alternatives.");
}

bool Evaluator::check_one_of(const Application& a) {
  size_t matches = 0;
  for (const Node* node : a.node.logic->one_of) {
    if (apply_quietly(a, *node, a.marks)) ++matches;
    if (matches > 1) return violate(a, "oneOf", "The value matches more than one of the alternatives.");
  }
  return matches == 1 || violate(a, "oneOf", "The value matches none of the alternatives.");
}

bool Evaluator::check_condition(const Application& a) {
  const LogicRules& rules = *a.node.logic;
  const Node* next = apply_quietly(a, *rules.condition, a.marks) ? rules.consequence : rules.alternative;
  return next == nullptr || apply_to_same(a, *next, a.marks);
}

bool Evaluator::check_unevaluated(const Application& a) {
  const bool is_array = a.value.is_array();
  const Node& node = *(is_array ? a.node.unevaluated_items : a.node.unevaluated_properties);
  bool holds = true;
  for (size_t i = 0; i < a.value.size() && !is_decided(holds); ++i) {
    if (a.marks->has(i)) continue;
    const Path path{a.path, is_array ? nullptr : &a.value.members()[i].key, i};
    holds = apply(node, is_array ? a.value.at(i) : a.value.members()[i].value, &path, a.scope, nullptr) && holds;
  }
  a.marks->mark_all();
  return holds;
}

}  // namespace pawl::schema::internal
