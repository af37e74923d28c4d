#include "connect/pattern.h"

namespace pawl::connect {

// Goes back only to the last star, so that the work is at most pattern × text.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  size_t at = 0;
  size_t star = std::string_view::npos;
  size_t retry = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace pawl::connect
