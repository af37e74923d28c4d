#include "text/suggest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::text {

namespace {

using Row = std::array<size_t, kSuggestBytesMax + 1>;

char fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// The optimal string alignment distance: Levenshtein's, with a swap of neighbours as one change.
size_t edit_distance(std::string_view a, std::string_view b) {
  Row before_last{}, last{}, current{};
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = fold(a[i - 1]) == fold(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, current);
  }
  return last[b.size()];
}

size_t difference(size_t a, size_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kSuggestBytesMax) return {};
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > kSuggestBytesMax || difference(word.size(), candidate.size()) >= best_distance) continue;
    const size_t distance = edit_distance(word, candidate);
    const bool keeps_a_character = distance < std::max(word.size(), candidate.size());
    if (distance >= best_distance || !keeps_a_character) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace pawl::text
