// Reference Paths: the checked subset of JSONPath that names one place ($.a.b[0]['c']), and can be written to.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::jsonpath {

using json::Value;

class ReferencePath {
 public:
  // Accepts .name, ['name'], [int] and backslash escapes in names, as the list in the specification shows.
  // Errors: REFERENCE_PATH_SYNTAX (with the column in `where`), JSONPATH_TOO_LONG, JSONPATH_TOO_DEEP.
  static Result<ReferencePath> compile(std::string_view text);

  // Null where the path leads nowhere.
  const Value* find(const Value& root) const;

  // A copy of root with value at the place: missing members are created as objects on the way, array elements must
  // exist. Error: REFERENCE_PATH_MISMATCH where a step cannot be applied (a member of a non-object, an index out of
  // range).
  Result<Value> insert(const Value& root, Value value) const;

  bool is_root() const { return steps_.empty(); }
  const std::string& text() const { return text_; }
  std::string canonical() const;  // $['a'][0], as Jayway prints it

 private:
  using Step = std::variant<std::string, size_t>;
  std::string text_;
  std::vector<Step> steps_;
};

}  // namespace pawl::jsonpath
