// Cuts a program's text into tokens, one at a time. Strings are read in parts, since expressions may stand inside them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::jq::internal {

enum class TokenKind : uint8_t {
  kEnd,
  kName,      // words, keywords among them
  kField,     // .name
  kVariable,  // $name
  kFormat,    // @name
  kNumber,
  kQuote,   // the beginning of a string; what follows is read with read_string_part
  kSymbol,  // operators and brackets
  kWrong,   // a character that begins nothing
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // of names, fields, variables and formats: without the sign before them
  uint32_t offset = 0;

  bool is(std::string_view symbol) const { return kind == TokenKind::kSymbol && text == symbol; }
  bool is_word(std::string_view word) const { return kind == TokenKind::kName && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();

  // After kQuote and after an interpolation: appends text up to the string's end (true) or the next \( (false).
  Result<bool> read_string_part(std::string& out);

  // Continues at an earlier place.
  void rewind(uint32_t offset) { at_ = offset; }

  std::unexpected<Error> error(uint32_t offset, std::string what, std::string fix = {}) const;

 private:
  void skip_blanks();
  size_t word_size(size_t from) const;
  Token take(TokenKind kind, size_t size, size_t sign_size = 0);
  size_t number_size() const;
  size_t symbol_size() const;
  Result<void> read_escape(std::string& out);
  Result<uint32_t> read_hex();

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace pawl::jq::internal
