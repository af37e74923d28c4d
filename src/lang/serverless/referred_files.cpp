// The files that a definition refers to, also by way of its files.
#include <algorithm>

#include "lang/serverless/model.h"
#include "schema/references.h"
#include "text/yaml.h"

namespace pawl::serverless {

namespace {

constexpr std::string_view kSchemaFields[] = {"dataInputSchema", "dataOutputSchema"};

bool is_local(std::string_view uri) {
  return !uri.empty() && !uri.starts_with('#') && uri.find("://") == std::string_view::npos &&
         !uri.starts_with("urn:") && !uri.starts_with("data:");
}

// Who reads the files decides whether what has a URL is fetched.
bool is_readable(std::string_view uri) {
  return is_local(uri) || uri.starts_with("http://") || uri.starts_with("https://");
}

// Gathers paths, each once.
class Gathering {
 public:
  explicit Gathering(const Files& files) : files_(files) {}

  void add_field(const Value& object, std::string_view field) {
    const Value* value = object.find(field);
    if (value != nullptr && value->is_string()) add(value->as_string());
  }

  // A schema in place, or a file with one, and the files that those lead to.
  void add_schema(const Value& object, std::string_view field) {
    const Value* schema = object.find(field);
    if (schema == nullptr) return;
    if (schema->is_string()) return add_schema_file(std::string(schema->as_string()));
    for (const std::string& uri : schema::references_of(*schema, "")) add_schema_file(uri);
  }

  // OpenAPI documents. The functions may stand in a file of their own.
  void add_operations(const Value* functions) {
    if (functions == nullptr) return;
    if (functions->is_string()) {
      const auto document = read(std::string(functions->as_string()));
      if (!document || document->is_string()) return;
      return add_operations(document->is_array() ? &*document : document->find("functions"));
    }
    if (!functions->is_array()) return;
    for (const Value& function : functions->items())
      for (const std::string_view field : {"operation", "resource"}) {
        const Value* value = function.find(field);
        if (value != nullptr && value->is_string() && value->as_string().contains('#'))
          add(value->as_string(), is_readable);
      }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  static std::string path_of(std::string_view uri) { return std::string(uri.substr(0, uri.find('#'))); }

  // Whether it is new.
  bool add(std::string_view uri, bool (*is_wanted)(std::string_view uri) = is_local) {
    std::string path = path_of(uri);
    if (!is_wanted(path) || std::ranges::find(found_, path) != found_.end()) return false;
    found_.push_back(std::move(path));
    return true;
  }

  void add_schema_file(const std::string& uri) {
    if (!add(uri)) return;
    const auto document = read(uri);
    if (!document) return;
    for (const std::string& other : schema::references_of(*document, path_of(uri))) add_schema_file(other);
  }

  std::optional<Value> read(const std::string& uri) const {
    const auto file = files_.find(path_of(uri));
    if (file == files_.end()) return std::nullopt;
    const auto document = text::parse_definition(file->second);
    return document ? std::optional(document->root) : std::nullopt;
  }

  const Files& files_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> referred_files(const Value& root, const Files& files) {
  Gathering gathering(files);
  for (const std::string_view field : kSchemaFields) gathering.add_schema(root, field);
  for (const std::string_view field : {"functions", "events", "retries"}) gathering.add_field(root, field);
  gathering.add_operations(root.find("functions"));
  const Value* states = root.find("states");
  if (states == nullptr || !states->is_array()) return gathering.take();
  for (const Value& state : states->items())
    for (const std::string_view field : kSchemaFields) gathering.add_schema(state, field);
  return gathering.take();
}

schema::Documents documents_of(const Value& document, std::string_view uri, const Files& files) {
  schema::Documents documents;
  std::vector<std::string> wanted = schema::references_of(document, uri);
  while (!wanted.empty()) {
    const std::string name = std::move(wanted.back());
    wanted.pop_back();
    const auto file = files.find(name);
    if (documents.contains(name) || file == files.end()) continue;
    const auto read = text::parse_definition(file->second);
    if (!read) continue;
    std::ranges::move(schema::references_of(read->root, name), std::back_inserter(wanted));
    documents.emplace(name, read->root);
  }
  return documents;
}

}  // namespace pawl::serverless
