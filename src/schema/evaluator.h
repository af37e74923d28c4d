// Holds a value against a Program. For schema/ only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "schema/program.h"

namespace pawl::schema::internal {

// The way from the value as a whole to a part of it; written out only for a violation.
struct Path {
  const Path* parent = nullptr;
  const json::Value* name = nullptr;  // of a member; null: an item
  size_t index = 0;
};

// The resources that the evaluation came through.
struct Scope {
  const Scope* outer = nullptr;
  const Resource* resource = nullptr;
};

// Which items or members of a value some schema has looked at, for unevaluatedItems and unevaluatedProperties.
class Marks {
 public:
  void mark(size_t index);
  void mark_all() { all_ = true; }
  void merge(const Marks& other);
  bool has(size_t index) const { return all_ || (index < marked_.size() && marked_[index]); }

 private:
  bool all_ = false;
  std::vector<bool> marked_;
};

// One evaluation. Used once, on one thread.
//
// Bounds: kValidationDepthMax schemas within each other, kValidationStepsMax schemas in all. An evaluation that meets
// one is given up: it has the violation SCHEMA_LIMIT, and no other counts.
class Evaluator {
 public:
  explicit Evaluator(size_t violations_max) : violations_max_(violations_max) { PAWL_ASSERT(violations_max > 0); }

  std::vector<Violation> run(const Program& program, const json::Value& value);

 private:
  // A schema that is applied to a value.
  struct Application {
    const Node& node;
    const json::Value& value;
    const Path* path;
    const Scope* scope;
    Marks* marks;  // null where nobody asks
  };

  bool apply(const Node& node, const json::Value& value, const Path* path, const Scope* scope, Marks* marks);
  bool apply_to_same(const Application& a, const Node& node, Marks* marks);
  bool apply_quietly(const Application& a, const Node& node, Marks* marks);
  bool apply_rules(const Application& a);

  bool check_types(const Application& a);
  bool check_values(const Application& a);
  bool check_numbers(const Application& a);
  bool check_strings(const Application& a);
  bool check_array(const Application& a);
  bool check_items(const Application& a);
  bool check_unique(const Application& a);
  bool check_contains(const Application& a);
  bool check_object(const Application& a);
  bool check_properties(const Application& a);
  bool check_property(const Application& a, size_t index);
  bool check_property_names(const Application& a);
  bool check_dependencies(const Application& a);
  bool check_references(const Application& a);
  bool check_logic(const Application& a);
  bool check_any_of(const Application& a);
  bool check_one_of(const Application& a);
  bool check_condition(const Application& a);
  bool check_unevaluated(const Application& a);

  bool search(const Application& a, const Pattern& pattern, std::string_view text, const char* keyword);
  const Node& dynamic_target(const DynamicReference& reference, const Scope* scope) const;

  // Whether a check that failed makes further ones useless.
  bool is_decided(bool holds) const {
    return !holds && (quiet_ > 0 || gave_up_ || violations_.size() >= violations_max_);
  }
  // Notes a violation, unless nobody listens. Always false.
  bool violate(const Application& a, std::string_view keyword, std::string what);
  bool give_up(const Application& a, std::string what);

  size_t violations_max_;
  std::vector<Violation> violations_;
  uint32_t quiet_ = 0;  // inside of schemas that may fail
  uint32_t depth_ = 0;
  uint64_t steps_ = 0;
  bool gave_up_ = false;
};

// Whether no two values are equal. Adds what it cost to `steps`, and stops where that is above the limit.
bool are_unique(std::span<const json::Value> values, uint64_t& steps);

}  // namespace pawl::schema::internal
