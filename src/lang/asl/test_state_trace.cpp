// What the level TRACE adds: the request and the response of an HTTP Task.
#include "json/print.h"
#include "lang/asl/test_state.h"
#include "lang/asl/test_state_request.h"

namespace pawl::asl {

namespace {

using json::ObjectBuilder;

constexpr std::string_view kHttpInvoke = "arn:aws:states:::http:invoke";
constexpr std::string_view kProtocol = "HTTP/1.1";

void set_text(ObjectBuilder& object, std::string_view name, const Value& value) {
  if (value.is_null()) return;
  object.set(name, value.is_string() ? value : Value::string(json::print(value)));
}

std::string url_of(const Value& parameters) {
  std::string url = text_at(parameters, "ApiEndpoint");
  const Value query = value_at(parameters, "QueryParameters");
  if (!query.is_object()) return url;
  char separator = url.find('?') == std::string::npos ? '?' : '&';
  for (const json::Member& member : query.members()) {
    const Value& value = member.value;
    url += separator + std::string(member.key.as_string()) + "=";
    url += value.is_string() ? std::string(value.as_string()) : json::print(value);
    separator = '&';
  }
  return url;
}

Value request_of(const Value& parameters) {
  ObjectBuilder request(5);
  request.set("protocol", Value::string(kProtocol));
  set_text(request, "method", value_at(parameters, "Method"));
  request.set("url", Value::string(url_of(parameters)));
  set_text(request, "headers", value_at(parameters, "Headers"));
  set_text(request, "body", value_at(parameters, "RequestBody"));
  return request.build();
}

Value response_of(const Value& result) {
  ObjectBuilder response(5);
  response.set("protocol", Value::string(kProtocol));
  set_text(response, "statusCode", value_at(result, "StatusCode"));
  set_text(response, "statusMessage", value_at(result, "StatusText"));
  set_text(response, "headers", value_at(result, "Headers"));
  set_text(response, "body", value_at(result, "ResponseBody"));
  return response.build();
}

}  // namespace

// Made from what went in and came out: nothing is added to a request on its way, so there is no secret to hide.
void StateTest::set_trace(ObjectBuilder& inspected) const {
  if (text_at(state_, "Resource") != kHttpInvoke) return;
  for (const auto& [stage, value] : probe_.data) {
    if (stage == seen::kAfterParameters) inspected.set("request", request_of(value));
    if (stage == seen::kResult) inspected.set("response", response_of(value));
  }
}

}  // namespace pawl::asl
