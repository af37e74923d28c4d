// Each schema becomes a node. Schemas that are met are put on a list and compiled one after the other, so that neither
// depth nor circles of references cost stack.
#include "schema/compiler.h"

#include <map>
#include <span>

#include "schema/library.h"
#include "schema/numbers.h"
#include "schema/uri.h"

namespace pawl::schema::internal {

namespace {

using json::Value;

struct TypeName {
  std::string_view name;
  TypeSet type;
};
constexpr TypeName kTypeNames[] = {{"null", kTypeNull},     {"boolean", kTypeBoolean}, {"integer", kTypeInteger},
                                   {"number", kTypeNumber}, {"string", kTypeString},   {"array", kTypeArray},
                                   {"object", kTypeObject}};

class Compiler {
 public:
  explicit Compiler(const Options& options) : program_(std::make_shared<Program>()), library_(*program_, options) {}

  Result<std::shared_ptr<const Program>> compile(Value document) {
    PAWL_TRY(const Place root, library_.add_root(std::move(document)));
    program_->root = node_at(root);
    while (!error_ && !waiting_.empty()) {
      const auto [node, place] = std::move(waiting_.back());
      waiting_.pop_back();
      compile_node(*node, place);
    }
    if (error_) return std::unexpected(std::move(*error_));
    if (const Node* loop = find_loop(*program_))
      return fail("SCHEMA_LOOP", "The schema refers to itself without looking deeper into the value.",
                  "Refer to it from properties or items.", loop->place);
    return std::shared_ptr<const Program>(std::move(program_));
  }

 private:
  // The first error stays. The keyword may be empty, for the schema as a whole.
  void refuse(const Place& place, std::string_view keyword, std::string what, std::string fix) {
    if (error_) return;
    std::string where = place.text;
    if (!keyword.empty()) where += "/" + std::string(keyword);
    error_ = Error{"SCHEMA_INVALID", std::move(where), std::move(what), std::move(fix)};
  }

  // The node of a schema, which may have to wait for its rules.
  const Node* node_at(const Place& place) {
    const auto [known, is_new] = nodes_.try_emplace({place.value, place.resource}, nullptr);
    if (!is_new) return known->second;
    if (!place.value->is_boolean() && !place.value->is_object())
      refuse(place, "", "A schema is an object or a boolean.", "Write {} for a schema that takes everything.");
    if (program_->nodes.size() == kNodesMax && !error_)
      error_ = Error{"SCHEMA_TOO_LARGE", place.text, "There are more than " + std::to_string(kNodesMax) + " schemas.",
                     "Use $ref for what is repeated."};
    Node& node = program_->nodes.emplace_back();
    node.resource = place.resource;
    node.place = place.text;
    known->second = &node;
    waiting_.emplace_back(&node, place);
    return &node;
  }

  void compile_node(Node& node, const Place& place) {
    const Dialect& dialect = place.resource->dialect;
    if (place.value->is_boolean()) {
      node.boolean = place.value->as_boolean();
      return;
    }
    compile_reference(node, place);
    if (node.reference != nullptr && dialect.draft == Draft::k7) return;
    if (dialect.draft == Draft::k2020_12) compile_dynamics(node, place);
    if (dialect.validates) compile_values(node, place);
    compile_array(node, place);
    compile_object(node, place);
    if (dialect.applies) compile_logic(node, place);
    if (dialect.draft == Draft::k2020_12 && dialect.unevaluated) {
      node.unevaluated_items = schema_of(place, "unevaluatedItems");
      node.unevaluated_properties = schema_of(place, "unevaluatedProperties");
    }
  }

  // References.

  const Node* find_target(const Place& place, std::string_view keyword, const Value& reference) {
    if (!reference.is_string()) {
      refuse(place, keyword, std::string(keyword) + " is no text.", "Write a URI, as \"#/definitions/name\".");
      return nullptr;
    }
    auto target = library_.find(*place.resource, reference.as_string());
    if (target) return node_at(*target);
    if (!error_) error_ = std::move(target).error();
    if (error_->where.empty()) error_->where = place.text + "/" + std::string(keyword);
    return nullptr;
  }

  void compile_reference(Node& node, const Place& place) {
    if (const Value* reference = place.value->find("$ref")) node.reference = find_target(place, "$ref", *reference);
  }

  void compile_dynamics(Node& node, const Place& place) {
    for (const auto& [anchor, anchored] : library_.dynamic_anchors(*place.resource))
      place.resource->dynamic_anchors.try_emplace(anchor, node_at(anchored));
    const Value* reference = place.value->find("$dynamicRef");
    if (reference == nullptr) return;
    node.dynamic_reference.emplace();
    node.dynamic_reference->target = find_target(place, "$dynamicRef", *reference);
    if (error_) return;
    const std::string anchor(fragment_of(reference->as_string()));
    const auto& anchors = library_.dynamic_anchors(*node.dynamic_reference->target->resource);
    const auto found = anchors.find(anchor);
    if (found != anchors.end() && node_at(found->second) == node.dynamic_reference->target)
      node.dynamic_reference->anchor = anchor;
  }

  // Keywords' values.

  const Node* schema_of(const Place& place, std::string_view keyword) {
    const Value* value = place.value->find(keyword);
    return value == nullptr ? nullptr : node_at(library_.child(place, *value, keyword));
  }

  std::vector<const Node*> schemas_of(const Place& place, std::string_view keyword) {
    std::vector<const Node*> nodes;
    const Value* list = place.value->find(keyword);
    if (list == nullptr) return nodes;
    if (!list->is_array()) {
      refuse(place, keyword, std::string(keyword) + " is no list of schemas.", "Write [ ] around the schemas.");
      return nodes;
    }
    for (size_t i = 0; i < list->size(); ++i)
      nodes.push_back(node_at(library_.child(place, list->at(i), keyword, std::to_string(i))));
    return nodes;
  }

  // The members of a keyword's object; none where it is absent or wrong.
  std::span<const json::Member> members_of(const Place& place, std::string_view keyword) {
    const Value* map = place.value->find(keyword);
    if (map == nullptr) return {};
    if (map->is_object()) return map->members();
    refuse(place, keyword, std::string(keyword) + " is no object.", "Write { } around its members.");
    return {};
  }

  const Value* number_of(const Place& place, std::string_view keyword) {
    const Value* value = place.value->find(keyword);
    if (value != nullptr && !value->is_number())
      refuse(place, keyword, std::string(keyword) + " is no number.", "Write a number.");
    return value;
  }

  std::optional<uint64_t> count_of(const Place& place, std::string_view keyword) {
    const Value* value = place.value->find(keyword);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || value->as_double() < 0 || !is_integral(*value))
      refuse(place, keyword, std::string(keyword) + " is no whole number from 0 on.", "Write 0 or more.");
    const auto count = value->is_number() ? value->as_integer() : std::nullopt;
    return count ? static_cast<uint64_t>(*count) : UINT64_MAX;
  }

  std::vector<std::string_view> names_of(const Place& place, std::string_view keyword, const Value& list) {
    std::vector<std::string_view> names;
    const bool is_list = list.is_array();
    for (size_t i = 0; is_list && i < list.size(); ++i)
      if (list.at(i).is_string()) names.push_back(list.at(i).as_string());
    if (!is_list || names.size() != list.size())
      refuse(place, keyword, std::string(keyword) + " is no list of names.", "Write a list of texts.");
    return names;
  }

  std::optional<Pattern> pattern_of(const Place& place, std::string_view keyword, std::string_view text) {
    auto pattern = Pattern::compile(text);
    if (pattern) return std::move(*pattern);
    refuse(place, keyword, std::move(pattern.error().what), std::move(pattern.error().fix));
    return std::nullopt;
  }

  // Rules.

  void compile_values(Node& node, const Place& place) {
    compile_types(node, place);
    node.constant = place.value->find("const");
    node.choices = place.value->find("enum");
    if (node.choices != nullptr && !node.choices->is_array())
      refuse(place, "enum", "enum is no list.", "Write a list of the values that are allowed.");
    compile_numbers(node, place);
    compile_strings(node, place);
  }

  void add_type(Node& node, const Place& place, const Value& name) {
    for (const TypeName& known : kTypeNames)
      if (name.is_string() && name.as_string() == known.name) {
        node.types |= known.type;
        return;
      }
    refuse(place, "type", "There is no such type.", "Write null, boolean, integer, number, string, array or object.");
  }

  void compile_types(Node& node, const Place& place) {
    const Value* type = place.value->find("type");
    if (type == nullptr) return;
    if (!type->is_array()) return add_type(node, place, *type);
    for (const Value& name : type->items()) add_type(node, place, name);
  }

  void compile_numbers(Node& node, const Place& place) {
    NumberRules rules{number_of(place, "minimum"), number_of(place, "maximum"), number_of(place, "exclusiveMinimum"),
                      number_of(place, "exclusiveMaximum"), number_of(place, "multipleOf")};
    if (!error_ && rules.multiple_of != nullptr && rules.multiple_of->as_double() <= 0)
      refuse(place, "multipleOf", "multipleOf is not above 0.", "Write a number above 0.");
    const bool is_any =
        rules.minimum || rules.maximum || rules.exclusive_minimum || rules.exclusive_maximum || rules.multiple_of;
    if (is_any) node.numbers = std::make_unique<NumberRules>(rules);
  }

  void compile_strings(Node& node, const Place& place) {
    StringRules rules{count_of(place, "minLength"), count_of(place, "maxLength"), std::nullopt};
    if (const Value* pattern = place.value->find("pattern")) {
      if (pattern->is_string())
        rules.pattern = pattern_of(place, "pattern", pattern->as_string());
      else
        refuse(place, "pattern", "pattern is no text.", "Write a regular expression.");
    }
    if (rules.min_length || rules.max_length || rules.pattern)
      node.strings = std::make_unique<StringRules>(std::move(rules));
  }

  void compile_array(Node& node, const Place& place) {
    ArrayRules rules;
    const Dialect& dialect = place.resource->dialect;
    if (dialect.validates) {
      rules.min_items = count_of(place, "minItems");
      rules.max_items = count_of(place, "maxItems");
      const Value* unique = place.value->find("uniqueItems");
      rules.unique = unique != nullptr && unique->is_boolean() && unique->as_boolean();
    }
    if (dialect.applies) {
      compile_items(rules, place, dialect.draft);
      rules.contains = schema_of(place, "contains");
    }
    if (dialect.draft == Draft::k2020_12 && dialect.validates && rules.contains != nullptr) {
      rules.min_contains = count_of(place, "minContains").value_or(1);
      rules.max_contains = count_of(place, "maxContains");
    }
    if (rules.min_items || rules.max_items || rules.unique || !rules.first.empty() || rules.rest != nullptr ||
        rules.contains != nullptr)
      node.arrays = std::make_unique<ArrayRules>(std::move(rules));
  }

  void compile_items(ArrayRules& rules, const Place& place, Draft draft) {
    if (draft == Draft::k2020_12) {
      rules.first = schemas_of(place, "prefixItems");
      rules.rest = schema_of(place, "items");
      return;
    }
    const Value* items = place.value->find("items");
    if (items == nullptr) return;
    if (!items->is_array()) {
      rules.rest = schema_of(place, "items");
      return;
    }
    rules.first = schemas_of(place, "items");
    rules.first_keyword = "items";
    rules.rest = schema_of(place, "additionalItems");
    rules.rest_keyword = "additionalItems";
  }

  void compile_object(Node& node, const Place& place) {
    ObjectRules rules;
    const Dialect& dialect = place.resource->dialect;
    if (dialect.validates) {
      rules.min_properties = count_of(place, "minProperties");
      rules.max_properties = count_of(place, "maxProperties");
      if (const Value* required = place.value->find("required"))
        rules.required = names_of(place, "required", *required);
    }
    if (dialect.applies) compile_properties(rules, place);
    if (dialect.draft == Draft::k7)
      compile_dependencies(rules, place, "dependencies", true, true);
    else {
      compile_dependencies(rules, place, "dependentRequired", dialect.validates, false);
      compile_dependencies(rules, place, "dependentSchemas", false, dialect.applies);
    }
    if (rules.min_properties || rules.max_properties || !rules.required.empty() || rules.has_properties() ||
        rules.names != nullptr || !rules.dependencies.empty())
      node.objects = std::make_unique<ObjectRules>(std::move(rules));
  }

  void compile_properties(ObjectRules& rules, const Place& place) {
    for (const json::Member& member : members_of(place, "properties"))
      rules.named.emplace(member.key.as_string(),
                          node_at(library_.child(place, member.value, "properties", member.key.as_string())));
    for (const json::Member& member : members_of(place, "patternProperties")) {
      const std::string_view text = member.key.as_string();
      auto pattern = pattern_of(place, "patternProperties", text);
      if (!pattern) return;
      rules.matched.push_back({std::string(text), std::move(*pattern),
                               node_at(library_.child(place, member.value, "patternProperties", text))});
    }
    rules.additional = schema_of(place, "additionalProperties");
    rules.names = schema_of(place, "propertyNames");
  }

  // A list of names, where those are allowed, or a schema.
  void compile_dependencies(ObjectRules& rules, const Place& place, const char* keyword, bool may_be_names,
                            bool may_be_schema) {
    if (!may_be_names && !may_be_schema) return;
    for (const json::Member& member : members_of(place, keyword)) {
      Dependency dependency{std::string(member.key.as_string()), keyword, {}, nullptr};
      if (may_be_names && (member.value.is_array() || !may_be_schema))
        dependency.required = names_of(place, keyword, member.value);
      else
        dependency.node = node_at(library_.child(place, member.value, keyword, dependency.name));
      rules.dependencies.push_back(std::move(dependency));
    }
  }

  void compile_logic(Node& node, const Place& place) {
    LogicRules rules{schemas_of(place, "allOf"),
                     schemas_of(place, "anyOf"),
                     schemas_of(place, "oneOf"),
                     schema_of(place, "not"),
                     schema_of(place, "if"),
                     nullptr,
                     nullptr};
    if (rules.condition != nullptr) {
      rules.consequence = schema_of(place, "then");
      rules.alternative = schema_of(place, "else");
    }
    const bool is_any = !rules.all_of.empty() || !rules.any_of.empty() || !rules.one_of.empty() ||
                        rules.negated != nullptr || rules.condition != nullptr;
    if (is_any) node.logic = std::make_unique<LogicRules>(std::move(rules));
  }

  std::shared_ptr<Program> program_;
  Library library_;
  std::map<std::pair<const Value*, const Resource*>, const Node*> nodes_;
  std::vector<std::pair<Node*, Place>> waiting_;
  std::optional<Error> error_;
};

}  // namespace

Result<std::shared_ptr<const Program>> compile(Value document, const Options& options) {
  return Compiler(options).compile(std::move(document));
}

}  // namespace pawl::schema::internal
