// Payload Templates: JSON in which members whose names end in ".$" are paths or intrinsic functions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "expr/intrinsic/intrinsic.h"
#include "expr/jsonpath/rooted_path.h"
#include "json/value.h"
#include "lang/asl/failure.h"

namespace pawl::asl {

// A path or an intrinsic function: what a ".$" member, an ErrorPath or a CausePath holds.
class Expression {
 public:
  static Result<Expression> compile(std::string_view text);
  Result<Value> evaluate(const jsonpath::Roots& roots, Random& random) const;
  const std::string& text() const { return text_; }
  bool is_path() const { return std::holds_alternative<jsonpath::RootedPath>(code_); }

 private:
  std::string text_;
  std::variant<jsonpath::RootedPath, intrinsic::Intrinsic> code_;
};

// Which expression of a template failed, for the cause that names it.
struct TemplateError {
  std::string field;  // the member's name as written: "value.$"
  std::string expression;
  bool is_path = false;
  Error error;
};

class PayloadTemplate {
 public:
  // Error: the path's or the function's, with the JSON Pointer below the template in `where`.
  static Result<PayloadTemplate> compile(const Value& source);
  std::expected<Value, TemplateError> evaluate(const jsonpath::Roots& roots, Random& random) const;

 private:
  struct Object;
  struct Array;
  struct Dynamic {
    std::string field;
    Expression expression;
  };
  using Node = std::variant<Value, std::shared_ptr<const Object>, std::shared_ptr<const Array>, Dynamic>;
  struct Object {
    std::vector<std::pair<Value, Node>> members;
  };
  struct Array {
    std::vector<Node> items;
  };

  static Result<Node> compile_node(const Value& source);
  static Result<Node> compile_object(const Value& source);
  static Result<Node> compile_array(const Value& source);
  static std::expected<Value, TemplateError> evaluate_node(const Node& node, const jsonpath::Roots& roots,
                                                           Random& random);
  static std::expected<Value, TemplateError> evaluate_dynamic(const Dynamic& dynamic, const jsonpath::Roots& roots,
                                                              Random& random);

  Node root_;
};

}  // namespace pawl::asl
