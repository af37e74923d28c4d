// RFC 9535: filters, and the types of what stands in them.
#include <utility>

#include "expr/jsonpath/rfc_parser.h"

namespace pawl::jsonpath::internal {
namespace {

enum class ArgumentType : uint8_t { kValue, kNodes };

struct Signature {
  std::string_view name;
  Function function;
  ArgumentType argument;
  size_t arguments;
};

constexpr Signature kSignatures[] = {
    {"length", Function::kRfcLength, ArgumentType::kValue, 1},
    {"count", Function::kRfcCount, ArgumentType::kNodes, 1},
    {"match", Function::kRfcMatch, ArgumentType::kValue, 2},
    {"search", Function::kRfcSearch, ArgumentType::kValue, 2},
    {"value", Function::kRfcValue, ArgumentType::kNodes, 1},
};

const Signature* find_signature(std::string_view name) {
  for (const Signature& signature : kSignatures)
    if (signature.name == name) return &signature;
  return nullptr;
}

bool is_logical(Function function) { return function == Function::kRfcMatch || function == Function::kRfcSearch; }

bool is_function_character(char c) { return (c >= 'a' && c <= 'z') || c == '_' || is_digit(c); }

// Something that has one value, or none.
bool is_value(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kLiteral:
    case Operand::Kind::kPattern:
      return true;
    case Operand::Kind::kQuery:
      return operand.query->singular;
    case Operand::Kind::kCall:
      return !is_logical(operand.call->function);
  }
  return false;
}

}  // namespace

Result<Selector> RfcParser::read_filter() {
  cursor_.advance();
  cursor_.skip_blanks();
  if (!go_deeper()) return cursor_.too_deep();
  Selector selector;
  selector.kind = SelectorKind::kFilter;
  PAWL_TRY(selector.filter, read_or());
  --depth_;
  return selector;
}

ExpressionResult RfcParser::read_term() {
  const bool negated = cursor_.accept('!');
  if (negated) cursor_.skip_blanks();
  auto term = cursor_.peek() == '(' ? read_parenthesized() : read_comparison_or_test(negated);
  if (!term) return term;
  return negated ? negate(std::move(*term)) : std::move(*term);
}

// '!' belongs to a test; before a comparison it needs parentheses.
ExpressionResult RfcParser::read_comparison_or_test(bool negated) {
  const size_t start = cursor_.position();
  PAWL_TRY(Operand left, read_operand());
  const size_t after_left = cursor_.position();
  cursor_.skip_blanks();
  const auto comparison = negated ? std::nullopt : read_operator();
  if (!comparison) {
    cursor_.move_to(after_left);
    return read_test(std::move(left), start);
  }
  if (auto checked = check_comparable(left, start); !checked) return std::unexpected(std::move(checked).error());
  PAWL_TRY(Operand right, read_comparable());
  auto expression = std::make_unique<Expression>();
  expression->kind = Expression::Kind::kCompare;
  expression->comparison = *comparison;
  expression->left = std::move(left);
  expression->right = std::move(right);
  return expression;
}

Result<Operand> RfcParser::read_comparable() {
  cursor_.skip_blanks();
  const size_t start = cursor_.position();
  PAWL_TRY(Operand operand, read_operand());
  if (auto checked = check_comparable(operand, start); !checked) return std::unexpected(std::move(checked).error());
  return operand;
}

Result<void> RfcParser::check_comparable(const Operand& operand, size_t start) const {
  if (is_value(operand)) return {};
  return cursor_.error_at(start, "What is compared must have one value.",
                          "Use a path of single names and indices, or value(…).");
}

ExpressionResult RfcParser::read_test(Operand operand, size_t start) {
  auto expression = std::make_unique<Expression>();
  if (operand.kind == Operand::Kind::kQuery) {
    expression->kind = Expression::Kind::kExists;
  } else if (operand.kind == Operand::Kind::kCall && is_logical(operand.call->function)) {
    expression->kind = Expression::Kind::kTest;
  } else {
    return cursor_.error_at(start, "A value alone is no filter.", "Compare it, or name a path.");
  }
  expression->left = std::move(operand);
  return expression;
}

std::optional<Comparison> RfcParser::read_operator() {
  if (cursor_.accept("==")) return Comparison::kEqual;
  if (cursor_.accept("!=")) return Comparison::kNotEqual;
  if (cursor_.accept("<=")) return Comparison::kLessOrEqual;
  if (cursor_.accept(">=")) return Comparison::kGreaterOrEqual;
  if (cursor_.accept('<')) return Comparison::kLess;
  if (cursor_.accept('>')) return Comparison::kGreater;
  return std::nullopt;
}

Result<Operand> RfcParser::read_operand() {
  const char c = cursor_.peek();
  if (c == '$' || c == '@') {
    PAWL_TRY(Query query, read_query());
    Operand operand;
    operand.kind = Operand::Kind::kQuery;
    operand.query = std::make_unique<Query>(std::move(query));
    return operand;
  }
  if (c >= 'a' && c <= 'z') return read_call();
  return read_literal_operand();
}

Result<Operand> RfcParser::read_literal_operand() {
  if (cursor_.peek() != '\'' && cursor_.peek() != '"') return read_number();
  PAWL_TRY(const std::string text, cursor_.read_quoted(Escapes::kRfc9535));
  Operand operand;
  operand.literal = Value::string(text);
  return operand;
}

Result<Operand> RfcParser::read_number() {
  const size_t start = cursor_.position();
  const auto read_digits = [this] {
    const size_t from = cursor_.position();
    while (is_digit(cursor_.peek())) cursor_.advance();
    return cursor_.position() - from;
  };
  cursor_.accept('-');
  const bool leading_zero = cursor_.peek() == '0';
  const size_t digits = read_digits();
  bool valid = digits > 0 && !(leading_zero && digits > 1);
  if (cursor_.accept('.')) valid = read_digits() > 0 && valid;
  if (cursor_.accept('e') || cursor_.accept('E')) {
    if (!cursor_.accept('+')) cursor_.accept('-');
    valid = read_digits() > 0 && valid;
  }
  if (!valid) return cursor_.error_at(start, "A path, a function or a literal is expected here.");
  Operand operand;
  operand.literal = Value::number_literal(cursor_.since(start));
  return operand;
}

// true, false and null are words too.
Result<Operand> RfcParser::read_call() {
  const size_t start = cursor_.position();
  while (is_function_character(cursor_.peek())) cursor_.advance();
  const std::string name(cursor_.since(start));
  Operand operand;
  if (cursor_.peek() != '(') {
    if (name == "true" || name == "false") {
      operand.literal = Value::boolean(name == "true");
    } else if (name != "null") {
      return cursor_.error_at(start, "A path, a function or a literal is expected here.");
    }
    return operand;
  }
  const Signature* signature = find_signature(name);
  if (signature == nullptr)
    return cursor_.error_at(start, "The function " + name + " does not exist.",
                            "Use length, count, match, search or value.");
  operand.kind = Operand::Kind::kCall;
  operand.call = std::make_unique<Call>();
  operand.call->function = signature->function;
  operand.call->name = name;
  PAWL_TRY(operand.call->arguments, read_arguments());
  if (auto checked = check_arguments(*operand.call, start); !checked)
    return std::unexpected(std::move(checked).error());
  return operand;
}

// A pattern that is a literal is compiled here, once; one that is no I-Regexp stays unset and matches nothing.
Result<void> RfcParser::check_arguments(Call& call, size_t start) const {
  const Signature* signature = find_signature(call.name);
  if (call.arguments.size() != signature->arguments)
    return cursor_.error_at(start, call.name + "() takes " + std::to_string(signature->arguments) + " arguments.");
  for (const Operand& argument : call.arguments) {
    const bool fits =
        signature->argument == ArgumentType::kValue ? is_value(argument) : argument.kind == Operand::Kind::kQuery;
    if (!fits) return cursor_.error_at(start, "An argument of " + call.name + "() has the wrong type.");
  }
  if (!is_logical(call.function)) return {};
  Operand& pattern = call.arguments[1];
  if (pattern.kind != Operand::Kind::kLiteral || !pattern.literal.is_string()) return {};
  auto regex = Regex::compile_iregexp(pattern.literal.as_string(), call.function == Function::kRfcMatch);
  pattern.kind = Operand::Kind::kPattern;
  if (regex) pattern.pattern = std::move(*regex);
  return {};
}

}  // namespace pawl::jsonpath::internal
