#include "cli/client.h"

#include <cstdlib>

#include "base/time.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_client.h"
#include "net/sigv4.h"
#include "net/url.h"

namespace pawl::cli {

namespace {

using json::text_at;
using json::Value;

constexpr Duration kInvokeMax = std::chrono::minutes(16);         // a function may be waited for for 15
constexpr Duration kStreamSilenceMax = std::chrono::seconds(60);  // the server gives a sign of life every 15 s

std::string environment(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

void sign(net::HttpRequest& request, std::string_view service) {
  const net::SigV4Key key{environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY")};
  const auto url = net::parse_url(request.url);
  if (key.access_key_id.empty() || key.secret.empty() || !url) return;
  request.headers.emplace_back("X-Amz-Date", net::format_sigv4_date(SystemClock().now()));
  net::HttpHeaders headers;
  headers.add("Host", url->host_header);
  for (const auto& [name, value] : request.headers) headers.add(name, value);
  const net::SigV4Request wanted{request.method, url->target, headers, request.body};
  request.headers.emplace_back("Authorization",
                               net::sign_sigv4(wanted, key, environment("AWS_REGION", "us-east-1"), service));
}

void bring_token(net::HttpRequest& request) {
  const std::string token = environment("PAWL_TOKEN");
  if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
}

std::unexpected<Error> unreachable(const Error& error, const std::string& endpoint) {
  return fail("SERVER_UNREACHABLE", "The server does not answer: " + error.what,
              "Start it with pawl serve, or name it with --endpoint.", endpoint);
}

struct KnownRefusal {
  std::string_view name;
  const char* fix;
};

constexpr KnownRefusal kKnownRefusals[] = {
    {"StateMachineDoesNotExist", "See `pawl list` for those there are, or deploy it with `pawl deploy FILE`."},
    {"ExecutionDoesNotExist", "See `pawl list MACHINE` for those there are."},
    {"ExecutionAlreadyExists", "Give it another --name."},
    {"ExecutionNotRedrivable", "Start another execution with the same input."},
    {"ActivityDoesNotExist", "See `pawl activity list`, or create it with `pawl activity create NAME`."},
    {"StateMachineDisabled", "Enable it with `pawl enable NAME`."},
    {"DEFINITION_NOT_FOUND", "See `pawl list` for those there are, or deploy it with `pawl deploy FILE`."},
    {"EXECUTION_NOT_FOUND", "See `pawl list MACHINE` for those there are."},
    {"DEFINITION_DISABLED", "Enable it with `pawl enable NAME`."},
    {"UNAUTHORIZED", "Put an access token of the server into the environment variable PAWL_TOKEN."},
    {"FORBIDDEN", "Use a token with a role that may do this."},
    {"TaskTimedOut", "Nothing to do: the task was ended, or its execution was."},
    {"TaskDoesNotExist", "Nothing to do: the task was ended, or its execution was."},
    {"InvalidToken", "Give the whole token, as the task got it from this server."},
    {"ThrottlingException", "Try again in a moment."},
    {"TooManyRequestsException", "Try again in a moment."},
    {"ResourceNotFoundException", "See `pawl list` for the functions there are, `pawl list FUNCTION` for executions."},
    {"DurableExecutionAlreadyStartedException", "Give it another --name, or the payload that it was started with."},
    {"CallbackTimeoutException", "Nothing to do: the callback has been answered, or its time is up."},
};

std::string fix_of(std::string_view name) {
  for (const KnownRefusal& known : kKnownRefusals)
    if (known.name == name) return known.fix;
  return "Change the request as the cause says.";
}

// AWS's protocol names the error by its type, Pawl's own by its code.
std::unexpected<Error> refused(const Value& body) {
  const std::string name(text_at(body, "__type", text_at(body, "code")));
  return fail("SERVER_REFUSED", std::string(text_at(body, "message")), fix_of(name), name);
}

// Lambda's API names the error in a header; what is refused before it got there has a code.
std::unexpected<Error> refused(const LambdaAnswer& answer) {
  const auto body = json::parse(answer.body);
  std::string name = answer.header("x-amzn-errortype");
  if (body && name.empty()) name = text_at(*body, "code");
  const std::string_view message = body ? text_at(*body, "Message", text_at(*body, "message")) : std::string_view();
  return fail("SERVER_REFUSED", std::string(message), fix_of(name), name);
}

}  // namespace

std::string LambdaAnswer::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

Result<LambdaAnswer> Client::call_lambda(const std::string& method, const std::string& path, std::string body,
                                         std::vector<std::pair<std::string, std::string>> headers) const {
  net::HttpRequest request;
  request.method = method;
  request.url = endpoint_ + path;
  request.body = std::move(body);
  request.authorities_file = authorities_file_;
  request.timeout = kInvokeMax;
  request.headers = std::move(headers);
  sign(request, "lambda");
  auto response = net::send(request);
  if (!response) return unreachable(response.error(), endpoint_);
  LambdaAnswer answer{response->status, std::move(response->body), std::move(response->headers)};
  if (answer.status >= 300) return refused(answer);
  return answer;
}

Result<Value> Client::ask_lambda(const std::string& method, const std::string& path, const Value& body) const {
  PAWL_TRY(const LambdaAnswer answer, call_lambda(method, path, body.is_null() ? "" : json::print(body)));
  auto parsed = json::parse(answer.body);
  if (parsed && parsed->is_object()) return parsed;
  return fail("SERVER_ANSWER", "The answer of the server is no JSON object.", "Check that --endpoint is a Pawl server.",
              endpoint_);
}

Result<Value> Client::send(const std::string& method, const std::string& path, std::string_view target,
                           std::string body, const std::stop_token& stop) const {
  net::HttpRequest request;
  request.method = method;
  request.url = endpoint_ + path;
  request.body = std::move(body);
  request.authorities_file = authorities_file_;
  request.headers.emplace_back("Content-Type", "application/x-amz-json-1.0");
  if (target.empty()) {
    bring_token(request);
  } else {
    request.headers.emplace_back("X-Amz-Target", "AWSStepFunctions." + std::string(target));
    sign(request, "states");
  }
  const auto response = net::send(request, stop);
  if (!response) return unreachable(response.error(), endpoint_);
  auto parsed = json::parse(response->body);
  if (!parsed || !parsed->is_object())
    return fail("SERVER_ANSWER", "The answer of the server is no JSON object.",
                "Check that --endpoint is a Pawl server.", endpoint_);
  if (response->status >= 300) return refused(*parsed);
  return parsed;
}

Result<Value> Client::call(std::string_view operation, const Value& request, const std::stop_token& stop) const {
  return send("POST", "/", operation, json::print(request), stop);
}

Result<Value> Client::ask(const std::string& method, const std::string& path, const Value& body) const {
  return send(method, path, "", body.is_null() ? "" : json::print(body));
}

Result<int> Client::stream(const std::string& path, const std::string& last_event_id,
                           const std::function<void(std::string_view)>& on_body, const std::stop_token& stop) const {
  net::HttpRequest request;
  request.method = "GET";
  request.url = endpoint_ + path;
  request.authorities_file = authorities_file_;
  request.timeout = kStreamSilenceMax;
  request.on_body = on_body;
  if (!last_event_id.empty()) request.headers.emplace_back("Last-Event-ID", last_event_id);
  bring_token(request);
  const auto response = net::send(request, stop);
  if (!response) return unreachable(response.error(), endpoint_);
  if (response->status < 300) return response->status;
  const auto parsed = json::parse(response->body);
  return refused(parsed && parsed->is_object() ? *parsed : Value::empty_object());
}

Result<std::string> Client::arn_prefix() const {
  PAWL_TRY(const Value health, send("GET", "/health", "", ""));
  return "arn:aws:states:" + std::string(text_at(health, "region")) + ":" + std::string(text_at(health, "account")) +
         ":";
}

Result<std::string> Client::machine_arn(const std::string& name) const {
  if (name.starts_with("arn:")) return name;
  PAWL_TRY(const std::string prefix, arn_prefix());
  return prefix + "stateMachine:" + name;
}

Result<std::string> Client::execution_arn(const std::string& name) const {
  if (name.starts_with("arn:")) return name;
  PAWL_TRY(const std::string prefix, arn_prefix());
  return prefix + "execution:" + name;
}

Result<std::string> Client::activity_arn(const std::string& name) const {
  if (name.starts_with("arn:")) return name;
  PAWL_TRY(const std::string prefix, arn_prefix());
  return prefix + "activity:" + name;
}

}  // namespace pawl::cli
