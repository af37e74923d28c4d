// Calls an HTTP endpoint: the task's input is POSTed as JSON, the JSON answer is its result.
#include "connect/answers.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_client.h"

namespace pawl::connect {

namespace {

// {"errorType": …, "errorMessage": …} is how functions say what went wrong.
std::optional<TaskAnswer> stated_error(const TaskTarget& target, const std::string& body) {
  const auto parsed = json::parse(body);
  if (!parsed) return std::nullopt;
  const Value* type = parsed->find("errorType");
  if (type == nullptr || !type->is_string()) return std::nullopt;
  const Value* message = parsed->find("errorMessage");
  const bool has_text = message != nullptr && message->is_string();
  return failure(target, type->as_string(), has_text ? std::string(message->as_string()) : json::print(*parsed));
}

}  // namespace

TaskAnswer refusal(const TaskTarget& target, const std::string& source, const net::HttpResponse& response) {
  if (auto stated = stated_error(target, response.body)) return *stated;
  std::string cause = source + " answered " + std::to_string(response.status) + " " + presentable(response.reason);
  if (response.status < 400) cause += ", and redirects are not followed";
  if (!response.body.empty()) cause += ": " + presentable(response.body);
  const bool forbidden = response.status == 401 || response.status == 403;
  return failure(target, forbidden ? "States.Permissions" : "States.TaskFailed", cause);
}

TaskAnswer no_answer(const TaskTarget& target, const TaskRequest& request, const std::string& source,
                     const Error& error) {
  if (error.code == "HTTP_TIMEOUT") return TaskAnswer::timed_out();
  if (error.code == "HTTP_TOO_LARGE") return too_large(request);
  return failure(target, "States.TaskFailed", source + ": " + error.code + ": " + error.what);
}

net::HttpRequest endpoint_request(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max) {
  net::HttpRequest http;
  http.url = target.url->text;
  http.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}, {"User-Agent", "pawl"}};
  http.headers.emplace_back("Idempotency-Key", request.idempotency_key);
  for (const auto& [name, value] : target.headers) http.headers.emplace_back(name, value.text);
  http.body = json::print(request.input);
  http.body_bytes_max = answer_bytes_max;
  if (auto timeout = timeout_of(target, request)) http.timeout = *timeout;
  return http;
}

TaskAnswer endpoint_answer(const TaskTarget& target, const TaskRequest& request,
                           const Result<net::HttpResponse>& response) {
  const std::string source = "POST " + target.url->written;
  if (!response) return no_answer(target, request, source, response.error());
  if (response->status < 200 || response->status >= 300) return refusal(target, source, *response);
  return json_answer(target, "The answer of " + source, response->body);
}

}  // namespace pawl::connect
