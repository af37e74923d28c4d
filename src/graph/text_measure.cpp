#include "graph/text_measure.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace pawl::graph {
namespace {

constexpr double kSpare = 1.1;
constexpr double kWide = 1.0;    // East Asian characters, symbols and emoji
constexpr double kOther = 0.62;  // letters outside ASCII

// Widths of ASCII from the blank to the tilde, in thousandths of the font's size.
constexpr uint16_t kAsciiWidths[] = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                                     556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                                     1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                                     667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                                     333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                                     556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
static_assert(std::size(kAsciiWidths) == 95);

// The bytes of the character that begins the text, which is valid UTF-8 and not empty.
size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(bytes, text.size());
}

double character_width(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (lead >= 0x20 && lead <= 0x7E) return kAsciiWidths[lead - 0x20] / 1000.0;
  if (lead < 0x80) return kOther;
  return lead < 0xE1 ? kOther : kWide;
}

bool is_sign_to_break_after(char character) {
  return std::string_view(".,:;/-_&|)").find(character) != std::string_view::npos;
}

// A blank is the better place, unless that leaves most of the line empty.
size_t place_to_break(size_t after_blank, size_t after_sign, size_t anywhere) {
  if (after_blank > 0 && after_blank * 2 >= after_sign) return after_blank;
  return after_sign > 0 ? after_sign : anywhere;
}

// How many bytes of the text fit into a line, at least one character, ending at a place to break if there is one.
size_t line_bytes(std::string_view text, double font_size, double width_max) {
  double width = 0;
  size_t end = 0;
  size_t after_blank = 0;
  size_t after_sign = 0;
  while (end < text.size()) {
    const size_t bytes = character_bytes(text.substr(end));
    width += character_width(text.substr(end)) * font_size * kSpare;
    if (width > width_max && end > 0) return place_to_break(after_blank, after_sign, end);
    end += bytes;
    if (text[end - 1] == ' ') after_blank = end;
    if (is_sign_to_break_after(text[end - 1])) after_sign = end;
  }
  return end;
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string cut(std::string_view text, double font_size, double width_max) {
  double width = text_width("…", font_size);
  size_t end = 0;
  while (end < text.size()) {
    width += character_width(text.substr(end)) * font_size * kSpare;
    if (width > width_max) break;
    end += character_bytes(text.substr(end));
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double width = 0;
  while (!text.empty()) {
    width += character_width(text);
    text.remove_prefix(character_bytes(text));
  }
  return width * font_size * kSpare;
}

std::vector<std::string> wrap_text(std::string_view text, double font_size, double width_max, size_t lines_max) {
  std::vector<std::string> lines;
  text = without_blanks(text);
  while (!text.empty()) {
    const size_t bytes = line_bytes(text, font_size, width_max);
    if (lines.size() + 1 == lines_max && bytes < text.size()) {
      lines.push_back(cut(text, font_size, width_max));
      break;
    }
    lines.emplace_back(without_blanks(text.substr(0, bytes)));
    text = without_blanks(text.substr(bytes));
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace pawl::graph
