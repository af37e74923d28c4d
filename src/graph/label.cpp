#include "graph/label.h"

namespace pawl::graph {

std::string shortened(std::string text) {
  if (text.size() <= kLabelBytesMax) return text;
  size_t length = kLabelBytesMax;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  text.resize(length);
  return text + "…";
}

}  // namespace pawl::graph
