// Any bytes are refused with a place, or read, printed and read again to the same value.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "json/parse.h"
#include "json/print.h"

using namespace pawl;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = json::parse(text);
  const auto document = json::parse_document(text);
  if (!value) {
    PAWL_ASSERT(!document && !value.error().where.empty() && !value.error().code.empty());
    return 0;
  }
  const std::string printed = json::print(*value);
  PAWL_ASSERT(printed.size() == value->json_size(), printed.size(), value->json_size());
  const auto again = json::parse(printed);
  PAWL_ASSERT(again && *again == *value && json::print(*again) == printed);
  const auto pretty = json::parse(json::print_pretty(*value));
  PAWL_ASSERT(pretty && *pretty == *value && pretty->depth() == value->depth());
  PAWL_ASSERT(!document || document->root == *value);
  return 0;
}
