// Paths as ASL writes them: $… on the state's input, $$… on the Context Object, $name… on a variable.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/jsonpath/path.h"

namespace pawl::jsonpath {

// What the roots stand for while an expression is evaluated. The Context Object is made only when asked for.
class Roots {
 public:
  explicit Roots(const Value& input) : input_(input) {}
  virtual ~Roots() = default;

  const Value& input() const { return input_; }
  virtual Value context() const { return Value::empty_object(); }
  virtual const Value* variable(std::string_view /*name*/) const { return nullptr; }

 private:
  const Value& input_;
};

class RootedPath {
 public:
  enum class Root : uint8_t { kInput, kContext, kVariable };

  // Errors as Path::compile. Text must begin with $.
  static Result<RootedPath> compile(std::string_view text);

  // Errors as Path::evaluate, and JSONPATH_UNKNOWN_VARIABLE.
  Result<Value> evaluate(const Roots& roots) const;

  Root root() const { return root_; }
  const std::string& variable() const { return variable_; }
  const std::string& text() const { return text_; }
  bool is_definite() const { return path_.is_definite(); }
  bool is_whole_input() const { return whole_input_; }  // the path is exactly "$"

 private:
  Root root_ = Root::kInput;
  bool whole_input_ = false;
  std::string text_;
  std::string variable_;
  Path path_;
};

}  // namespace pawl::jsonpath
