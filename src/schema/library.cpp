#include "schema/library.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "json/pointer.h"
#include "schema/metaschemas.h"
#include "schema/uri.h"
#include "text/percent.h"

namespace pawl::schema::internal {

namespace {

using json::Value;

constexpr std::string_view kDraft7 = "http://json-schema.org/draft-07/schema";
constexpr std::string_view kDraft2020 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kVocabularies = "https://json-schema.org/draft/2020-12/vocab/";
constexpr std::string_view kKnownVocabularies[] = {"core",      "applicator", "unevaluated",      "validation",
                                                   "meta-data", "content",    "format-annotation"};

// Keywords whose value is a schema, or a list of them; and those whose members are schemas. A schema that stands
// anywhere else has no identifier that counts.
constexpr std::string_view kSchemaKeywords[] = {"additionalItems",
                                                "additionalProperties",
                                                "allOf",
                                                "anyOf",
                                                "contains",
                                                "contentSchema",
                                                "else",
                                                "if",
                                                "items",
                                                "not",
                                                "oneOf",
                                                "prefixItems",
                                                "propertyNames",
                                                "then",
                                                "unevaluatedItems",
                                                "unevaluatedProperties"};
constexpr std::string_view kMapKeywords[] = {
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"};

std::unexpected<Error> invalid(std::string what, std::string fix, std::string where) {
  return fail("SCHEMA_INVALID", std::move(what), std::move(fix), std::move(where));
}

const Value* find_string(const Value& schema, std::string_view keyword) {
  const Value* value = schema.find(keyword);
  return value != nullptr && value->is_string() ? value : nullptr;
}

// In draft 7 everything beside a $ref is ignored, an identifier too.
bool has_overriding_reference(const Value& schema, Draft draft) {
  return draft == Draft::k7 && schema.find("$ref") != nullptr;
}

}  // namespace

Result<Place> Library::add_root(Value document) {
  return add_document(std::move(document), std::string(without_fragment(options_.uri)), options_.default_draft, "");
}

Result<Place> Library::add_document(Value document, std::string uri, Draft default_draft, std::string place_text) {
  if (document.depth() > kSchemaDepthMax)
    return fail("SCHEMA_TOO_LARGE", "The schema nests deeper than " + std::to_string(kSchemaDepthMax) + " levels.",
                "Flatten it with $ref.", place_text);
  const Value& root = program_.documents.emplace_back(std::move(document));
  Dialect dialect{default_draft};
  const Value* schema = find_string(root, "$schema");
  if (schema != nullptr) {
    PAWL_TRY(dialect, dialect_of(without_fragment(schema->as_string()), place_text + "/$schema"));
  }
  Place place{&root, nullptr, std::move(place_text)};
  place.resource = &add_resource(std::move(uri), dialect, place);
  if (auto error = index(place, dialect, true)) return std::unexpected(std::move(*error));
  return place;
}

Resource& Library::add_resource(std::string uri, const Dialect& dialect, const Place& root) {
  Resource& resource = program_.resources.emplace_back(Resource{std::move(uri), dialect, {}});
  by_uri_.emplace(resource.uri, &resource);
  by_root_.emplace(root.value, &resource);
  Entry& entry = entries_[&resource];
  entry.root = root;
  entry.root.resource = &resource;
  return resource;
}

// Of a metaschema's URI. Those that are not the drafts' own say by their vocabularies what counts.
Result<Dialect> Library::dialect_of(std::string_view uri, std::string_view where) {
  if (uri == kDraft7 || uri == "https://json-schema.org/draft-07/schema") return Dialect{Draft::k7};
  if (uri == kDraft2020 || uri == "http://json-schema.org/draft/2020-12/schema") return Dialect{Draft::k2020_12};
  const Value* metaschema = document_named(uri);
  const Value* vocabularies = metaschema == nullptr ? nullptr : metaschema->find("$vocabulary");
  if (metaschema == nullptr || (vocabularies != nullptr && !vocabularies->is_object()))
    return invalid("The draft \"" + std::string(uri) + "\" is not known here.",
                   "Write \"http://json-schema.org/draft-07/schema#\" or \"" + std::string(kDraft2020) + "\".",
                   std::string(where));
  if (vocabularies == nullptr) return Dialect{Draft::k2020_12};
  Dialect dialect{Draft::k2020_12, false, false, false};
  for (const json::Member& member : vocabularies->members()) {
    std::string_view name = member.key.as_string();
    const bool is_standard = name.starts_with(kVocabularies);
    if (is_standard) name.remove_prefix(kVocabularies.size());
    const bool is_known = is_standard && std::ranges::find(kKnownVocabularies, name) != std::end(kKnownVocabularies);
    if (!is_known && member.value == Value::boolean(true))
      return invalid("The draft \"" + std::string(uri) + "\" requires the vocabulary \"" +
                         std::string(member.key.as_string()) + "\", which is not known here.",
                     "Make it optional, or leave it out.", std::string(where));
    dialect.validates |= is_known && name == "validation";
    dialect.applies |= is_known && name == "applicator";
    dialect.unevaluated |= is_known && name == "unevaluated";
  }
  return dialect;
}

const Value* Library::document_named(std::string_view uri) const {
  if (options_.documents != nullptr) {
    const auto found = options_.documents->find(uri);
    if (found != options_.documents->end()) return &found->second;
  }
  return find_metaschema(uri);
}

std::optional<Error> Library::index(Place place, const Dialect& inherited, bool is_document) {
  if (!place.value->is_object()) return std::nullopt;
  Dialect dialect = inherited;
  if (auto error = index_identifier(place, dialect, is_document)) return error;
  index_anchors(place, dialect.draft);
  return index_children(place, dialect);
}

std::optional<Error> Library::index_identifier(Place& place, Dialect& dialect, bool is_document) {
  const Value* identifier = place.value->find("$id");
  if (identifier == nullptr || has_overriding_reference(*place.value, dialect.draft)) return std::nullopt;
  if (!identifier->is_string()) return invalid("$id is no text.", "Write a URI.", place.text + "/$id").error();
  const std::string_view text = identifier->as_string();
  if (without_fragment(text).empty()) return std::nullopt;  // of draft 7: the name of an anchor
  std::string uri = resolve_uri(place.resource->uri, without_fragment(text));
  if (is_document) {
    by_uri_.emplace(uri, place.resource);
    place.resource->uri = std::move(uri);
    return std::nullopt;
  }
  if (const Value* schema = find_string(*place.value, "$schema")) {
    auto own = dialect_of(without_fragment(schema->as_string()), place.text + "/$schema");
    if (!own) return std::move(own).error();
    dialect = *own;
  }
  place.resource = &add_resource(std::move(uri), dialect, place);
  return std::nullopt;
}

void Library::index_anchors(const Place& place, Draft draft) {
  Entry& entry = entries_[place.resource];
  if (draft == Draft::k7) {
    const Value* identifier = find_string(*place.value, "$id");
    if (identifier == nullptr || has_overriding_reference(*place.value, draft)) return;
    const std::string_view anchor = fragment_of(identifier->as_string());
    if (!anchor.empty()) entry.anchors.emplace(anchor, place);
    return;
  }
  if (const Value* anchor = find_string(*place.value, "$anchor")) entry.anchors.emplace(anchor->as_string(), place);
  if (const Value* anchor = find_string(*place.value, "$dynamicAnchor")) {
    entry.anchors.emplace(anchor->as_string(), place);
    entry.dynamic_anchors.emplace(anchor->as_string(), place);
  }
}

std::optional<Error> Library::index_children(const Place& place, const Dialect& dialect) {
  for (const std::string_view keyword : kSchemaKeywords) {
    const Value* child_value = place.value->find(keyword);
    if (child_value == nullptr) continue;
    if (auto error = index(child(place, *child_value, keyword), dialect, false)) return error;
    if (!child_value->is_array()) continue;
    for (size_t i = 0; i < child_value->size(); ++i)
      if (auto error = index(child(place, child_value->at(i), keyword, std::to_string(i)), dialect, false))
        return error;
  }
  for (const std::string_view keyword : kMapKeywords) {
    const Value* map = place.value->find(keyword);
    if (map == nullptr || !map->is_object()) continue;
    for (const json::Member& member : map->members())
      if (auto error = index(child(place, member.value, keyword, member.key.as_string()), dialect, false)) return error;
  }
  return std::nullopt;
}

Place Library::child(const Place& parent, const Value& value, std::string_view token) const {
  const auto own = by_root_.find(&value);
  return {&value, own == by_root_.end() ? parent.resource : own->second, json::child_pointer(parent.text, token)};
}

Place Library::child(const Place& parent, const Value& value, std::string_view token, std::string_view second) const {
  Place place = child(parent, value, token);
  place.text = json::child_pointer(place.text, second);
  return place;
}

Result<Place> Library::find(const Resource& from, std::string_view reference) {
  const std::string uri = resolve_uri(from.uri, reference);
  const std::string name(without_fragment(uri));
  if (!by_uri_.contains(name)) {
    const Value* document = document_named(name);
    if (document == nullptr)
      return fail("SCHEMA_REFERENCE",
                  "The reference \"" + std::string(reference) + "\" leads to no document that is known.",
                  "Give the document along; nothing is fetched.");
    PAWL_TRY(const Place ignored, add_document(*document, name, from.dialect.draft, name + "#"));
  }
  return find_in(*by_uri_.at(name), fragment_of(uri), reference);
}

Result<Place> Library::find_in(Resource& resource, std::string_view fragment, std::string_view reference) {
  const auto nowhere = [&] {
    return fail("SCHEMA_REFERENCE", "The reference \"" + std::string(reference) + "\" leads nowhere.",
                "Look at its spelling; #/definitions/name is a reference.");
  };
  const Entry& entry = entries_.at(&resource);
  if (fragment.empty()) return entry.root;
  const auto decoded = text::percent_decode(fragment);
  if (!decoded) return nowhere();
  if (!decoded->starts_with('/')) {
    const auto anchor = entry.anchors.find(*decoded);
    if (anchor == entry.anchors.end()) return nowhere();
    return anchor->second;
  }
  const auto tokens = json::split_pointer(*decoded);
  if (!tokens) return nowhere();
  Place place = entry.root;
  for (const std::string& token : *tokens) {
    const auto index = place.value->is_array() ? json::array_index(token) : std::nullopt;
    const Value* next = index && *index < place.value->size() ? &place.value->at(*index) : place.value->find(token);
    if (next == nullptr) return nowhere();
    place = child(place, *next, token);
  }
  return place;
}

}  // namespace pawl::schema::internal
