#include "json/utf8.h"

namespace pawl::json {

size_t find_invalid_utf8(std::string_view text) {
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while (at < end) {
    const size_t size = utf8_sequence_size(at, end);
    if (size == 0) break;
    at += size;
  }
  return static_cast<size_t>(at - text.data());
}

}  // namespace pawl::json
