#include "expr/jq/parser.h"

#include <algorithm>
#include <array>

#include "expr/jq/parser_state.h"

namespace pawl::jq::internal {

namespace {

enum class Side : uint8_t { kLeft, kRight, kNone };  // how operators of one level group

struct Operator {
  std::string_view text;
  int level;
  Side side;
  NodeKind kind;
  Operation operation;
};

constexpr int kAlternativeLevel = 1;
constexpr int kSumLevel = 6;

constexpr std::array kOperators = {
    Operator{"//", kAlternativeLevel, Side::kRight, NodeKind::kAlternative, Operation::kNone},
    Operator{"=", 2, Side::kNone, NodeKind::kAssign, Operation::kNone},
    Operator{"|=", 2, Side::kNone, NodeKind::kAssign, Operation::kModify},
    Operator{"+=", 2, Side::kNone, NodeKind::kAssign, Operation::kAdd},
    Operator{"-=", 2, Side::kNone, NodeKind::kAssign, Operation::kSubtract},
    Operator{"*=", 2, Side::kNone, NodeKind::kAssign, Operation::kMultiply},
    Operator{"/=", 2, Side::kNone, NodeKind::kAssign, Operation::kDivide},
    Operator{"%=", 2, Side::kNone, NodeKind::kAssign, Operation::kModulo},
    Operator{"//=", 2, Side::kNone, NodeKind::kAssign, Operation::kAlternative},
    Operator{"or", 3, Side::kLeft, NodeKind::kOr, Operation::kNone},
    Operator{"and", 4, Side::kLeft, NodeKind::kAnd, Operation::kNone},
    Operator{"==", 5, Side::kNone, NodeKind::kComparison, Operation::kEqual},
    Operator{"!=", 5, Side::kNone, NodeKind::kComparison, Operation::kNotEqual},
    Operator{"<", 5, Side::kNone, NodeKind::kComparison, Operation::kLess},
    Operator{"<=", 5, Side::kNone, NodeKind::kComparison, Operation::kLessOrEqual},
    Operator{">", 5, Side::kNone, NodeKind::kComparison, Operation::kGreater},
    Operator{">=", 5, Side::kNone, NodeKind::kComparison, Operation::kGreaterOrEqual},
    Operator{"+", kSumLevel, Side::kLeft, NodeKind::kArithmetic, Operation::kAdd},
    Operator{"-", kSumLevel, Side::kLeft, NodeKind::kArithmetic, Operation::kSubtract},
    Operator{"*", 7, Side::kLeft, NodeKind::kArithmetic, Operation::kMultiply},
    Operator{"/", 7, Side::kLeft, NodeKind::kArithmetic, Operation::kDivide},
    Operator{"%", 7, Side::kLeft, NodeKind::kArithmetic, Operation::kModulo},
};

const Operator* find_operator(const Token& token) {
  if (token.kind != TokenKind::kSymbol && token.kind != TokenKind::kName) return nullptr;
  const auto found = std::ranges::find(kOperators, token.text, &Operator::text);
  return found == kOperators.end() ? nullptr : &*found;
}

}  // namespace

Result<std::shared_ptr<Syntax>> parse_program(std::string_view text) { return Parser(text).program(); }

Result<std::shared_ptr<Syntax>> parse_library(std::string_view text) { return Parser(text).library(); }

// --- what the parsing functions have in common

std::nullptr_t Parser::fail_at(uint32_t offset, std::string what, std::string fix) {
  if (error_.code.empty()) error_ = lexer_.error(offset, std::move(what), std::move(fix)).error();
  return nullptr;
}

std::nullptr_t Parser::refuse_modules(uint32_t offset) {
  if (!error_.code.empty()) return nullptr;
  fail_at(offset, "Modules are refused: a program is one text.", "Write the definitions into the program.");
  error_.code = "JQ_REFUSED";
  return nullptr;
}

std::nullptr_t Parser::unexpected() {
  if (token_.kind == TokenKind::kEnd) return fail_at(token_.offset, "The program ends where more must follow.");
  return fail_at(token_.offset, "'" + std::string(token_.text) + "' cannot stand here.");
}

bool Parser::accept(std::string_view symbol) {
  if (!token_.is(symbol)) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!token_.is_word(word)) return false;
  advance();
  return true;
}

bool Parser::expect(std::string_view symbol) {
  if (accept(symbol)) return true;
  const bool at_end = token_.kind == TokenKind::kEnd;
  fail_at(token_.offset, "'" + std::string(symbol) + "' is expected here, " +
                             (at_end ? "where the program ends." : "not '" + std::string(token_.text) + "'."));
  return false;
}

bool Parser::expect_word(std::string_view word) {
  if (accept_word(word)) return true;
  fail_at(token_.offset, "'" + std::string(word) + "' is expected here.");
  return false;
}

bool Parser::enter() {
  if (++depth_ <= kNestingMax) return true;
  fail_at(token_.offset, "The program nests deeper than " + std::to_string(kNestingMax) + " levels.");
  return false;
}

Node* Parser::adopt(Node* node) {
  uint32_t nesting = 0;
  for (const Node* child : node->children)
    if (child != nullptr) nesting = std::max<uint32_t>(nesting, child->nesting);
  if (nesting >= kNestingMax)
    return fail_at(node->offset, "The program nests deeper than " + std::to_string(kNestingMax) + " levels.");
  node->nesting = static_cast<uint16_t>(nesting + 1);
  return node;
}

Node* Parser::make(NodeKind kind, uint32_t offset, std::vector<Node*> children) {
  Node* node = &syntax_->nodes.emplace_back();
  node->kind = kind;
  node->offset = offset;
  node->children = std::move(children);
  return adopt(node);
}

Node* Parser::literal(uint32_t offset, Value value) {
  Node* node = make(NodeKind::kLiteral, offset);
  node->value = std::move(value);
  return node;
}

// --- programs and definitions

Result<std::shared_ptr<Syntax>> Parser::program() {
  if (token_.kind == TokenKind::kEnd)
    syntax_->root = make(NodeKind::kIdentity, 0);
  else
    syntax_->root = parse_pipe();
  if (syntax_->root != nullptr && token_.kind != TokenKind::kEnd) syntax_->root = unexpected();
  if (syntax_->root == nullptr) return std::unexpected(std::move(error_));
  return std::move(syntax_);
}

Result<std::shared_ptr<Syntax>> Parser::library() {
  while (token_.kind != TokenKind::kEnd) {
    Definition* definition = token_.is_word("def") ? parse_definition() : unexpected();
    if (definition == nullptr) return std::unexpected(std::move(error_));
    syntax_->top_level.push_back(definition);
  }
  return std::move(syntax_);
}

bool Parser::parse_parameters(Definition& definition) {
  do {
    const bool is_value = token_.kind == TokenKind::kVariable;
    if (!is_value && token_.kind != TokenKind::kName) return unexpected() != nullptr;
    definition.parameters.push_back({std::string(token_.text), is_value});
    advance();
  } while (accept(";"));
  return expect(")");
}

Definition* Parser::parse_definition() {
  advance();
  if (token_.kind != TokenKind::kName) return unexpected();
  Definition* definition = &syntax_->definitions.emplace_back();
  definition->name = token_.text;
  advance();
  if (accept("(") && !parse_parameters(*definition)) return nullptr;
  if (!expect(":")) return nullptr;
  enclosing_.push_back(definition);
  definition->body = parse_pipe();
  enclosing_.pop_back();
  if (definition->body == nullptr || !expect(";")) return nullptr;
  return definition;
}

Node* Parser::parse_definitions() {
  const uint32_t offset = token_.offset;
  std::vector<Definition*> definitions;
  while (token_.is_word("def")) {
    Definition* definition = parse_definition();
    if (definition == nullptr) return nullptr;
    definitions.push_back(definition);
  }
  Node* body = parse_pipe();
  if (body == nullptr) return nullptr;
  uint16_t nesting = body->nesting;
  for (const Definition* definition : definitions) nesting = std::max(nesting, definition->body->nesting);
  body->nesting = nesting;  // the bodies of definitions are walked from here too
  Node* node = make(NodeKind::kDefine, offset, {body});
  if (node != nullptr) node->definitions = std::move(definitions);
  return node;
}

// --- operators

Node* Parser::parse_pipe() {
  if (!enter()) return nullptr;
  const uint32_t offset = token_.offset;
  std::vector<Node*> parts;
  do {
    parts.push_back(parse_comma());
    if (parts.back() == nullptr) return nullptr;
  } while (accept("|"));
  leave();
  return parts.size() == 1 ? parts[0] : make(NodeKind::kPipe, offset, std::move(parts));
}

Node* Parser::parse_comma() {
  const uint32_t offset = token_.offset;
  std::vector<Node*> parts;
  do {
    parts.push_back(parse_operators(kAlternativeLevel));
    if (parts.back() == nullptr) return nullptr;
  } while (accept(","));
  return parts.size() == 1 ? parts[0] : make(NodeKind::kComma, offset, std::move(parts));
}

Node* Parser::parse_operators(int level_min) {
  if (!enter()) return nullptr;
  Node* left = parse_unary();
  int level_max = 100;  // two operators that group to neither side cannot follow each other
  while (left != nullptr) {
    const Operator* found = find_operator(token_);
    if (found == nullptr || found->level < level_min) break;
    if (found->level > level_max) return unexpected();
    left = parse_operator(left, found->level);
    level_max = found->side == Side::kNone ? found->level - 1 : found->level;
  }
  leave();
  return left;
}

Node* Parser::parse_operator(Node* left, int level) {
  const Operator& found = *find_operator(token_);
  const uint32_t offset = token_.offset;
  advance();
  Node* right = parse_operators(found.side == Side::kRight ? level : level + 1);
  if (right == nullptr) return nullptr;
  Node* node = make(found.kind, offset, {left, right});
  if (node != nullptr) node->operation = found.operation;
  return node;
}

Node* Parser::parse_unary() {
  const uint32_t offset = token_.offset;
  if (token_.is_word("def")) return parse_definitions();
  if (token_.is_word("label")) return parse_label();
  if (accept("-")) {
    Node* operand = parse_operators(kSumLevel + 1);
    return operand == nullptr ? nullptr : make(NodeKind::kNegate, offset, {operand});
  }
  Node* term = parse_postfix();
  if (term == nullptr || !accept_word("as")) return term;
  return parse_binding(term);
}

Node* Parser::parse_binding(Node* source) {
  std::vector<Pattern*> patterns;
  if (!parse_patterns(patterns) || !expect("|")) return nullptr;
  Node* body = parse_pipe();
  if (body == nullptr) return nullptr;
  Node* node = make(NodeKind::kBind, source->offset, {source, body});
  if (node != nullptr) node->patterns = std::move(patterns);
  return node;
}

Node* Parser::parse_label() {
  const uint32_t offset = token_.offset;
  advance();
  if (token_.kind != TokenKind::kVariable) return unexpected();
  std::string name(token_.text);
  advance();
  if (!expect("|")) return nullptr;
  Node* body = parse_pipe();
  if (body == nullptr) return nullptr;
  Node* node = make(NodeKind::kLabel, offset, {body});
  if (node != nullptr) node->text = std::move(name);
  return node;
}

}  // namespace pawl::jq::internal
