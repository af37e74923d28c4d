#include "schema/references.h"

#include <algorithm>

#include "schema/schema.h"
#include "schema/uri.h"

namespace pawl::schema {

namespace {

using json::Value;

class Walk {
 public:
  explicit Walk(std::string_view own) : own_(internal::without_fragment(own)) {}

  void visit(const Value& value, const std::string& base, uint32_t depth) {
    if (depth > kSchemaDepthMax) return;
    if (value.is_array())
      for (const Value& item : value.items()) visit(item, base, depth + 1);
    if (!value.is_object()) return;
    const Value* id = value.find("$id");
    const bool has_id = id != nullptr && id->is_string() && !internal::without_fragment(id->as_string()).empty();
    const std::string inner = has_id ? internal::resolve_uri(base, id->as_string()) : base;
    for (const json::Member& member : value.members()) {
      if (member.key.as_string() == "$ref" && member.value.is_string())
        add(internal::resolve_uri(inner, member.value.as_string()));
      else
        visit(member.value, inner, depth + 1);
    }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  void add(std::string_view reference) {
    const std::string uri(internal::without_fragment(reference));
    if (uri.empty() || uri == own_ || std::ranges::find(found_, uri) != found_.end()) return;
    found_.push_back(uri);
  }

  const std::string own_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> references_of(const Value& document, std::string_view uri) {
  Walk walk(uri);
  walk.visit(document, std::string(internal::without_fragment(uri)), 0);
  return walk.take();
}

}  // namespace pawl::schema
