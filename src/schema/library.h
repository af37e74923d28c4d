// The documents of a schema while it is compiled: where their parts are, by URI, anchor and pointer. For schema/ only.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "schema/program.h"

namespace pawl::schema::internal {

// A schema in a document.
struct Place {
  const json::Value* value = nullptr;
  Resource* resource = nullptr;  // the innermost one that it is in
  std::string text;              // as Node::place
};

// Finds what references lead to. A document is read the first time that a reference names it.
class Library {
 public:
  Library(Program& program, const Options& options) : program_(program), options_(options) {}

  // Takes in the schema itself.
  Result<Place> add_root(json::Value document);

  // What a $ref in a resource leads to. Error: SCHEMA_REFERENCE, or what is wrong with the other document.
  Result<Place> find(const Resource& from, std::string_view reference);

  // The place of a part of a place's value. It may begin a resource of its own.
  Place child(const Place& parent, const json::Value& value, std::string_view token) const;
  Place child(const Place& parent, const json::Value& value, std::string_view token, std::string_view second) const;

  using Anchors = std::unordered_map<std::string, Place>;
  const Anchors& dynamic_anchors(const Resource& resource) { return entries_[&resource].dynamic_anchors; }

 private:
  struct Entry {
    Place root;
    Anchors anchors;  // dynamic ones too
    Anchors dynamic_anchors;
  };

  Result<Place> add_document(json::Value document, std::string uri, Draft default_draft, std::string place);
  Result<Dialect> dialect_of(std::string_view uri, std::string_view where);
  const json::Value* document_named(std::string_view uri) const;
  std::optional<Error> index(Place place, const Dialect& inherited, bool is_document);
  std::optional<Error> index_identifier(Place& place, Dialect& dialect, bool is_document);
  std::optional<Error> index_children(const Place& place, const Dialect& dialect);
  void index_anchors(const Place& place, Draft draft);
  Resource& add_resource(std::string uri, const Dialect& dialect, const Place& root);
  Result<Place> find_in(Resource& resource, std::string_view fragment, std::string_view reference);

  Program& program_;
  const Options& options_;
  std::unordered_map<std::string, Resource*> by_uri_;
  std::unordered_map<const json::Value*, Resource*> by_root_;
  std::unordered_map<const Resource*, Entry> entries_;
};

}  // namespace pawl::schema::internal
