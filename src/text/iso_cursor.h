// Reads ISO 8601 texts from left to right: what durations and intervals have in common. For text/ only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::text {

// A place in a text of which everything before it was ASCII, so that a byte is a column.
class IsoCursor {
 public:
  // `begin` is where the text stands in the one that the user wrote.
  explicit IsoCursor(std::string_view text, size_t begin = 0) : text_(text), begin_(begin) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool next_is_digit() const { return peek() >= '0' && peek() <= '9'; }
  int take_digit() { return text_[at_++] - '0'; }  // next_is_digit() must hold
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Exactly so many digits; -1 where there are fewer.
  int take_number(int digits) {
    int value = 0;
    for (; digits > 0; --digits) {
      if (!next_is_digit()) return -1;
      value = value * 10 + take_digit();
    }
    return value;
  }

  std::string where() const { return "column " + std::to_string(begin_ + at_ + 1); }

 private:
  std::string_view text_;
  size_t begin_;
  size_t at_ = 0;
};

// The part of a number behind its point, in billionths. Digits after the ninth only tell whether something is left.
struct IsoFraction {
  static constexpr int64_t kWhole = 1'000'000'000;
  int64_t billionths = 0;
  bool more = false;

  // The fraction of so many units, rounded up. `units` times kWhole must not overflow.
  int64_t of(int64_t units) const { return (billionths * units + (more ? 1 : 0) + kWhole - 1) / kWhole; }

  // Reads digits; false where there is none.
  bool read(IsoCursor& cursor) {
    if (!cursor.next_is_digit()) return false;
    for (int64_t digit_value = kWhole / 10; cursor.next_is_digit(); digit_value /= 10) {
      const int digit = cursor.take_digit();
      billionths += digit * digit_value;
      more |= digit_value == 0 && digit != 0;
    }
    return true;
  }
};

}  // namespace pawl::text
