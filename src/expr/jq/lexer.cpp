#include "expr/jq/lexer.h"

#include <array>

#include "json/utf8.h"

namespace pawl::jq::internal {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Longest first.
constexpr std::array<std::string_view, 37> kSymbols = {
    "?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "::", "=", "<", ">",
    "+",    "-",   "*",   "/",  "%",  "|",  ",",  ":",  ";",  "(",  ")",  "[",  "]",  "{",  "}",  "?",  ".", "!"};

uint32_t hex_value(char c) {
  if (is_digit(c)) return static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<uint32_t>(c - 'A' + 10);
  return 16;
}

constexpr uint32_t kReplacementCharacter = 0xFFFD;

}  // namespace

std::unexpected<Error> Lexer::error(uint32_t offset, std::string what, std::string fix) const {
  size_t line = 1, column = 1;
  for (const char c : text_.substr(0, offset)) {
    column = c == '\n' ? 1 : column + ((c & 0xC0) != 0x80 ? 1 : 0);
    line += c == '\n' ? 1 : 0;
  }
  const std::string place = "column " + std::to_string(column);
  if (fix.empty()) fix = "Look at what stands there and before it: a quote, a bracket or an operand may be missing.";
  return fail("JQ_SYNTAX", std::move(what), std::move(fix),
              line == 1 ? place : "line " + std::to_string(line) + ", " + place);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      ++at_;
    else
      return;
  }
}

size_t Lexer::word_size(size_t from) const {
  if (from >= text_.size() || !begins_word(text_[from])) return 0;
  size_t end = from + 1;
  while (end < text_.size() && (begins_word(text_[end]) || is_digit(text_[end]))) ++end;
  return end - from;
}

Token Lexer::take(TokenKind kind, size_t size, size_t sign_size) {
  const Token token{kind, text_.substr(at_ + sign_size, size), static_cast<uint32_t>(at_)};
  at_ += sign_size + size;
  return token;
}

size_t Lexer::number_size() const {
  size_t end = at_;
  const auto skip_digits = [&] {
    while (end < text_.size() && is_digit(text_[end])) ++end;
  };
  skip_digits();
  if (end < text_.size() && text_[end] == '.') {
    ++end;
    skip_digits();
  }
  if (end == at_ + 1 && text_[at_] == '.') return 0;
  if (end >= text_.size() || (text_[end] != 'e' && text_[end] != 'E')) return end - at_;
  const size_t before_exponent = end++;
  if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
  const size_t digits = end;
  skip_digits();
  return (end == digits ? before_exponent : end) - at_;
}

size_t Lexer::symbol_size() const {
  for (const std::string_view symbol : kSymbols)
    if (text_.substr(at_).starts_with(symbol)) return symbol.size();
  return 0;
}

Token Lexer::next() {
  skip_blanks();
  if (at_ >= text_.size()) return {TokenKind::kEnd, {}, static_cast<uint32_t>(text_.size())};
  const char c = text_[at_];
  if (c == '"') return take(TokenKind::kQuote, 1);
  if (const size_t size = word_size(at_)) return take(TokenKind::kName, size);
  const size_t size_behind = word_size(at_ + 1);
  if (c == '.' && size_behind > 0) return take(TokenKind::kField, size_behind, 1);
  if (c == '$' && size_behind > 0) return take(TokenKind::kVariable, size_behind, 1);
  if (c == '@' && size_behind > 0) return take(TokenKind::kFormat, size_behind, 1);
  const bool is_number = is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]));
  if (is_number) return take(TokenKind::kNumber, number_size());
  if (const size_t size = symbol_size()) return take(TokenKind::kSymbol, size);
  return take(TokenKind::kWrong, 1);
}

Result<uint32_t> Lexer::read_hex() {
  uint32_t unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const uint32_t digit = at_ < text_.size() ? hex_value(text_[at_]) : 16;
    if (digit == 16) return error(static_cast<uint32_t>(at_), "After \\u come four hexadecimal digits.");
    unit = unit << 4 | digit;
  }
  return unit;
}

// At the letter behind a backslash. Lone surrogates become U+FFFD, as in jq.
Result<void> Lexer::read_escape(std::string& out) {
  static constexpr std::string_view kLetters = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ < text_.size() ? text_[at_] : '\0';
  if (const size_t number = kLetters.find(letter); number != std::string_view::npos) {
    out.push_back(kMeanings[number]);
    ++at_;
    return {};
  }
  if (letter != 'u') return error(static_cast<uint32_t>(at_), "A backslash is followed by none of \"\\/bfnrtu(.");
  ++at_;
  PAWL_TRY(uint32_t unit, read_hex());
  if (unit >= 0xD800 && unit < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
    const size_t before = at_;
    at_ += 2;
    PAWL_TRY(const uint32_t low, read_hex());
    if (low >= 0xDC00 && low < 0xE000)
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    else
      at_ = before;
  }
  if (unit >= 0xD800 && unit < 0xE000) unit = kReplacementCharacter;
  json::append_utf8(out, unit);
  return {};
}

Result<bool> Lexer::read_string_part(std::string& out) {
  while (true) {
    const size_t stop = text_.find_first_of("\"\\", at_);
    if (stop == std::string_view::npos) return error(static_cast<uint32_t>(at_), "The string has no end.");
    out.append(text_.substr(at_, stop - at_));
    at_ = stop + 1;
    if (text_[stop] == '"') return true;
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      return false;
    }
    if (auto escape = read_escape(out); !escape) return std::unexpected(std::move(escape).error());
  }
}

}  // namespace pawl::jq::internal
