// Any document is refused with a code, or every operation of it makes requests that fit into HTTP. A text is a document
// and arguments, in an array; a document alone is called with itself.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "json/parse.h"
#include "openapi/request.h"

using namespace pawl;

namespace {

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

void check_error(const Error& error) {
  PAWL_ASSERT(error.code.starts_with("OPENAPI_") && !error.what.empty() && !error.fix.empty(), error.code);
}

void check_request(const openapi::Operation& operation, const json::Value& arguments) {
  const auto request = make_request(operation, arguments);
  if (!request) return check_error(request.error());
  for (const auto& [name, value] : request->headers) PAWL_ASSERT(!std::ranges::any_of(value, is_control), name);
}

void check_operation(const json::Value& document, std::string_view id, const json::Value& arguments) {
  const auto operation = openapi::find_operation(document, id);
  if (!operation) return check_error(operation.error());
  const auto again = openapi::read_operation(openapi::to_value(*operation));
  PAWL_ASSERT(again && *again == *operation);
  check_request(*operation, arguments);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto parsed = json::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const bool is_pair = parsed->is_array() && parsed->size() == 2;
  check_operation(is_pair ? parsed->at(0) : *parsed, "op", is_pair ? parsed->at(1) : *parsed);
  return 0;
}
