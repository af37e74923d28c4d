// Cursor: reading quoted text with the three families of escapes.
#include "expr/jsonpath/cursor.h"

#include <algorithm>

#include "expr/jsonpath/path.h"

namespace pawl::jsonpath::internal {
namespace {

bool is_high_surrogate(uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low_surrogate(uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// What \c stands for in JSON and in Jayway; '\0' where it is no such letter.
char control_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

size_t utf8_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The second byte rules out overlong forms, surrogates and what lies above U+10FFFF.
bool is_valid_second(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second <= 0x9F;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second <= 0x8F;
    default:
      return true;
  }
}

bool is_valid_sequence(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  for (size_t i = 1; i < sequence.size(); ++i)
    if ((static_cast<unsigned char>(sequence[i]) & 0xC0) != 0x80) return false;
  return sequence.size() == 1 || is_valid_second(lead, static_cast<unsigned char>(sequence[1]));
}

}  // namespace

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(static_cast<unsigned char>(text[0]));
    if (length == 0 || length > text.size() || !is_valid_sequence(text.substr(0, length))) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_utf8(std::string& out, uint32_t code_point) {
  const auto push = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0 | (code_point >> 6));
    push(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    push(0xE0 | (code_point >> 12));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  } else {
    push(0xF0 | (code_point >> 18));
    push(0x80 | ((code_point >> 12) & 0x3F));
    push(0x80 | ((code_point >> 6) & 0x3F));
    push(0x80 | (code_point & 0x3F));
  }
}

bool Cursor::accept(char expected) {
  if (at_end() || text_[at_] != expected) return false;
  ++at_;
  return true;
}

bool Cursor::accept(std::string_view expected) {
  if (!rest().starts_with(expected)) return false;
  at_ += expected.size();
  return true;
}

void Cursor::skip_spaces() {
  while (peek() == ' ') ++at_;
}

void Cursor::skip_blanks() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
}

Result<std::string> Cursor::read_quoted(Escapes escapes) {
  const size_t start = at_;
  const char quote = peek();
  ++at_;
  std::string out;
  while (!at_end() && peek() != quote) {
    if (peek() == '\\') {
      if (auto read = read_escape(escapes, quote, out); !read) return std::unexpected(std::move(read).error());
      continue;
    }
    if (escapes == Escapes::kRfc9535 && static_cast<unsigned char>(peek()) < 0x20)
      return error("A quoted text has a raw control character.", "Write it as an escape, for example \\n.");
    out += text_[at_++];
  }
  if (!accept(quote))
    return error_at(start, "A quoted text is not closed.", std::string("Close it with ") + quote + ".");
  return out;
}

Result<void> Cursor::read_escape(Escapes escapes, char quote, std::string& out) {
  ++at_;
  if (at_end()) return error("A quoted text ends in the middle of an escape.");
  const char escaped = peek();
  if (escapes == Escapes::kAsl) {
    if (escaped != quote) out += '\\';
    out += escaped;
    ++at_;
    return {};
  }
  ++at_;
  if (escaped == 'u') return read_unicode_escape(out);
  if (const char control = control_escape(escaped); control != '\0') {
    out += control;
    return {};
  }
  const bool allowed = escaped == '\\' || escaped == '/' || escaped == quote;
  if (escapes == Escapes::kRfc9535 && !allowed)
    return error_at(at_ - 1, std::string("The escape \\") + escaped + " does not exist.");
  out += escaped;
  return {};
}

Result<uint32_t> Cursor::read_hex4() {
  uint32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(peek());
    if (digit < 0) return error("A \\u escape needs four hexadecimal digits.");
    unit = unit * 16 + static_cast<uint32_t>(digit);
    ++at_;
  }
  return unit;
}

Result<void> Cursor::read_unicode_escape(std::string& out) {
  PAWL_TRY(const uint32_t unit, read_hex4());
  if (is_low_surrogate(unit)) return error("A \\u escape is a low surrogate without its high one.");
  if (!is_high_surrogate(unit)) {
    append_utf8(out, unit);
    return {};
  }
  if (!accept("\\u")) return error("A \\u escape is a high surrogate without its low one.");
  PAWL_TRY(const uint32_t low, read_hex4());
  if (!is_low_surrogate(low)) return error("A \\u escape is a high surrogate without its low one.");
  append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
  return {};
}

std::unexpected<Error> Cursor::error(std::string what, std::string fix) const {
  return error_at(at_, std::move(what), std::move(fix));
}

std::unexpected<Error> Cursor::error_at(size_t position, std::string what, std::string fix) const {
  const std::string_view before = text_.substr(0, std::min(position, text_.size()));
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  const auto characters = static_cast<size_t>(std::count_if(before.begin(), before.end(), starts_character));
  const size_t column = characters < column_shift_ ? 1 : characters - column_shift_ + 1;
  return fail("JSONPATH_SYNTAX", std::move(what), std::move(fix), "column " + std::to_string(column));
}

std::unexpected<Error> Cursor::too_deep() const {
  auto failure =
      error("The path is nested too deeply, or has more than " + std::to_string(kPathSegmentsMax) + " steps.",
            "Split it over several states or variables.");
  failure.error().code = "JSONPATH_TOO_DEEP";
  return failure;
}

}  // namespace pawl::jsonpath::internal
