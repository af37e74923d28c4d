// How Choice Rules look at strings: their order, and the patterns of StringMatches. For the asl module only.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::asl {

// Orders UTF-8 texts by their UTF-16 code units, as Java does: characters above U+FFFF come before U+E000 to U+FFFF.
std::strong_ordering compare_utf16(std::string_view a, std::string_view b);

// A pattern in which * stands for any characters, \* for a star and \\ for a backslash.
class TextPattern {
 public:
  explicit TextPattern(std::string_view pattern);

  // A backslash stands before anything else, or last: then the pattern is wrong and matches nothing.
  bool has_open_escape() const { return has_open_escape_; }

  // Takes time in proportion to the text times the length of the longest part, at most.
  bool matches(std::string_view text) const;

 private:
  std::vector<std::string> parts_;  // the texts between the stars; never empty
  bool has_open_escape_ = false;
};

}  // namespace pawl::asl
