#include "connect/runtime_api.h"

#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::connect {

namespace {

constexpr std::string_view kInvocation = "/invocation/";

net::HttpServerResponse accepted() { return {.status = 202, .headers = {}, .body = "{\"status\":\"OK\"}\n"}; }

net::HttpServerResponse refused(int status, std::string_view type, std::string_view message) {
  json::ObjectBuilder body(2);
  body.set("errorType", json::Value::string(type));
  body.set("errorMessage", json::Value::string(message));
  return {.status = status, .headers = {}, .body = json::print(body.build())};
}

net::HttpServerResponse to_response(FunctionCall call) {
  net::HttpServerResponse response{.status = 200, .headers = {}, .body = std::move(call.event)};
  response.headers.emplace_back("Lambda-Runtime-Aws-Request-Id", call.id);
  response.headers.emplace_back("Lambda-Runtime-Invoked-Function-Arn", call.arn);
  if (call.deadline != kNever)
    response.headers.emplace_back("Lambda-Runtime-Deadline-Ms",
                                  std::to_string(call.deadline.time_since_epoch().count()));
  if (!call.trace.empty()) response.headers.emplace_back("Lambda-Runtime-Trace-Id", call.trace);
  if (!call.tenant.empty()) response.headers.emplace_back("Lambda-Runtime-Aws-Tenant-Id", call.tenant);
  return response;
}

// {"errorMessage", "errorType", "stackTrace"}; AWS's Node runtime says "trace".
CallEnd read_failure(const net::HttpServerRequest& request) {
  CallEnd end;
  if (const auto body = json::parse(request.body)) {
    end.error_type = json::text_at(*body, "errorType");
    end.message = json::text_at(*body, "errorMessage");
    for (const std::string_view name : {"stackTrace", "trace"})
      if (const json::Value* trace = body->find(name); trace != nullptr && trace->is_array()) end.trace = *trace;
  }
  if (end.error_type.empty()) end.error_type = request.headers.get("lambda-runtime-function-error-type");
  if (end.error_type.empty()) end.error_type = "Unhandled";
  return end;
}

}  // namespace

// Where the worker goes away while it waits, its place is given up.
void RuntimeApi::hand_out_next(const net::HttpServerRequest& request, net::Respond respond) {
  const NextId id =
      calls_.next(worker_, function_, [respond = std::move(respond)](std::optional<FunctionCall> call) mutable {
        respond(call ? to_response(*std::move(call)) : refused(503, "ServiceUnavailable", "The server ends."));
      });
  if (request.client != nullptr) request.client->when_gone([id, &calls = calls_] { calls.forget(id); });
}

bool RuntimeApi::take_end(std::string_view id, std::string_view what, const net::HttpServerRequest& request) {
  if (what == "response") return calls_.answer(worker_, id, request.body);
  return calls_.fail(worker_, id, read_failure(request));
}

void RuntimeApi::handle(std::string_view path, const net::HttpServerRequest& request, net::Respond respond) {
  path.remove_prefix(kRuntimePath.size());
  if (request.method == "GET" && path == "/invocation/next") return hand_out_next(request, std::move(respond));
  if (request.method == "POST" && path == "/init/error") {
    const CallEnd failure = read_failure(request);
    if (init_failed_) init_failed_(failure.error_type, failure.message);
    return respond(accepted());
  }
  const size_t slash = path.rfind('/');
  const bool is_end = request.method == "POST" && path.starts_with(kInvocation) && slash > kInvocation.size();
  const std::string_view what = is_end ? path.substr(slash + 1) : std::string_view();
  if (what != "response" && what != "error")
    return respond(refused(404, "InvalidRequest", "The Runtime API has nothing here."));
  const std::string_view id = path.substr(kInvocation.size(), slash - kInvocation.size());
  if (take_end(id, what, request)) return respond(accepted());
  respond(refused(400, "InvalidRequestID", "The call has ended, or is not this worker's."));
}

}  // namespace pawl::connect
