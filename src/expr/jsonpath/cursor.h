// A place in a path's text, the small readers that every grammar shares, and errors that name the column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::jsonpath::internal {

// The escapes that a quoted name or string may have.
enum class Escapes : uint8_t {
  kJayway,   // \n, \t, \uXXXX and so on; any other escaped character stands for itself
  kAsl,      // AWS keeps them as they are, but for the escaped quote
  kRfc9535,  // those of JSON, and the escaped quote; no raw control characters
};

class Cursor {
 public:
  // `column_shift`: how many characters of `text` the user did not write (Jayway puts "$." before a bare name).
  explicit Cursor(std::string_view text, size_t column_shift = 0) : text_(text), column_shift_(column_shift) {}

  bool at_end() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(at_); }
  size_t position() const { return at_; }
  void move_to(size_t position) { at_ = position; }
  void advance(size_t bytes = 1) { at_ = std::min(at_ + bytes, text_.size()); }
  std::string_view since(size_t start) const { return text_.substr(start, at_ - start); }

  bool accept(char expected);
  bool accept(std::string_view expected);
  void skip_spaces();  // Jayway's blank: only ' '
  void skip_blanks();  // rfc9535's blanks: space, tab, line feed, carriage return

  // After \u: four hexadecimal digits, and the second half of a surrogate pair.
  Result<void> read_unicode_escape(std::string& out);

  // At a quote: the text up to its twin, with the escapes undone.
  Result<std::string> read_quoted(Escapes escapes);

  std::unexpected<Error> error(std::string what, std::string fix = {}) const;
  std::unexpected<Error> error_at(size_t position, std::string what, std::string fix = {}) const;
  std::unexpected<Error> too_deep() const;

 private:
  Result<void> read_escape(Escapes escapes, char quote, std::string& out);
  Result<uint32_t> read_hex4();

  std::string_view text_;
  size_t column_shift_;
  size_t at_ = 0;
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
int hex_digit(char c);  // -1 where it is none
bool is_valid_utf8(std::string_view text);
void append_utf8(std::string& out, uint32_t code_point);

}  // namespace pawl::jsonpath::internal
