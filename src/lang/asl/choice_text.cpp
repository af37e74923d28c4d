#include "lang/asl/choice_text.h"

#include <algorithm>
#include <cstdint>

namespace pawl::asl {

namespace {

// The rank of a byte where two UTF-8 texts first differ. Only the first byte of a character decides between planes:
// those of characters above U+FFFF (F0 and more) rank below those of U+E000 to U+FFFF (EE and EF).
int utf16_rank(char c) {
  const int byte = static_cast<uint8_t>(c);
  constexpr int kFirstPrivateUse = 0xEE, kFirstSupplementary = 0xF0, kSupplementaryLeads = 16;
  if (byte < kFirstPrivateUse) return byte;
  return byte >= kFirstSupplementary ? byte - (kFirstSupplementary - kFirstPrivateUse) : byte + kSupplementaryLeads;
}

}  // namespace

std::strong_ordering compare_utf16(std::string_view a, std::string_view b) {
  const auto [left, right] = std::ranges::mismatch(a, b);
  if (left == a.end() || right == b.end()) return a.size() <=> b.size();
  return utf16_rank(*left) <=> utf16_rank(*right);
}

TextPattern::TextPattern(std::string_view pattern) {
  parts_.emplace_back();
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      parts_.emplace_back();
    } else if (pattern[i] != '\\') {
      parts_.back() += pattern[i];
    } else if (i + 1 < pattern.size() && (pattern[i + 1] == '*' || pattern[i + 1] == '\\')) {
      parts_.back() += pattern[++i];
    } else {
      has_open_escape_ = true;
    }
  }
}

// The first and the last part are tied to the ends; those between are found from the left, which leaves most for the
// rest.
bool TextPattern::matches(std::string_view text) const {
  if (parts_.size() == 1) return text == parts_.front();
  if (!text.starts_with(parts_.front())) return false;
  text.remove_prefix(parts_.front().size());
  if (!text.ends_with(parts_.back())) return false;
  text.remove_suffix(parts_.back().size());
  for (size_t i = 1; i + 1 < parts_.size(); ++i) {
    const size_t found = text.find(parts_[i]);
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + parts_[i].size());
  }
  return true;
}

}  // namespace pawl::asl
