#include "connect/http_invoke.h"

#include <algorithm>
#include <array>

#include "connect/answers.h"
#include "connect/form_encoding.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_server_message.h"
#include "net/url.h"

namespace pawl::connect {

namespace {

using json::Value;

constexpr std::array<std::string_view, 7> kMethods = {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"};
constexpr const char* kForm = "application/x-www-form-urlencoded";

// A member of a member, down a path; null where there is none.
const Value* find_below(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* at = &value;
  for (const std::string_view name : path) {
    if (!at->is_object()) return nullptr;
    at = at->find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string_view text_below(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* found = find_below(value, path);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

ArrayFormat array_format(const Value& parameters) {
  const std::string_view name = text_below(parameters, {"Transform", "RequestEncodingOptions", "ArrayFormat"});
  if (name == "REPEAT") return ArrayFormat::kRepeat;
  if (name == "COMMAS") return ArrayFormat::kCommas;
  if (name == "BRACKETS") return ArrayFormat::kBrackets;
  return ArrayFormat::kIndices;
}

bool is_form(const Value& parameters) {
  return text_below(parameters, {"Transform", "RequestBodyEncoding"}) == "URL_ENCODED";
}

std::string header_text(const Value& value) {
  if (!value.is_array()) return value.is_string() ? std::string(value.as_string()) : json::print(value);
  std::string joined;
  for (const Value& item : value.items()) joined += (joined.empty() ? "" : ", ") + header_text(item);
  return joined;
}

bool has_header(const net::HttpRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers,
                             [&](const auto& header) { return net::equals_ignoring_case(header.first, name); });
}

// Where a name comes twice the later one counts, so the connection's come last.
void add_headers(const Value& parameters, const TaskTarget& connection, net::HttpRequest& http) {
  http.headers.emplace_back("User-Agent", "pawl");
  if (const Value* headers = parameters.find("Headers"); headers != nullptr && headers->is_object())
    for (const json::Member& header : headers->members())
      http.headers.emplace_back(std::string(header.key.as_string()), header_text(header.value));
  for (const auto& [name, value] : connection.headers) http.headers.emplace_back(name, value.text);
}

std::string_view content_type_of(const net::HttpRequest& request) {
  for (const auto& [name, value] : request.headers)
    if (net::equals_ignoring_case(name, "Content-Type")) return value;
  return {};
}

// A text goes as it is where it is said not to be JSON.
void add_body(const Value& parameters, net::HttpRequest& http) {
  const Value* body = parameters.find("RequestBody");
  if (body == nullptr) return;
  const bool form = is_form(parameters) && body->is_object();
  if (!has_header(http, "Content-Type")) http.headers.emplace_back("Content-Type", form ? kForm : "application/json");
  const bool is_json = content_type_of(http).contains("json");
  if (form)
    http.body = form_encoded(*body, array_format(parameters));
  else if (body->is_string() && !is_json)
    http.body = body->as_string();
  else
    http.body = json::print(*body);
}

std::string url_of(const Value& parameters) {
  std::string url(text_below(parameters, {"ApiEndpoint"}));
  const Value* query = parameters.find("QueryParameters");
  if (query == nullptr || !query->is_object()) return url;
  const std::string text = form_encoded(*query, ArrayFormat::kRepeat);
  if (!text.empty()) url += (url.contains('?') ? "&" : "?") + text;
  return url;
}

Value headers_of(const net::HttpResponse& response) {
  Value headers = Value::empty_object();
  for (const auto& [name, text] : response.headers) {
    const Value* before = headers.find(name);
    json::ArrayBuilder texts;
    if (before != nullptr)
      for (const Value& item : before->items()) texts.push(item);
    texts.push(Value::string(presentable(text)));
    headers = headers.with_member(name, texts.build());
  }
  return headers;
}

// JSON where it is, else a text.
Value body_of(const net::HttpResponse& response) {
  if (auto parsed = json::parse(response.body)) return *std::move(parsed);
  return Value::string(utf8_text(response.body));
}

Value answer_of(const net::HttpResponse& response) {
  json::ObjectBuilder answer(4);
  answer.set("Headers", headers_of(response));
  answer.set("ResponseBody", body_of(response));
  answer.set("StatusCode", Value::integer(response.status));
  answer.set("StatusText", Value::string(presentable(response.reason)));
  return answer.build();
}

TaskAnswer transport_answer(const TaskRequest& request, const TaskTarget& connection, const Error& error) {
  const bool is_own_time = request.timeout && *request.timeout <= kHttpInvokeTimeMax;
  if (error.code == "HTTP_TIMEOUT" && is_own_time) return TaskAnswer::timed_out();
  if (error.code == "HTTP_TOO_LARGE") return too_large(request);
  return failure(connection, "States.Http.Socket", error.code + ": " + error.what);
}

}  // namespace

std::string connection_of(const Value& parameters) {
  for (const std::string_view place : {"Authentication", "InvocationConfig"})
    if (const std::string_view arn = text_below(parameters, {place, "ConnectionArn"}); !arn.empty())
      return std::string(arn);
  return {};
}

std::expected<net::HttpRequest, std::string> http_invoke_request(const TaskRequest& request,
                                                                 const TaskTarget& connection,
                                                                 size_t answer_bytes_max) {
  const Value& parameters = request.input;
  if (!parameters.is_object()) return std::unexpected("The Parameters are no object.");
  net::HttpRequest http;
  http.method = text_below(parameters, {"Method"});
  if (std::ranges::find(kMethods, http.method) == kMethods.end())
    return std::unexpected("Method is none of GET, POST, PUT, DELETE, PATCH, OPTIONS and HEAD.");
  http.url = url_of(parameters);
  if (const auto url = net::parse_url(http.url); !url) return std::unexpected("ApiEndpoint: " + url.error().what);
  add_headers(parameters, connection, http);
  add_body(parameters, http);
  if (!has_header(http, "Idempotency-Key")) http.headers.emplace_back("Idempotency-Key", request.idempotency_key);
  http.body_bytes_max = answer_bytes_max;
  http.timeout = std::min(kHttpInvokeTimeMax, request.timeout.value_or(kHttpInvokeTimeMax));
  return http;
}

TaskAnswer http_invoke_answer(const TaskRequest& request, const TaskTarget& connection,
                              const Result<net::HttpResponse>& response) {
  if (!response) return transport_answer(request, connection, response.error());
  if (response->status >= 200 && response->status < 300) return TaskAnswer::succeeded(answer_of(*response));
  const std::string cause = response->body.empty() ? response->reason : response->body;
  return failure(connection, "States.Http.StatusCode." + std::to_string(response->status), presentable(cause));
}

}  // namespace pawl::connect
