#include "server/endpoint.h"

#include <algorithm>
#include <array>

#include "connect/trace_context.h"
#include "json/parse.h"
#include "json/print.h"
#include "server/lambda.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

constexpr std::string_view kTargetPrefix = "AWSStepFunctions.";
constexpr const char* kProtocolType = "application/x-amz-json-1.0";
constexpr const char* kMetricsType = "text/plain; version=0.0.4";

net::HttpServerResponse to_response(const Outcome<Value>& outcome) {
  net::HttpServerResponse response;
  response.content_type = kProtocolType;
  if (outcome) {
    response.body = json::print(*outcome);
    return response;
  }
  const Refusal& refusal = outcome.error();
  json::ObjectBuilder body(2);
  body.set("__type", Value::string(refusal.type));
  body.set("message", Value::string(refusal.message));
  response.status = refusal.status;
  response.body = json::print(body.build());
  if (refusal.is_overload) response.headers.emplace_back("Retry-After", "1");
  return response;
}

// Operations that an operator wants to know of: what they change stays.
bool changes_definitions(std::string_view operation) {
  constexpr std::array<std::string_view, 5> kVerbs = {"Create", "Update", "Delete", "Publish", "Redrive"};
  return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return operation.starts_with(verb); });
}

// The name or ARN that a request is about; of a payload nothing is told.
std::string subject_of(const Value& body) {
  for (const std::string_view name : {"stateMachineArn", "executionArn", "stateMachineVersionArn",
                                      "stateMachineAliasArn", "activityArn", "resourceArn", "mapRunArn", "name"}) {
    const Value* found = body.find(name);
    if (found != nullptr && found->is_string()) return std::string(found->as_string());
  }
  return "";
}

// A start that comes with a traceparent, and says no traceHeader, continues that trace.
Value continue_trace(std::string_view operation, const net::HttpServerRequest& request, Value body) {
  const std::string_view parent = request.headers.get(connect::kTraceParent);
  const bool is_start = operation == "StartExecution" || operation == "StartSyncExecution";
  const bool is_continued = is_start && connect::is_trace_parent(parent) && body.is_object();
  if (!is_continued || body.find("traceHeader") != nullptr) return body;
  return body.with_member("traceHeader", Value::string(parent));
}

LogLevel level_of(const Refusal& refusal) {
  if (refusal.status >= 500) return LogLevel::kError;
  const bool is_unknown = refusal.status == 401 || refusal.status == 403;
  return is_unknown || refusal.is_overload ? LogLevel::kWarning : LogLevel::kDebug;
}

net::HttpServerResponse not_found() { return {404, {}, "{\"message\":\"There is nothing here.\"}"}; }

}  // namespace

std::vector<std::string_view> Endpoint::routes() {
  std::vector<std::string_view> names = operation_names();
  names.insert(names.end(), {"/health", "/metrics"});
  for (const Route& route : rest_routes()) names.push_back(route.path);
  for (const LambdaRoute& route : lambda_routes()) names.push_back(route.operation);
  return names;
}

void Endpoint::handle(net::HttpServerRequest request, net::Respond respond) {
  if (is_lambda(request.target)) return handle_functions(request, std::move(respond));
  if (RuntimeWorkers::is_runtime(request.target)) return parts_.workers.handle(request, std::move(respond));
  if (request.body.size() > parts_.body_bytes_max)
    return respond(net::error_answer(413, "The body is larger than the limit."));
  if (request.method == "POST" && request.target == "/") return handle_operation(request, std::move(respond));
  if (is_rest(request.target)) return handle_own(request, std::move(respond));
  const Stopwatch watch;
  net::HttpServerResponse response = answer(request);
  parts_.requests.observe(request.target, response.status, watch.elapsed_us());
  log_refusal(request.target, request.peer, response.status);
  respond(std::move(response));
}

void Endpoint::handle_functions(const net::HttpServerRequest& request, net::Respond respond) {
  const std::string_view operation = lambda_operation(request.method, request.target);
  auto counted = [this, watch = Stopwatch(), operation, peer = request.peer,
                  id = generated_name(ExecutionId(++last_request_)),
                  respond = std::move(respond)](net::HttpServerResponse response) mutable {
    parts_.requests.observe(operation, response.status, watch.elapsed_us());
    log_refusal(operation, peer, response.status);
    response.headers.emplace_back("x-amzn-RequestId", std::move(id));
    respond(std::move(response));
  };
  handle_lambda(service_, parts_.credentials, request, std::move(counted));
}

void Endpoint::handle_own(const net::HttpServerRequest& request, net::Respond respond) {
  const std::string_view path = rest_path(request.target);
  const bool changes = request.method != "GET" && path.starts_with("/api/definitions");
  auto counted = [this, watch = Stopwatch(), path, subject = request.method + " " + request.target, changes,
                  peer = request.peer, respond = std::move(respond)](net::HttpServerResponse response) mutable {
    parts_.requests.observe(path, response.status, watch.elapsed_us());
    log_refusal(path, peer, response.status);
    if (changes && response.status < 300)
      parts_.log.write(LogLevel::kInfo, "definition changed", {{"operation", path}, {"subject", subject}});
    respond(std::move(response));
  };
  handle_rest(service_, parts_.authorization, request, std::move(counted));
}

void Endpoint::log_refusal(std::string_view route, const std::string& peer, int status) {
  if (status != 401 && status != 403) return;
  parts_.log.write(LogLevel::kWarning, "request refused",
                   {{"route", route}, {"status", std::to_string(status)}, {"peer", peer}});
}

net::HttpServerResponse Endpoint::answer(const net::HttpServerRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && request.target == "/health") return {200, {}, health()};
  if (!reads || request.target != "/metrics") return not_found();
  const auto known = parts_.authorization.check(request, Role::kRead);
  if (!known) return refused_answer(known.error());
  return {200, {}, parts_.metrics.print(), kMetricsType};
}

void Endpoint::handle_operation(const net::HttpServerRequest& request, net::Respond respond) {
  std::string_view target = request.headers.get("x-amz-target");
  const bool is_ours = target.starts_with(kTargetPrefix);
  if (is_ours) target.remove_prefix(kTargetPrefix.size());
  const auto known = parts_.credentials.check(request, SystemClock().now());
  auto body = known ? json::parse(request.body.empty() ? "{}" : request.body) : Value();
  auto reply = [this, watch = Stopwatch(), id = generated_name(ExecutionId(++last_request_)),
                operation = std::string(target), subject = body ? subject_of(*body) : "", peer = request.peer,
                respond = std::move(respond)](Outcome<Value> outcome) mutable {
    net::HttpServerResponse response = to_response(outcome);
    parts_.requests.observe(operation, response.status, watch.elapsed_us());
    log_operation(operation, subject, peer, id, outcome);
    response.headers.emplace_back("x-amzn-RequestId", std::move(id));
    respond(std::move(response));
  };
  if (!known) return reply(std::unexpected(known.error()));
  if (!is_ours)
    return reply(
        refuse("UnknownOperationException", "The header X-Amz-Target names no operation of AWSStepFunctions."));
  if (!body) return reply(refuse("SerializationException", body.error().what + " (" + body.error().where + ")"));
  run_operation(service_, target, continue_trace(target, request, *std::move(body)), std::move(reply), request.client);
}

void Endpoint::log_operation(std::string_view operation, const std::string& subject, const std::string& peer,
                             const std::string& request_id, const Outcome<Value>& outcome) {
  if (outcome) {
    if (!changes_definitions(operation)) return;
    return parts_.log.write(LogLevel::kInfo, "definition changed",
                            {{"operation", operation}, {"subject", subject}, {"request", request_id}});
  }
  const Refusal& refusal = outcome.error();
  parts_.log.write(level_of(refusal), refusal.status < 500 ? "request refused" : "request failed",
                   {{"operation", operation},
                    {"error", refusal.type},
                    {"subject", subject},
                    {"peer", peer},
                    {"request", request_id}});
}

// A client finds the ARNs of a server by its region and account.
std::string Endpoint::health() const {
  json::ObjectBuilder body(4);
  body.set("status", Value::string("ok"));
  body.set("version", Value::string(parts_.version));
  body.set("region", Value::string(service_.arns.region()));
  body.set("account", Value::string(service_.arns.account()));
  return json::print(body.build());
}

}  // namespace pawl::server
