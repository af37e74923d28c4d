#include "connect/operation_call.h"

#include "connect/answers.h"
#include "openapi/request.h"

namespace pawl::connect {

namespace {

constexpr const char* kAccept = "application/json, */*;q=0.5";

// "GET https://pets.example/pets/{petId}": what a cause may show, since arguments may be secret.
std::string source_of(const TaskRequest& request) {
  const auto operation = openapi::read_operation(request.endpoint);
  return operation ? operation->method + " " + operation->url : request.resource;
}

std::string_view content_type_of(const net::HttpResponse& response) {
  for (const auto& [name, value] : response.headers)
    if (name == "content-type") return value;
  return {};
}

}  // namespace

Result<net::HttpRequest> operation_request(const TaskTarget& connection, const TaskRequest& request,
                                           size_t answer_bytes_max) {
  PAWL_TRY(const openapi::Operation operation, openapi::read_operation(request.endpoint));
  PAWL_TRY(openapi::Request made, openapi::make_request(operation, request.input));
  net::HttpRequest http;
  http.method = std::move(made.method);
  http.url = std::move(made.url);
  http.headers = {{"Accept", kAccept}, {"User-Agent", "pawl"}, {"Idempotency-Key", request.idempotency_key}};
  for (auto& header : made.headers) http.headers.push_back(std::move(header));
  for (const auto& [name, value] : connection.headers) http.headers.emplace_back(name, value.text);
  http.body = std::move(made.body);
  http.body_bytes_max = answer_bytes_max;
  if (const auto timeout = timeout_of(connection, request)) http.timeout = *timeout;
  return http;
}

TaskAnswer operation_answer(const TaskTarget& connection, const TaskRequest& request,
                            const Result<net::HttpResponse>& response) {
  const std::string source = source_of(request);
  if (!response) return no_answer(connection, request, source, response.error());
  if (response->status < 200 || response->status >= 300) return refusal(connection, source, *response);
  const std::string_view type = content_type_of(*response);
  const bool is_text = !type.empty() && !type.contains("json") && !response->body.empty();
  if (is_text) return TaskAnswer::succeeded(Value::string(utf8_text(response->body)));
  return json_answer(connection, "The answer of " + source, response->body);
}

}  // namespace pawl::connect
