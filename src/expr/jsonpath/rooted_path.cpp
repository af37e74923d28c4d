// RootedPath: which root a path of the States Language begins at, and evaluating it there.
#include "expr/jsonpath/rooted_path.h"

#include <utility>

#include "expr/jsonpath/cursor.h"

namespace pawl::jsonpath {
namespace {

bool is_variable_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || internal::is_digit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The characters of a name after $, up to where the path goes on.
std::string_view variable_name(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && is_variable_character(text[end])) ++end;
  return text.substr(1, end - 1);
}

}  // namespace

Result<RootedPath> RootedPath::compile(std::string_view text) {
  RootedPath rooted;
  rooted.text_ = text;
  std::string_view path = text;
  std::string variable_path;
  if (text.starts_with("$$")) {
    rooted.root_ = Root::kContext;
    path.remove_prefix(1);
  } else if (const std::string_view name = text.starts_with('$') ? variable_name(text) : ""; !name.empty()) {
    rooted.root_ = Root::kVariable;
    rooted.variable_ = name;
    variable_path = "$" + std::string(text.substr(1 + name.size()));
    path = variable_path;
  }
  rooted.whole_input_ = text == "$";
  PAWL_TRY(rooted.path_, Path::compile(path, Dialect::kAsl));
  return rooted;
}

Result<Value> RootedPath::evaluate(const Roots& roots) const {
  switch (root_) {
    case Root::kInput:
      return path_.evaluate(roots.input());
    case Root::kContext:
      return path_.evaluate(roots.context());
    case Root::kVariable: {
      const Value* value = roots.variable(variable_);
      if (value == nullptr)
        return fail("JSONPATH_UNKNOWN_VARIABLE", "The variable '$" + variable_ + "' is not defined.",
                    "Assign it in an earlier state of the same scope.");
      return path_.evaluate(*value);
    }
  }
  return fail("JSONPATH_UNKNOWN_VARIABLE", "The path has no root.");
}

}  // namespace pawl::jsonpath
