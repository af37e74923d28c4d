#include "server/endpoint.h"

#include "json/parse.h"
#include "json/print.h"

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

void add_metric(std::string& out, std::string_view name, std::string_view help, uint64_t value) {
  out += "# HELP " + std::string(name) + " " + std::string(help) + "\n# TYPE " + std::string(name) + " counter\n";
  out += std::string(name) + " " + std::to_string(value) + "\n";
}

net::HttpServerResponse not_found() { return {404, {}, "{\"message\":\"There is nothing here.\"}"}; }

}  // namespace

void Endpoint::handle(net::HttpServerRequest request, net::Respond respond) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (request.method == "POST" && request.target == "/") return handle_operation(request, std::move(respond));
  if (reads && request.target == "/health") return respond({200, {}, health()});
  if (reads && request.target == "/metrics") {
    const auto known = authorization_.check(request, Role::kRead);
    return respond(known ? net::HttpServerResponse{200, {}, metrics(), kMetricsType} : refused_answer(known.error()));
  }
  respond(not_found());
}

void Endpoint::handle_operation(const net::HttpServerRequest& request, net::Respond respond) {
  auto reply = [this, id = ++last_request_, respond = std::move(respond)](Outcome<Value> outcome) mutable {
    count(outcome);
    net::HttpServerResponse response = to_response(outcome);
    response.headers.emplace_back("x-amzn-RequestId", generated_name(ExecutionId(id)));
    respond(std::move(response));
  };
  if (const auto known = credentials_.check(request, SystemClock().now()); !known)
    return reply(std::unexpected(known.error()));
  const std::string_view target = request.headers.get("x-amz-target");
  if (!target.starts_with(kTargetPrefix))
    return reply(
        refuse("UnknownOperationException", "The header X-Amz-Target names no operation of AWSStepFunctions."));
  auto body = json::parse(request.body.empty() ? "{}" : request.body);
  if (!body) return reply(refuse("SerializationException", body.error().what + " (" + body.error().where + ")"));
  run_operation(service_, target.substr(kTargetPrefix.size()), std::move(*body), std::move(reply));
}

void Endpoint::count(const Outcome<Value>& outcome) {
  if (outcome)
    ++counts_.succeeded;
  else
    ++(outcome.error().status < 500 ? counts_.refused : counts_.failed);
}

// A client finds the ARNs of a server by its region and account.
std::string Endpoint::health() const {
  json::ObjectBuilder body(4);
  body.set("status", Value::string("ok"));
  body.set("version", Value::string(version_));
  body.set("region", Value::string(service_.arns.region()));
  body.set("account", Value::string(service_.arns.account()));
  return json::print(body.build());
}

std::string Endpoint::metrics() const {
  const engine::WriterStatistics statistics = service_.engine.statistics();
  std::string out;
  add_metric(out, "pawl_commits_total", "Commits made durable.", statistics.commits);
  add_metric(out, "pawl_batches_total", "Batches of shards in these commits.", statistics.batches);
  add_metric(out, "pawl_executions_started_total", "Executions started.", statistics.started);
  add_metric(out, "pawl_executions_closed_total", "Executions that ended.", statistics.closed);
  add_metric(out, "pawl_executions_redriven_total", "Executions that went on after an end without success.",
             statistics.redriven);
  add_metric(out, "pawl_requests_succeeded_total", "Requests of the protocol that succeeded.", counts_.succeeded);
  add_metric(out, "pawl_requests_refused_total", "Requests that were refused.", counts_.refused);
  add_metric(out, "pawl_requests_failed_total", "Requests that the server failed at.", counts_.failed);
  return out;
}

}  // namespace pawl::server
