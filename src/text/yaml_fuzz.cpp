// Any bytes are refused with a place, or read to a value that prints as JSON.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "json/parse.h"
#include "json/print.h"
#include "text/yaml.h"

using namespace pawl;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto document = text::parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!document) {
    PAWL_ASSERT(!document.error().where.empty() && !document.error().code.empty());
    return 0;
  }
  const std::string printed = json::print(document->root);
  PAWL_ASSERT(printed.size() == document->root.json_size());
  const auto again = json::parse(printed);
  PAWL_ASSERT(again && *again == document->root);
  PAWL_ASSERT(document->positions.value_at("").line > 0);
  return 0;
}
