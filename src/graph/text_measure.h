// How wide a text will be where it is drawn, estimated: a picture is laid out where no font is at hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::graph {

// In the unit of the font's size, for Helvetica and its look-alikes, with a little to spare for wider fonts.
double text_width(std::string_view text, double font_size);

// Breaks a text into lines of at most width_max where it has blanks or signs to break at, else anywhere. What does not
// fit into lines_max lines is cut, with an ellipsis. At least one line, if an empty one.
std::vector<std::string> wrap_text(std::string_view text, double font_size, double width_max, size_t lines_max);

}  // namespace pawl::graph
