// JSON text to Value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "json/value.h"

namespace pawl::json {

inline constexpr uint32_t kDepthMax = 512;
inline constexpr uint32_t kDepthCeiling = 10'000;  // a depth_max above this counts as this, so that no stack overflows
inline constexpr size_t kTextBytesMax = 0xFFFFFFFE;

struct ParseOptions {
  uint32_t depth_max = kDepthMax;
  bool duplicate_keys_are_errors = false;  // else the last one wins
};

// Strict RFC 8259: one value, valid UTF-8, no lone surrogates. The error's `where` is "line:column", its code one of
// JSON_EMPTY, JSON_UNEXPECTED_CHARACTER, JSON_UNEXPECTED_END, JSON_INVALID_NUMBER, JSON_INVALID_STRING,
// JSON_INVALID_UTF8, JSON_TOO_DEEP, JSON_TOO_LARGE, JSON_DUPLICATE_KEY, JSON_TRAILING_TEXT.
Result<Value> parse(std::string_view text, const ParseOptions& options = {});

// Where the parts of a text stand: a tree parallel to the Value, made by parsers of definitions.
class SourceMap {
 public:
  struct Entry {
    Position key;  // of the member's name; the value's own position in arrays and at the root
    Position value;
    std::vector<Entry> children;  // in the order of items or members
  };

  SourceMap() = default;
  SourceMap(Value root, Entry entry) : root_(std::move(root)), entry_(std::move(entry)) {}

  // The position of what a JSON Pointer names (its value, or the name of the member); of the deepest part that exists
  // where the pointer leads nowhere.
  Position value_at(std::string_view pointer) const;
  Position key_at(std::string_view pointer) const;

 private:
  const Entry& find(std::string_view pointer) const;
  Value root_;
  Entry entry_;
};

struct Document {
  Value root;
  SourceMap positions;
};

// As parse, and remembers positions; for definitions, so duplicate keys are errors.
Result<Document> parse_document(std::string_view text, uint32_t depth_max = kDepthMax);

// Turns a byte offset into line and column (in code points).
Position position_at(std::string_view text, size_t offset);

}  // namespace pawl::json
