// I-Regexp (RFC 9485) to PCRE2: checks the grammar, and gives '.' its meaning (anything but \n and \r).
//
// ^ and $ pass through as anchors: the grammar takes them for ordinary characters, but the conformance suite, and what
// people write, do not.
#include <cctype>

#include "expr/jsonpath/regex.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr uint32_t kGroupDepthMax = 64;
inline constexpr uint32_t kRepetitionsMax = 65'535;

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  bool translate() {
    while (!at_end()) {
      if (!translate_piece()) return false;
    }
    return groups_ == 0;
  }
  std::string take() { return std::move(out_); }

 private:
  bool at_end() const { return at_ >= pattern_.size(); }
  char peek() const { return at_end() ? '\0' : pattern_[at_]; }
  void copy() { out_ += pattern_[at_++]; }

  bool translate_piece() {
    switch (peek()) {
      case '(':
        return open_group();
      case ')':
        return close_group();
      case '|':
        repeatable_ = false;
        copy();
        return true;
      case '*':
      case '+':
      case '?':
        return quantify();
      case '{':
        return counted();
      case '[':
        return character_class();
      case '.':
        out_ += "[^\\n\\r]";
        ++at_;
        repeatable_ = true;
        return true;
      case '\\':
        repeatable_ = true;
        return escape();
      case ']':
      case '}':
        return false;
      case '^':
      case '$':
        repeatable_ = false;
        copy();
        return true;
      default:
        repeatable_ = true;
        return literal();
    }
  }

  // '#' and blanks are ordinary, but a piece of UTF-8 must stay whole for a quantifier: PCRE2 sees to that.
  bool literal() {
    copy();
    while (!at_end() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80) copy();
    return true;
  }

  bool open_group() {
    if (++groups_ > kGroupDepthMax) return false;
    out_ += "(?:";
    ++at_;
    repeatable_ = false;
    return true;
  }

  bool close_group() {
    if (groups_ == 0) return false;
    --groups_;
    copy();
    repeatable_ = true;
    return true;
  }

  // An I-Regexp has no lazy or possessive quantifiers: after one, nothing may be repeated.
  bool quantify() {
    if (!repeatable_) return false;
    copy();
    repeatable_ = false;
    return true;
  }

  bool counted() {
    if (!repeatable_) return false;
    copy();
    if (!count()) return false;
    if (peek() == ',') {
      copy();
      if (peek() != '}' && !count()) return false;
    }
    if (peek() != '}') return false;
    copy();
    repeatable_ = false;
    return true;
  }

  bool count() {
    uint32_t number = 0;
    if (!std::isdigit(static_cast<unsigned char>(peek()))) return false;
    while (std::isdigit(static_cast<unsigned char>(peek()))) {
      number = number * 10 + static_cast<uint32_t>(peek() - '0');
      if (number > kRepetitionsMax) return false;
      copy();
    }
    return true;
  }

  bool escape() {
    copy();
    const char escaped = peek();
    if (escaped == 'p' || escaped == 'P') return category();
    if (std::string_view("()*+-.?[\\]^nrt{|}$").find(escaped) == std::string_view::npos || at_end()) return false;
    copy();
    return true;
  }

  bool category() {
    copy();
    if (peek() != '{') return false;
    copy();
    if (std::string_view("LMNPZSC").find(peek()) == std::string_view::npos || at_end()) return false;
    copy();
    if (std::islower(static_cast<unsigned char>(peek()))) copy();
    if (peek() != '}') return false;
    copy();
    return true;
  }

  bool character_class() {
    copy();
    if (peek() == '^') copy();
    bool empty = true;
    while (!at_end() && (peek() != ']')) {
      if (peek() == '[') return false;
      if (peek() == '\\') {
        if (!escape()) return false;
      } else {
        copy();
      }
      empty = false;
    }
    if (at_end() || empty) return false;
    copy();
    repeatable_ = true;
    return true;
  }

  std::string_view pattern_;
  std::string out_;
  size_t at_ = 0;
  uint32_t groups_ = 0;
  bool repeatable_ = false;
};

}  // namespace

Result<std::string> translate_iregexp(std::string_view pattern) {
  Translator translator(pattern);
  if (!translator.translate()) return fail("JSONPATH_SYNTAX", "The pattern is not an I-Regexp (RFC 9485).");
  return translator.take();
}

}  // namespace pawl::jsonpath::internal
