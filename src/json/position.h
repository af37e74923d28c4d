// Byte offsets to lines and columns.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace pawl::json {

// Turns offsets that only grow into positions, reading the text once. A line ends with a line feed; a column is a code
// point, or a byte where the text is not UTF-8.
class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text) {}
  Position advance_to(size_t offset);

 private:
  std::string_view text_;
  size_t offset_ = 0;
  Position position_{1, 1};
};

std::string to_string(Position position);  // "line:column"

}  // namespace pawl::json
