// A compiled schema: nodes, one for each schema, that point to each other and into the documents. For schema/ only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json/value.h"
#include "schema/pattern.h"
#include "schema/schema.h"

namespace pawl::schema::internal {

struct Node;

// Which keywords mean something.
struct Dialect {
  Draft draft = Draft::k7;
  bool validates = true;    // the vocabulary of type, minimum and so on
  bool applies = true;      // that of properties, allOf and so on
  bool unevaluated = true;  // that of unevaluatedItems and unevaluatedProperties
};

// A document, or the part of one that has an identifier of its own.
struct Resource {
  std::string uri;
  Dialect dialect;
  std::unordered_map<std::string, const Node*> dynamic_anchors;
};

using TypeSet = uint8_t;
enum Type : TypeSet {
  kTypeNull = 1,
  kTypeBoolean = 2,
  kTypeInteger = 4,
  kTypeNumber = 8,
  kTypeString = 16,
  kTypeArray = 32,
  kTypeObject = 64
};

struct NumberRules {
  const json::Value* minimum = nullptr;
  const json::Value* maximum = nullptr;
  const json::Value* exclusive_minimum = nullptr;
  const json::Value* exclusive_maximum = nullptr;
  const json::Value* multiple_of = nullptr;
};

struct StringRules {
  std::optional<uint64_t> min_length;  // in code points
  std::optional<uint64_t> max_length;
  std::optional<Pattern> pattern;
};

struct ArrayRules {
  std::optional<uint64_t> min_items;
  std::optional<uint64_t> max_items;
  bool unique = false;
  std::vector<const Node*> first;  // for the first items, one each
  const Node* rest = nullptr;      // for all behind them
  const char* first_keyword = "prefixItems";
  const char* rest_keyword = "items";
  const Node* contains = nullptr;
  uint64_t min_contains = 1;
  std::optional<uint64_t> max_contains;
};

struct PatternProperty {
  std::string text;
  Pattern pattern;
  const Node* node = nullptr;
};

// What must hold where the value has a member of that name.
struct Dependency {
  std::string name;
  const char* keyword = "dependencies";
  std::vector<std::string_view> required;
  const Node* node = nullptr;
};

struct ObjectRules {
  std::optional<uint64_t> min_properties;
  std::optional<uint64_t> max_properties;
  std::vector<std::string_view> required;
  std::unordered_map<std::string_view, const Node*> named;
  std::vector<PatternProperty> matched;
  const Node* additional = nullptr;
  const Node* names = nullptr;
  std::vector<Dependency> dependencies;

  bool has_properties() const { return !named.empty() || !matched.empty() || additional != nullptr; }
};

struct LogicRules {
  std::vector<const Node*> all_of;
  std::vector<const Node*> any_of;
  std::vector<const Node*> one_of;
  const Node* negated = nullptr;
  const Node* condition = nullptr;
  const Node* consequence = nullptr;
  const Node* alternative = nullptr;
};

struct DynamicReference {
  const Node* target = nullptr;  // where no resource on the way here has the anchor
  std::string anchor;            // empty: it is a plain reference
};

// One schema. What it does not restrict is not there.
struct Node {
  const Resource* resource = nullptr;
  std::string place;  // JSON Pointer; behind "uri#" in another document
  std::optional<bool> boolean;
  TypeSet types = 0;  // 0: any
  const json::Value* constant = nullptr;
  const json::Value* choices = nullptr;
  std::unique_ptr<NumberRules> numbers;
  std::unique_ptr<StringRules> strings;
  std::unique_ptr<ArrayRules> arrays;
  std::unique_ptr<ObjectRules> objects;
  std::unique_ptr<LogicRules> logic;
  const Node* reference = nullptr;
  std::optional<DynamicReference> dynamic_reference;
  const Node* unevaluated_items = nullptr;
  const Node* unevaluated_properties = nullptr;
};

struct Program {
  std::deque<json::Value> documents;  // nodes point into them
  std::deque<Resource> resources;
  std::deque<Node> nodes;
  const Node* root = nullptr;
};

}  // namespace pawl::schema::internal
