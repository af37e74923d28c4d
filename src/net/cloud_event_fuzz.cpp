// Any bytes are refused or read as events, and what is read can be written and read again in both modes. The first byte
// is the mode; in binary mode the text before the first blank line has the headers.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "net/cloud_event.h"

using namespace pawl;
using namespace pawl::net;

namespace {

std::string make_id() { return "made"; }

HttpHeaders read_headers(std::string_view& text) {
  HttpHeaders headers;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) break;
    const size_t colon = std::min(line.find(':'), line.size());
    headers.add(line.substr(0, colon), line.substr(std::min(colon + 1, line.size())));
  }
  return headers;
}

void check_again(const json::Value& event, const HttpEvent& written) {
  HttpHeaders headers;
  for (const auto& [name, value] : written.headers) headers.add(name, value);
  const auto again = read_cloud_events(headers, written.body, make_id);
  PAWL_ASSERT(again && again->size() == 1, again ? "" : again.error().what);
  for (const char* name : {"id", "source", "type"}) PAWL_ASSERT(*again->front().find(name) == *event.find(name), name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  HttpHeaders headers;
  if (data[0] % 3 == 0) headers.add("Content-Type", "application/cloudevents+json");
  if (data[0] % 3 == 1) headers.add("Content-Type", "application/cloudevents-batch+json");
  if (data[0] % 3 == 2) headers = read_headers(text);
  const auto events = read_cloud_events(headers, text, make_id);
  if (!events) {
    PAWL_ASSERT(!events.error().code.empty() && !events.error().what.empty());
    return 0;
  }
  for (const json::Value& event : *events) {
    check_again(event, write_structured(event));
    check_again(event, write_binary(event));
  }
  return 0;
}
