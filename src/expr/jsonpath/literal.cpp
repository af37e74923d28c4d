// A small permissive JSON reader on a Cursor.
#include "expr/jsonpath/literal.h"

#include "expr/jsonpath/decimal.h"

namespace pawl::jsonpath::internal {
namespace {

using json::Value;

bool is_number_character(char c) { return is_digit(c) || c == '-' || c == '.' || c == 'e' || c == 'E'; }

bool is_word_character(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

Result<Value> read_number(Cursor& cursor) {
  const size_t start = cursor.position();
  while (is_number_character(cursor.peek())) cursor.advance();
  auto number = parse_decimal(cursor.since(start));
  if (!number)
    return cursor.error_at(start, "A value is expected here.", "Write a number, a string, true, false or null.");
  return std::move(*number);
}

Result<Value> read_string(Cursor& cursor) {
  PAWL_TRY(const std::string text, cursor.read_quoted(Escapes::kJayway));
  return Value::string(text);
}

Result<std::string> read_key(Cursor& cursor) {
  if (cursor.peek() == '\'' || cursor.peek() == '"') return cursor.read_quoted(Escapes::kJayway);
  const size_t start = cursor.position();
  while (is_word_character(cursor.peek())) cursor.advance();
  if (cursor.position() == start) return cursor.error("A member's name is expected here.");
  return std::string(cursor.since(start));
}

Result<Value> read_array(Cursor& cursor, uint32_t depth) {
  cursor.advance();
  json::ArrayBuilder items;
  cursor.skip_blanks();
  if (cursor.accept(']')) return items.build();
  while (true) {
    PAWL_TRY(Value item, read_literal(cursor, depth + 1));
    items.push(std::move(item));
    cursor.skip_blanks();
    if (cursor.accept(']')) return items.build();
    if (!cursor.accept(',')) return cursor.error("An array literal needs ',' or ']' here.");
  }
}

Result<Value> read_object(Cursor& cursor, uint32_t depth) {
  cursor.advance();
  json::ObjectBuilder members;
  cursor.skip_blanks();
  if (cursor.accept('}')) return members.build();
  while (true) {
    cursor.skip_blanks();
    PAWL_TRY(const std::string key, read_key(cursor));
    cursor.skip_blanks();
    if (!cursor.accept(':')) return cursor.error("An object literal needs ':' here.");
    PAWL_TRY(Value value, read_literal(cursor, depth + 1));
    members.set(key, std::move(value));
    cursor.skip_blanks();
    if (cursor.accept('}')) return members.build();
    if (!cursor.accept(',')) return cursor.error("An object literal needs ',' or '}' here.");
  }
}

}  // namespace

Result<Value> read_literal(Cursor& cursor, uint32_t depth) {
  if (depth > kLiteralDepthMax) return cursor.too_deep();
  cursor.skip_blanks();
  if (cursor.accept("true")) return Value::boolean(true);
  if (cursor.accept("false")) return Value::boolean(false);
  if (cursor.accept("null")) return Value::null();
  switch (cursor.peek()) {
    case '\'':
    case '"':
      return read_string(cursor);
    case '[':
      return read_array(cursor, depth);
    case '{':
      return read_object(cursor, depth);
    default:
      return read_number(cursor);
  }
}

}  // namespace pawl::jsonpath::internal
