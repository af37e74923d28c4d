// Reference Paths: reading, following and writing to them.
#include "expr/jsonpath/reference_path.h"

#include <utility>

#include "base/assert.h"
#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/path.h"

namespace pawl::jsonpath {
namespace {

using internal::Cursor;
using Step = std::variant<std::string, size_t>;

inline constexpr size_t kIndexDigitsMax = 9;

// Characters that mean something in a path: in a name they need a backslash.
bool needs_escape(char c) { return std::string_view("@,:?*()[] ").find(c) != std::string_view::npos; }

class ReferenceParser {
 public:
  explicit ReferenceParser(std::string_view text) : cursor_(text) {}

  Result<std::vector<Step>> parse() {
    if (!cursor_.accept('$')) return cursor_.error("A Reference Path begins with $.");
    std::vector<Step> steps;
    while (!cursor_.at_end()) {
      if (steps.size() >= kPathSegmentsMax) return cursor_.too_deep();
      PAWL_TRY(Step step, read_step());
      steps.push_back(std::move(step));
    }
    return steps;
  }

 private:
  Result<Step> read_step() {
    if (cursor_.peek() == '[') return read_bracket();
    if (cursor_.accept('.')) return read_name();
    return cursor_.error("A Reference Path goes on with '.' or '['.");
  }

  Result<Step> read_name() {
    std::string name;
    while (!cursor_.at_end() && cursor_.peek() != '.' && cursor_.peek() != '[') {
      const char c = cursor_.peek();
      if (c == '\\') {
        if (auto read = read_escape(name); !read) return std::unexpected(std::move(read).error());
        continue;
      }
      if (needs_escape(c))
        return cursor_.error(std::string("A Reference Path names one place, and may not have '") + c + "' in a name.",
                             std::string("Write \\") + c + ", or put the name in brackets and quotes.");
      name += c;
      cursor_.advance();
    }
    if (name.empty()) return cursor_.error("A name is expected here.");
    return name;
  }

  // Any character may be escaped; \uXXXX with its digits is the character itself.
  Result<void> read_escape(std::string& name) {
    cursor_.advance();
    if (cursor_.at_end()) return cursor_.error("The path ends in the middle of an escape.");
    if (is_unicode_escape()) {
      cursor_.advance();
      return cursor_.read_unicode_escape(name);
    }
    name += cursor_.peek();
    cursor_.advance();
    return {};
  }

  bool is_unicode_escape() const {
    if (cursor_.peek() != 'u') return false;
    for (size_t i = 1; i <= 4; ++i)
      if (internal::hex_digit(cursor_.peek(i)) < 0) return false;
    return true;
  }

  Result<Step> read_bracket() {
    cursor_.advance();
    cursor_.skip_spaces();
    const bool quoted = cursor_.peek() == '\'' || cursor_.peek() == '"';
    auto step = quoted ? read_quoted_name() : read_index();
    if (!step) return step;
    cursor_.skip_spaces();
    if (!cursor_.accept(']')) return cursor_.error("A ']' is expected here: a Reference Path names one place.");
    return step;
  }

  Result<Step> read_quoted_name() {
    PAWL_TRY(std::string name, cursor_.read_quoted(internal::Escapes::kAsl));
    return name;
  }

  Result<Step> read_index() {
    const size_t start = cursor_.position();
    size_t index = 0;
    while (internal::is_digit(cursor_.peek())) {
      index = index * 10 + static_cast<size_t>(cursor_.peek() - '0');
      cursor_.advance();
      if (cursor_.position() - start > kIndexDigitsMax) return cursor_.error_at(start, "The index is too large.");
    }
    if (cursor_.position() == start)
      return cursor_.error("Between the brackets of a Reference Path stands a quoted name or a number of 0 or more.");
    return index;
  }

  Cursor cursor_;
};

const Value* follow(const Step& step, const Value& node) {
  if (const auto* name = std::get_if<std::string>(&step)) return node.find(*name);
  const size_t index = std::get<size_t>(step);
  return node.is_array() && index < node.size() ? &node.items()[index] : nullptr;
}

// Whether a value can be put at the step: null stands for a member that does not exist yet.
bool can_hold(const Value* node, const Step& step) {
  if (std::holds_alternative<std::string>(step)) return node == nullptr || node->is_object();
  return node != nullptr && node->is_array() && std::get<size_t>(step) < node->size();
}

Value put(const Value* node, const Step& step, Value value) {
  if (const auto* name = std::get_if<std::string>(&step))
    return (node == nullptr ? Value::empty_object() : *node).with_member(*name, std::move(value));
  return node->with_item(std::get<size_t>(step), std::move(value));
}

std::string text_of(const Step& step) {
  if (const auto* name = std::get_if<std::string>(&step)) return "['" + *name + "']";
  return "[" + std::to_string(std::get<size_t>(step)) + "]";
}

}  // namespace

Result<ReferencePath> ReferencePath::compile(std::string_view text) {
  if (text.size() > kPathBytesMax)
    return fail("JSONPATH_TOO_LONG", "The path is longer than " + std::to_string(kPathBytesMax) + " bytes.");
  if (!internal::is_valid_utf8(text)) return fail("REFERENCE_PATH_SYNTAX", "The path is not valid UTF-8.");
  auto steps = ReferenceParser(text).parse();
  if (!steps) {
    Error error = std::move(steps).error();
    if (error.code == "JSONPATH_SYNTAX") error.code = "REFERENCE_PATH_SYNTAX";
    return std::unexpected(std::move(error));
  }
  ReferencePath path;
  path.text_ = text;
  path.steps_ = std::move(*steps);
  return path;
}

const Value* ReferencePath::find(const Value& root) const {
  const Value* at = &root;
  for (size_t i = 0; i < steps_.size() && at != nullptr; ++i) at = follow(steps_[i], *at);
  return at;
}

// Down to the place, remembering what was there, then up again, putting each new node into the copy of its parent.
Result<Value> ReferencePath::insert(const Value& root, Value value) const {
  const auto* only_name = steps_.size() == 1 ? std::get_if<std::string>(&steps_.front()) : nullptr;
  if (only_name != nullptr && root.is_object()) return root.with_member(*only_name, std::move(value));
  std::vector<const Value*> nodes;
  nodes.reserve(steps_.size());
  const Value* at = &root;
  for (const Step& step : steps_) {
    if (!can_hold(at, step))
      return fail("REFERENCE_PATH_MISMATCH", "The step " + text_of(step) + " of the path '" + text_ +
                                                 "' cannot be applied to the value it is to be written into.");
    nodes.push_back(at);
    at = at == nullptr ? nullptr : follow(step, *at);
  }
  for (size_t i = steps_.size(); i-- > 0;) value = put(nodes[i], steps_[i], std::move(value));
  return value;
}

std::string ReferencePath::canonical() const {
  std::string text = "$";
  for (const Step& step : steps_) text += text_of(step);
  return text;
}

}  // namespace pawl::jsonpath
