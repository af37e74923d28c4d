// Texts that are short enough for a picture.
#pragma once

#include <cstddef>
#include <string>

namespace pawl::graph {

inline constexpr size_t kLabelBytesMax = 240;

// A text for a label or a detail: a longer one is cut at the border of a character, with an ellipsis.
std::string shortened(std::string text);

}  // namespace pawl::graph
