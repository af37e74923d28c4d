// The parser's part for destructuring: `as $x`, `as [$a, {b: $c}]`, and alternatives between ?//.
#include "expr/jq/parser_state.h"

namespace pawl::jq::internal {

bool Parser::parse_patterns(std::vector<Pattern*>& patterns) {
  do {
    Pattern* pattern = parse_pattern();
    if (pattern == nullptr) return false;
    patterns.push_back(pattern);
  } while (accept("?//"));
  return true;
}

Pattern* Parser::parse_pattern() {
  if (!enter()) return nullptr;
  Pattern* pattern = nullptr;
  if (token_.kind == TokenKind::kVariable) {
    pattern = &syntax_->patterns.emplace_back();
    pattern->variable = token_.text;
    advance();
  } else if (accept("[")) {
    pattern = parse_array_pattern();
  } else if (accept("{")) {
    pattern = parse_object_pattern();
  } else {
    unexpected();
  }
  leave();
  return pattern;
}

Pattern* Parser::parse_array_pattern() {
  Pattern* pattern = &syntax_->patterns.emplace_back();
  pattern->kind = Pattern::Kind::kArray;
  do {
    Pattern* item = parse_pattern();
    if (item == nullptr) return nullptr;
    pattern->entries.push_back({nullptr, {}, item});
  } while (accept(","));
  return expect("]") ? pattern : nullptr;
}

Pattern* Parser::parse_object_pattern() {
  Pattern* pattern = &syntax_->patterns.emplace_back();
  pattern->kind = Pattern::Kind::kObject;
  do {
    Pattern::Entry entry;
    if (!parse_pattern_entry(entry)) return nullptr;
    pattern->entries.push_back(std::move(entry));
  } while (accept(","));
  return expect("}") ? pattern : nullptr;
}

bool Parser::parse_pattern_entry(Pattern::Entry& entry) {
  const uint32_t offset = token_.offset;
  const bool is_variable = token_.kind == TokenKind::kVariable;
  if (is_variable || token_.kind == TokenKind::kName) {
    if (is_variable) entry.variable = token_.text;
    entry.key = literal(offset, Value::string(token_.text));
    advance();
  } else if (token_.kind == TokenKind::kQuote) {
    entry.key = parse_string({});
  } else if (token_.is("(")) {
    entry.key = parse_parentheses();
  } else {
    unexpected();
  }
  if (entry.key == nullptr) return false;
  if (is_variable && !token_.is(":")) return true;
  if (!expect(":")) return false;
  entry.value = parse_pattern();
  return entry.value != nullptr;
}

}  // namespace pawl::jq::internal
