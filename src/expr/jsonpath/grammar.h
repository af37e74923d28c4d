// What the grammars of Jayway and of RFC 9535 share: or over and over terms, parentheses, and the arguments of
// functions.
//
// A parser derives from Grammar<itself>, and has read_term(), read_argument() and skip() (over the blanks of its
// grammar).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/limits.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

using ExpressionResult = Result<std::unique_ptr<Expression>>;

template <typename Parser>
class Grammar {
 protected:
  explicit Grammar(Cursor cursor) : cursor_(cursor) {}

  ExpressionResult read_or() {
    std::vector<std::unique_ptr<Expression>> children;
    do {
      PAWL_TRY(auto child, read_and());
      children.push_back(std::move(child));
    } while (cursor_.accept("||"));
    return make_group(Expression::Kind::kOr, std::move(children));
  }

  // At a '('.
  ExpressionResult read_parenthesized() {
    if (!go_deeper()) return cursor_.too_deep();
    cursor_.advance();
    PAWL_TRY(auto inner, read_or());
    if (!cursor_.accept(')')) return cursor_.error("A '(' in the filter is not closed here.", "Close it with ')'.");
    --depth_;
    return inner;
  }

  // At a '('.
  Result<std::vector<Operand>> read_arguments() {
    if (!go_deeper()) return cursor_.too_deep();
    cursor_.advance();
    std::vector<Operand> arguments;
    cursor_.skip_blanks();
    if (!cursor_.accept(')')) {
      do {
        cursor_.skip_blanks();
        PAWL_TRY(Operand argument, parser().read_argument());
        arguments.push_back(std::move(argument));
        cursor_.skip_blanks();
      } while (cursor_.accept(','));
      if (!cursor_.accept(')')) return cursor_.error("A function's arguments need ',' or ')' here.");
    }
    --depth_;
    return arguments;
  }

  static std::unique_ptr<Expression> negate(std::unique_ptr<Expression> inner) {
    auto negation = std::make_unique<Expression>();
    negation->kind = Expression::Kind::kNot;
    negation->children.push_back(std::move(inner));
    return negation;
  }

  // False where it is deep enough. Whoever comes back without an error counts depth_ down again.
  bool go_deeper() { return ++depth_ <= kFilterDepthMax; }

  Cursor cursor_;
  uint32_t depth_ = 0;

 private:
  Parser& parser() { return static_cast<Parser&>(*this); }

  ExpressionResult read_and() {
    std::vector<std::unique_ptr<Expression>> children;
    do {
      parser().skip();
      PAWL_TRY(auto child, parser().read_term());
      children.push_back(std::move(child));
      parser().skip();
    } while (cursor_.accept("&&"));
    return make_group(Expression::Kind::kAnd, std::move(children));
  }

  static std::unique_ptr<Expression> make_group(Expression::Kind kind,
                                                std::vector<std::unique_ptr<Expression>> children) {
    if (children.size() == 1) return std::move(children.front());
    auto group = std::make_unique<Expression>();
    group->kind = kind;
    group->children = std::move(children);
    return group;
  }
};

}  // namespace pawl::jsonpath::internal
