// CloudEvents 1.0 over HTTP: events read from a request in structured, binary or batch mode, and written in either.
//
// Inside Pawl an event is the JSON object of structured mode. Names of attributes are compared without case: those that
// CloudEvents defines are lower-cased, extensions stay as they are written. Pure: no network here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "net/http_server_message.h"

namespace pawl::net {

inline constexpr size_t kEventBytesMax = 256 * 1024;  // of one event, as JSON
inline constexpr size_t kEventsInABatchMax = 1'000;
inline constexpr size_t kAttributeNameCharactersMax = 100;

// Gives an id to an event that has none.
using MakeEventId = std::function<std::string()>;

// Content-Type says the mode: application/cloudevents+json, application/cloudevents-batch+json, anything else is
// binary. Errors: EVENT_MEDIA_TYPE, EVENT_JSON, EVENT_ATTRIBUTE_MISSING, EVENT_ATTRIBUTE_NAME, EVENT_ATTRIBUTE_VALUE,
// EVENT_TOO_LARGE; `where` is a JSON Pointer or the name of a header. Where one event of a batch is at fault, none is
// read.
Result<std::vector<json::Value>> read_cloud_events(const HttpHeaders& headers, std::string_view body,
                                                   const MakeEventId& make_id);

// One event that is JSON already. `where` is put before the pointers of its errors.
Result<json::Value> check_cloud_event(const json::Value& event, const MakeEventId& make_id,
                                      const std::string& where = "");

struct HttpEvent {
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
HttpEvent write_structured(const json::Value& event);
// Structured where the data could not be told from JSON, or from another event.
HttpEvent write_binary(const json::Value& event);

}  // namespace pawl::net
