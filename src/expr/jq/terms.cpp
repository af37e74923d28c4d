// The parser's part for terms: literals, paths, brackets, strings, calls, and the expressions between keywords.
#include <charconv>
#include <cmath>
#include <set>

#include "expr/jq/numbers.h"
#include "expr/jq/parser_state.h"

namespace pawl::jq::internal {

namespace {

const std::set<std::string_view>& keywords() {
  static const std::set<std::string_view> words = {"def",   "if",    "then",   "elif",    "else",    "end",
                                                   "as",    "or",    "and",    "reduce",  "foreach", "try",
                                                   "catch", "label", "import", "include", "__loc__"};
  return words;
}

bool is_json_number(std::string_view text) {
  const bool leading_zero = text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  const size_t point = text.find('.');
  const bool bare_point = point != std::string_view::npos &&
                          (point == 0 || point + 1 == text.size() || text[point + 1] < '0' || text[point + 1] > '9');
  return !leading_zero && !bare_point;
}

}  // namespace

Node* Parser::parse_postfix() {
  Node* term = parse_primary();
  return term == nullptr ? nullptr : parse_suffixes(term);
}

Node* Parser::parse_suffixes(Node* term) {
  while (term != nullptr) {
    const uint32_t offset = token_.offset;
    if (token_.kind == TokenKind::kField) {
      Node* name = literal(offset, Value::string(token_.text));
      advance();
      term = make(NodeKind::kIndex, offset, {term, name});
    } else if (token_.is("[")) {
      term = parse_bracket_suffix(term);
    } else if (accept(".")) {  // ."name" and .[0] behind a term
      if (token_.is("[")) continue;
      if (token_.kind != TokenKind::kQuote) return unexpected();
      Node* name = parse_string({});
      term = name == nullptr ? nullptr : make(NodeKind::kIndex, offset, {term, name});
    } else if (token_.is("?//")) {  // a ? and the operator //
      lexer_.rewind(offset);
      token_ = Token{TokenKind::kSymbol, "?", offset};
      lexer_.rewind(offset + 1);
    } else if (accept("?")) {
      const bool is_access =
          term->kind == NodeKind::kIndex || term->kind == NodeKind::kSlice || term->kind == NodeKind::kIterate;
      if (is_access && term->offset != UINT32_MAX)
        term->optional = true;
      else
        term = make(NodeKind::kTry, offset, {term});
    } else {
      break;
    }
  }
  return term;
}

// [] [expression] [from:to], the bracket being the current token.
Node* Parser::parse_bracket_suffix(Node* target) {
  const uint32_t offset = token_.offset;
  advance();
  if (accept("]")) return make(NodeKind::kIterate, offset, {target});
  if (accept(":")) {
    Node* to = parse_pipe();
    return to != nullptr && expect("]") ? make(NodeKind::kSlice, offset, {target, nullptr, to}) : nullptr;
  }
  Node* first = parse_pipe();
  if (first == nullptr) return nullptr;
  if (accept(":")) {
    if (accept("]")) return make(NodeKind::kSlice, offset, {target, first, nullptr});
    Node* to = parse_pipe();
    return to != nullptr && expect("]") ? make(NodeKind::kSlice, offset, {target, first, to}) : nullptr;
  }
  return expect("]") ? make(NodeKind::kIndex, offset, {target, first}) : nullptr;
}

Node* Parser::parse_primary() {
  switch (token_.kind) {
    case TokenKind::kNumber:
      return parse_number();
    case TokenKind::kQuote:
      return parse_string({});
    case TokenKind::kFormat:
      return parse_format();
    case TokenKind::kVariable:
      return parse_variable();
    case TokenKind::kName:
      return parse_word();
    case TokenKind::kField: {
      const uint32_t offset = token_.offset;
      Node* name = literal(offset, Value::string(token_.text));
      advance();
      return make(NodeKind::kIndex, offset, {make(NodeKind::kIdentity, offset), name});
    }
    case TokenKind::kSymbol:
      if (token_.is("(")) return parse_parentheses();
      if (token_.is("[")) return parse_array();
      if (token_.is("{")) return parse_object();
      return parse_dot();
    case TokenKind::kEnd:
    case TokenKind::kWrong:
      break;
  }
  return unexpected();
}

Node* Parser::parse_dot() {
  const uint32_t offset = token_.offset;
  if (accept("..")) {
    Node* node = make(NodeKind::kCall, offset);
    node->text = "recurse";
    return node;
  }
  if (!accept(".")) return unexpected();
  Node* identity = make(NodeKind::kIdentity, offset);
  if (token_.is("[")) return parse_bracket_suffix(identity);
  if (token_.kind != TokenKind::kQuote) return identity;
  Node* name = parse_string({});
  return name == nullptr ? nullptr : make(NodeKind::kIndex, offset, {identity, name});
}

Node* Parser::parse_number() {
  const Token token = token_;
  advance();
  if (is_json_number(token.text)) return literal(token.offset, Value::number_literal(token.text));
  const std::string text = token.text.starts_with('.') ? "0" + std::string(token.text) : std::string(token.text);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return literal(token.offset, number_of(value));
}

Node* Parser::parse_variable() {
  const Token token = token_;
  advance();
  if (token.text == "__loc__") {
    json::ObjectBuilder place(2);
    place.set("file", Value::string("<top-level>"));
    const std::string where = lexer_.error(token.offset, {}).error().where;
    const size_t line_end = where.starts_with("line ") ? where.find(',') : 0;
    place.set("line", line_end == 0 ? Value::integer(1) : Value::number_literal(where.substr(5, line_end - 5)));
    return literal(token.offset, place.build());
  }
  Node* node = make(NodeKind::kVariable, token.offset);
  node->text = token.text;
  return node;
}

// At the opening quote. Plain strings are literals.
Node* Parser::parse_string(std::string format) {
  if (!enter()) return nullptr;
  const uint32_t offset = token_.offset;
  std::vector<Node*> parts;
  while (true) {
    std::string text;
    auto ended = lexer_.read_string_part(text);
    if (!ended) {
      error_ = std::move(ended).error();
      return nullptr;
    }
    parts.push_back(literal(offset, Value::string(text)));
    if (*ended) break;
    advance();
    Node* inside = parse_pipe();
    if (inside == nullptr) return nullptr;
    if (!token_.is(")")) return expect(")") ? nullptr : nullptr;
    parts.push_back(inside);
  }
  leave();
  advance();
  if (parts.size() == 1) return parts[0];
  Node* node = make(NodeKind::kString, offset, std::move(parts));
  if (node != nullptr) node->text = std::move(format);
  return node;
}

Node* Parser::parse_format() {
  const Token token = token_;
  advance();
  if (token_.kind == TokenKind::kQuote) return parse_string(std::string(token.text));
  Node* node = make(NodeKind::kFormat, token.offset);
  node->text = token.text;
  return node;
}

Node* Parser::parse_parentheses() {
  advance();
  Node* inside = parse_pipe();
  if (inside == nullptr || !expect(")")) return nullptr;
  const bool is_access =
      inside->kind == NodeKind::kIndex || inside->kind == NodeKind::kSlice || inside->kind == NodeKind::kIterate;
  return is_access ? make(NodeKind::kPipe, inside->offset, {inside}) : inside;  // (.a.b)? is more than .a.b?
}

Node* Parser::parse_array() {
  const uint32_t offset = token_.offset;
  advance();
  if (accept("]")) return literal(offset, Value::empty_array());
  Node* inside = parse_pipe();
  return inside != nullptr && expect("]") ? make(NodeKind::kArray, offset, {inside}) : nullptr;
}

// --- objects

Node* Parser::parse_object() {
  if (!enter()) return nullptr;
  Node* object = make(NodeKind::kObject, token_.offset);
  advance();
  while (!token_.is("}")) {
    if (!parse_object_entry(*object)) return nullptr;
    if (!accept(",")) break;
  }
  if (!expect("}")) return nullptr;
  leave();
  return adopt(object);
}

bool Parser::parse_object_entry(Node& object) {
  Node* short_value = nullptr;
  Node* key = parse_object_key(short_value);
  if (key == nullptr) return false;
  Node* value = short_value;
  if (short_value == nullptr || token_.is(":")) {
    if (!expect(":")) return false;
    value = parse_object_value();
  }
  if (value == nullptr) return false;
  if (key->kind == NodeKind::kLiteral && !key->value.is_string())
    return fail_at(key->offset, "Object keys must be strings.") != nullptr;
  object.children.push_back(key);
  object.children.push_back(value);
  return true;
}

// Sets the value of an entry that may stand without one: {name} {$name} {"name"} {@base64 "…"}.
Node* Parser::parse_object_key(Node*& short_value) {
  const Token token = token_;
  if (token.kind == TokenKind::kVariable) {
    short_value = parse_variable();
    return token_.is(":") ? short_value : literal(token.offset, Value::string(token.text));
  }
  Node* key = nullptr;
  if (token.kind == TokenKind::kName) {
    advance();
    key = literal(token.offset, Value::string(token.text));
  } else if (token.kind == TokenKind::kQuote) {
    key = parse_string({});
  } else if (token.kind == TokenKind::kFormat) {
    key = parse_format();
  } else if (token.is("(")) {
    return parse_parentheses();
  } else if (token.kind == TokenKind::kNumber) {
    return parse_number();
  } else {
    return unexpected();
  }
  if (key != nullptr)
    short_value = make(NodeKind::kIndex, token.offset, {make(NodeKind::kIdentity, token.offset), key});
  return key;
}

Node* Parser::parse_object_value() {
  const uint32_t offset = token_.offset;
  std::vector<Node*> parts;
  do {
    parts.push_back(parse_operators(1));
    if (parts.back() == nullptr) return nullptr;
  } while (accept("|"));
  return parts.size() == 1 ? parts[0] : make(NodeKind::kPipe, offset, std::move(parts));
}

// --- words

Node* Parser::parse_word() {
  const uint32_t offset = token_.offset;
  if (token_.text == "if") return parse_if();
  if (token_.text == "try") return parse_try();
  if (token_.text == "reduce") return parse_fold(NodeKind::kReduce);
  if (token_.text == "foreach") return parse_fold(NodeKind::kForeach);
  if (token_.text == "def") return parse_definitions();
  if (token_.text == "import" || token_.text == "include") return refuse_modules(offset);
  if (keywords().contains(token_.text)) return unexpected();
  if (accept_word("null")) return literal(offset, Value());
  if (accept_word("true")) return literal(offset, Value::boolean(true));
  if (accept_word("false")) return literal(offset, Value::boolean(false));
  if (token_.text != "break") return parse_call();
  advance();
  if (token_.kind != TokenKind::kVariable) return fail_at(offset, "After break comes the $name of its label.");
  Node* node = make(NodeKind::kBreak, offset);
  node->text = token_.text;
  advance();
  return node;
}

Node* Parser::parse_if() {
  Node* node = make(NodeKind::kIf, token_.offset);
  do {
    advance();
    Node* condition = parse_pipe();
    if (condition == nullptr || !expect_word("then")) return nullptr;
    Node* branch = parse_pipe();
    if (branch == nullptr) return nullptr;
    node->children.insert(node->children.end(), {condition, branch});
  } while (token_.is_word("elif"));
  if (accept_word("else")) {
    Node* branch = parse_pipe();
    if (branch == nullptr) return nullptr;
    node->children.push_back(branch);
  }
  return expect_word("end") ? adopt(node) : nullptr;
}

Node* Parser::parse_try() {
  if (!enter()) return nullptr;
  const uint32_t offset = token_.offset;
  advance();
  Node* body = token_.is("-") ? parse_unary() : parse_postfix();
  if (body == nullptr) return nullptr;
  std::vector<Node*> children = {body};
  if (accept_word("catch")) {
    children.push_back(token_.is("-") ? parse_unary() : parse_postfix());
    if (children[1] == nullptr) return nullptr;
  }
  leave();
  return make(NodeKind::kTry, offset, std::move(children));
}

// reduce SOURCE as PATTERN (START; UPDATE), foreach SOURCE as PATTERN (START; UPDATE; EXTRACT)
Node* Parser::parse_fold(NodeKind kind) {
  Node* node = make(kind, token_.offset);
  advance();
  node->children.push_back(parse_postfix());
  if (node->children[0] == nullptr || !expect_word("as")) return nullptr;
  if (!parse_patterns(node->patterns) || !expect("(")) return nullptr;
  const size_t parts_max = kind == NodeKind::kReduce ? 3 : 4;
  do {
    node->children.push_back(parse_pipe());
    if (node->children.back() == nullptr) return nullptr;
  } while (node->children.size() < parts_max && accept(";"));
  if (!expect(")")) return nullptr;
  if (node->children.size() < 3) return fail_at(node->offset, "The update is missing: (start; update).");
  if (kind == NodeKind::kForeach) node->children.resize(4);
  return adopt(node);
}

Node* Parser::parse_call() {
  Node* node = make(NodeKind::kCall, token_.offset);
  node->text = token_.text;
  advance();
  if (token_.is("::")) return refuse_modules(node->offset);
  if (accept("(")) {
    do {
      node->children.push_back(parse_pipe());
      if (node->children.back() == nullptr) return nullptr;
    } while (accept(";"));
    if (!expect(")")) return nullptr;
  }
  for (Definition* definition : enclosing_)
    if (definition->name == node->text && definition->parameters.size() == node->children.size())
      definition->is_recursive = true;
  return adopt(node);
}

}  // namespace pawl::jq::internal
