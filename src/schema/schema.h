// JSON Schema, drafts 7 and 2020-12: compiled once, held against many values.
//
//   const auto schema = schema::Schema::compile(document);
//   for (const schema::Violation& violation : schema->validate(input)) …
//
// `$schema` decides which draft a document follows; one without it follows Options::default_draft, which is draft 7
// because the texts of Pawl's languages are of its time. `format` is an annotation and asserts nothing.
//
// `$ref` leads into the document itself, to another one by its `$id`, or to one of Options::documents. Nothing is ever
// fetched. The metaschemas of both drafts are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::schema {

enum class Draft : uint8_t { k7, k2020_12 };

inline constexpr uint32_t kSchemaDepthMax = 512;        // of a document
inline constexpr size_t kNodesMax = 100'000;            // schemas in all documents that a schema uses
inline constexpr uint32_t kValidationDepthMax = 2'048;  // schemas within each other, while a value is validated
inline constexpr uint64_t kValidationStepsMax = 10'000'000;

// Documents that `$ref` may lead to, by their URI without a fragment, or by a relative name.
using Documents = std::map<std::string, json::Value, std::less<>>;

struct Options {
  Draft default_draft = Draft::k7;
  std::string uri;  // of the document itself; its relative references start from there
  const Documents* documents = nullptr;
};

// What a value does not keep to.
struct Violation {
  std::string code;      // SCHEMA_VIOLATED; SCHEMA_LIMIT where it cannot be told with reasonable effort
  std::string instance;  // JSON Pointer into the value
  std::string keyword;   // JSON Pointer to the keyword in the schema; behind "uri#" where that is another document
  std::string what;      // one sentence

  friend bool operator==(const Violation&, const Violation&) = default;
};

namespace internal {
struct Program;
}

// A compiled schema. A value: immutable, cheap to copy, used by many threads at once.
class Schema {
 public:
  // Errors, with the place in the schema in `where`: SCHEMA_INVALID, SCHEMA_REFERENCE (a $ref leads nowhere),
  // SCHEMA_LOOP (a schema refers to itself without looking deeper into the value), SCHEMA_TOO_LARGE.
  static Result<Schema> compile(json::Value document, const Options& options = {});

  // Nothing where the value keeps to the schema; else the first violations that were found.
  std::vector<Violation> validate(const json::Value& value, size_t violations_max = 8) const;
  bool accepts(const json::Value& value) const { return validate(value, 1).empty(); }

 private:
  explicit Schema(std::shared_ptr<const internal::Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const internal::Program> program_;
};

}  // namespace pawl::schema
