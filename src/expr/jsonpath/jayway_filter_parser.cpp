// Jayway's grammar: filters.
//
//   filter     = "[?(" or ")]"
//   or         = and { "||" and }
//   and        = term { "&&" term }
//   term       = comparison | "(" or ")" | "!" term
//   comparison = operand [ operator operand ]      without an operator: does the path exist?
#include <algorithm>
#include <cctype>
#include <utility>

#include "expr/jsonpath/jayway_parser.h"
#include "expr/jsonpath/literal.h"

namespace pawl::jsonpath::internal {
namespace {

struct NamedComparison {
  std::string_view name;
  Comparison comparison;
};

constexpr NamedComparison kSymbols[] = {
    {"==", Comparison::kEqual},
    {"!=", Comparison::kNotEqual},
    {"===", Comparison::kSameTypeEqual},
    {"!==", Comparison::kSameTypeNotEqual},
    {"<", Comparison::kLess},
    {"<=", Comparison::kLessOrEqual},
    {">", Comparison::kGreater},
    {">=", Comparison::kGreaterOrEqual},
    {"=~", Comparison::kMatches},
};

constexpr NamedComparison kWords[] = {
    {"in", Comparison::kIn},       {"nin", Comparison::kNotIn},     {"contains", Comparison::kContains},
    {"all", Comparison::kAll},     {"size", Comparison::kSize},     {"empty", Comparison::kEmpty},
    {"anyof", Comparison::kAnyOf}, {"noneof", Comparison::kNoneOf}, {"subsetof", Comparison::kSubsetOf},
};

template <size_t count>
std::optional<Comparison> find_comparison(const NamedComparison (&known)[count], std::string_view name) {
  for (const NamedComparison& candidate : known)
    if (candidate.name == name) return candidate.comparison;
  return std::nullopt;
}

bool is_symbol(char c) { return c == '<' || c == '>' || c == '=' || c == '~' || c == '!'; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

Result<Selector> JaywayParser::read_filter() {
  cursor_.advance();
  cursor_.skip_spaces();
  if (cursor_.peek() != '(') return cursor_.error("A filter is written [?( … )].");
  Selector selector;
  selector.kind = SelectorKind::kFilter;
  PAWL_TRY(selector.filter, read_parenthesized());
  if (auto closed = close_bracket(); !closed) return std::unexpected(std::move(closed).error());
  return selector;
}

ExpressionResult JaywayParser::read_term() {
  cursor_.skip_spaces();
  if (cursor_.peek() == '!') {
    const size_t start = cursor_.position();
    cursor_.advance();
    cursor_.skip_spaces();
    const bool negates_path = cursor_.peek() == '$' || cursor_.peek() == '@';
    if (!negates_path) return read_negation();
    cursor_.move_to(start);
  }
  return cursor_.peek() == '(' ? read_parenthesized() : read_comparison();
}

ExpressionResult JaywayParser::read_negation() {
  if (!go_deeper()) return cursor_.too_deep();
  PAWL_TRY(auto inner, read_term());
  --depth_;
  return negate(std::move(inner));
}

ExpressionResult JaywayParser::read_comparison() {
  cursor_.skip_spaces();
  const size_t start = cursor_.position();
  bool negated = false;
  PAWL_TRY(Operand left, read_operand(negated));
  const size_t after_left = cursor_.position();
  const auto comparison = read_operator();
  if (!comparison) {
    cursor_.move_to(after_left);
    return existence(std::move(left), negated, start);
  }
  // Jayway drops a '!' before a path that is compared: !@.a == 1 asks for @.a == 1.
  bool ignored = false;
  PAWL_TRY(Operand right, read_operand(ignored));
  auto expression = std::make_unique<Expression>();
  expression->kind = Expression::Kind::kCompare;
  expression->comparison = *comparison;
  expression->left = std::move(left);
  expression->right = std::move(right);
  return expression;
}

ExpressionResult JaywayParser::existence(Operand query, bool negated, size_t start) {
  if (query.kind != Operand::Kind::kQuery)
    return cursor_.error_at(start, "A value alone is no filter.", "Compare it, or name a path.");
  auto expression = std::make_unique<Expression>();
  expression->kind = negated ? Expression::Kind::kMissing : Expression::Kind::kExists;
  expression->left = std::move(query);
  return expression;
}

// Nothing, with the cursor moved, where no operator stands here.
std::optional<Comparison> JaywayParser::read_operator() {
  cursor_.skip_spaces();
  const size_t start = cursor_.position();
  if (is_symbol(cursor_.peek())) {
    while (is_symbol(cursor_.peek())) cursor_.advance();
    return find_comparison(kSymbols, cursor_.since(start));
  }
  while (std::isalpha(static_cast<unsigned char>(cursor_.peek()))) cursor_.advance();
  return find_comparison(kWords, lower_case(cursor_.since(start)));
}

Result<Operand> JaywayParser::read_operand(bool& negated) {
  cursor_.skip_spaces();
  negated = cursor_.accept('!');
  if (negated) cursor_.skip_spaces();
  Operand operand;
  if (cursor_.peek() == '$' || cursor_.peek() == '@') {
    PAWL_TRY(Query query, read_query(Place::kFilter));
    operand.kind = Operand::Kind::kQuery;
    operand.query = std::make_unique<Query>(std::move(query));
    return operand;
  }
  if (cursor_.peek() == '/') return read_pattern();
  PAWL_TRY(operand.literal, read_literal(cursor_));
  return operand;
}

Result<Operand> JaywayParser::read_pattern() {
  const size_t start = cursor_.position();
  cursor_.advance();
  while (!cursor_.at_end() && cursor_.peek() != '/') cursor_.advance(cursor_.peek() == '\\' ? 2 : 1);
  const std::string_view pattern = cursor_.since(start + 1);
  if (!cursor_.accept('/')) return cursor_.error_at(start, "A regular expression is not closed.", "Close it with '/'.");
  const size_t flags_start = cursor_.position();
  while (std::isalpha(static_cast<unsigned char>(cursor_.peek()))) cursor_.advance();
  auto regex = Regex::compile_java(pattern, cursor_.since(flags_start));
  if (!regex) return cursor_.error_at(start, regex.error().what, regex.error().fix);
  Operand operand;
  operand.kind = Operand::Kind::kPattern;
  operand.pattern = std::move(*regex);
  return operand;
}

}  // namespace pawl::jsonpath::internal
