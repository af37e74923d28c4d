// Invoke: a durable function is started, once for each name; any other function is called.
#include <algorithm>
#include <memory>

#include "engine/lending.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/durable/update.h"
#include "server/durable_reads.h"
#include "server/function_connector.h"
#include "server/functions.h"
#include "server/lambda.h"

namespace pawl::server {

namespace {

using json::value_at;

constexpr size_t kSyncPayloadMax = 6'291'456;
constexpr size_t kEventPayloadMax = 1'048'576;

enum class InvocationType : uint8_t { kRequestResponse, kEvent, kDryRun };

// What was asked, kept until it is answered.
struct Invocation {
  InvocationType type = InvocationType::kRequestResponse;
  FoundFunction function;
  std::string name;    // of the execution; empty: none
  std::string tenant;  // for whom; empty: nobody was named
  std::string payload;
  Value input;
};

Outcome<InvocationType> read_type(const net::HttpHeaders& headers) {
  const std::string_view given = headers.get("x-amz-invocation-type");
  if (given.empty() || given == "RequestResponse") return InvocationType::kRequestResponse;
  if (given == "Event") return InvocationType::kEvent;
  if (given == "DryRun") return InvocationType::kDryRun;
  return refuse_member("invocationType", "Member must satisfy enum value set: [Event, RequestResponse, DryRun]");
}

Outcome<void> check_payload(const Invocation& invocation) {
  const bool is_event = invocation.type == InvocationType::kEvent;
  const size_t most = is_event ? kEventPayloadMax : kSyncPayloadMax;
  if (invocation.payload.size() <= most) return {};
  return refuse("RequestTooLargeException", std::to_string(invocation.payload.size()) +
                                                " byte payload is too large for the " +
                                                (is_event ? "Event" : "RequestResponse") + " invocation type (limit " +
                                                std::to_string(most) + " bytes)");
}

Outcome<void> check_tenant(std::string_view tenant) {
  if (functions::is_tenant(tenant) || tenant.empty()) return {};
  return refuse_member("tenantId", "Member must satisfy regular expression pattern: [a-zA-Z0-9\\._:\\/=+\\-@ ]+");
}

Outcome<void> check_durable(const Invocation& invocation) {
  const bool waits = invocation.type == InvocationType::kRequestResponse;
  if (waits && invocation.function.configuration.execution_timeout_seconds() > kSyncSecondsMax)
    return refuse_parameter(
        "You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.");
  return {};
}

Outcome<Invocation> read_invocation(const Service& service, const LambdaRequest& request) {
  Invocation invocation;
  PAWL_TRY(invocation.type, read_type(request.http.headers));
  PAWL_TRY(invocation.function, find_function(service, request.subject, request.text("Qualifier")));
  invocation.name = request.http.headers.get("x-amz-durable-execution-name");
  if (const auto named = check_execution_name(invocation.name); !named) return std::unexpected(named.error());
  invocation.tenant = request.http.headers.get("x-amz-tenant-id");
  if (const auto checked = check_tenant(invocation.tenant); !checked) return std::unexpected(checked.error());
  invocation.payload = request.http.body.empty() ? "{}" : request.http.body;
  if (const auto sized = check_payload(invocation); !sized) return std::unexpected(sized.error());
  auto input = json::parse(invocation.payload);
  if (!input)
    return refuse("InvalidRequestContentException", "Could not parse request body into json: " + input.error().what);
  invocation.input = *std::move(input);
  if (!invocation.function.configuration.is_durable()) {
    if (!invocation.name.empty()) return refuse_parameter("A durable execution name is for durable functions only.");
    return invocation;
  }
  if (const auto checked = check_durable(invocation); !checked) return std::unexpected(checked.error());
  return invocation;
}

// --- how it ended, as AWS tells whoever waited

net::HttpServerResponse failed_response(const Value& type, const Value& message, const Value& trace) {
  json::ObjectBuilder body(3);
  body.set("errorMessage", message);
  body.set("errorType", type);
  if (trace.is_array()) body.set("stackTrace", trace);
  auto response = lambda_answer(body.build());
  response.headers.emplace_back("X-Amz-Function-Error", "Unhandled");
  return response;
}

net::HttpServerResponse end_response(const Invocation& invocation, const engine::Closed& closed) {
  const Value& outcome = closed.outcome;
  if (closed.status == kernel::Status::kTimedOut)
    return failed_response(Value::string("Execution.TimedOut"),
                           Value::string(timeout_message(invocation.function.configuration)), {});
  if (closed.status != kernel::Status::kSucceeded)
    return failed_response(value_at(outcome, "Error"), value_at(outcome, "Cause"),
                           value_at(value_at(outcome, "ErrorObject"), "StackTrace"));
  net::HttpServerResponse response;
  response.body = outcome.is_string() ? std::string(outcome.as_string()) : "null";
  return response;
}

net::HttpServerResponse server_ends() {
  return lambda_refusal({"ServiceException", "The server ends; ask again with the same name.", 500});
}

// --- durable functions

engine::StartRequest start_request(const Service& service, const Invocation& invocation) {
  return durable_start(service, invocation.function, invocation.name, invocation.payload, invocation.input,
                       invocation.tenant);
}

// One that somebody waits for, or that has been accepted.
class Answerer {
 public:
  Answerer(Service& service, Invocation invocation, net::Respond respond)
      : service_(service), invocation_(std::move(invocation)), respond_(std::move(respond)) {}

  const Invocation& invocation() const { return invocation_; }

  void refuse(const Refusal& refusal) { respond_(lambda_refusal(refusal)); }
  void give(ExecutionId id, net::HttpServerResponse response) {
    const std::string name = invocation_.name.empty() ? generated_name(id) : invocation_.name;
    response.headers.emplace_back(
        "X-Amz-Durable-Execution-Arn",
        service_.arns.of_durable(invocation_.function.name, invocation_.function.version, name, id));
    response.headers.emplace_back("X-Amz-Executed-Version", invocation_.function.version);
    respond_(std::move(response));
  }
  void accept(ExecutionId id) { give(id, {.status = 202, .headers = {}, .body = {}}); }

  Service& service() { return service_; }

 private:
  Service& service_;
  Invocation invocation_;
  net::Respond respond_;
};
using AnswererPointer = std::shared_ptr<Answerer>;

ExecutionEnds::Told teller(const AnswererPointer& answerer, ExecutionId id) {
  return [answerer, id](const engine::Closed* closed) {
    answerer->give(id, closed == nullptr ? server_ends() : end_response(answerer->invocation(), *closed));
  };
}

// The name is taken: by the same start, whose result is given, or by another one.
void take_up(const AnswererPointer& answerer) {
  const Invocation& invocation = answerer->invocation();
  const auto named = find_in_family(answerer->service(), invocation.function.machine->family, invocation.name);
  const auto taken = [answerer] {
    answerer->refuse(
        {"DurableExecutionAlreadyStartedException",
         "A durable execution with the name '" + answerer->invocation().name + "' was started with another payload."});
  };
  if (named.empty()) return taken();
  const ExecutionId id = named.front().row.id;
  answerer->service().engine.describe(id, [answerer, id, taken](Result<engine::Description> description) {
    if (!description || description->input != answerer->invocation().input) return taken();
    if (answerer->invocation().type == InvocationType::kEvent) return answerer->accept(id);
    answerer->service().ends.join(answerer->service().engine, id, teller(answerer, id));
  });
}

void start_durable(Service& service, Invocation invocation, net::Respond respond) {
  engine::StartRequest start = start_request(service, invocation);
  const auto answerer = std::make_shared<Answerer>(service, std::move(invocation), std::move(respond));
  const engine::Lending lending;
  service.engine.start(std::move(start), [answerer](Result<engine::Started> started) {
    if (!started) {
      if (started.error().code == "EXECUTION_ALREADY_EXISTS") return take_up(answerer);
      return answerer->refuse(to_lambda_refusal(started.error()));
    }
    if (answerer->invocation().type == InvocationType::kEvent) return answerer->accept(started->execution);
    const ExecutionId id = started->execution;
    ExecutionEnds& ends = answerer->service().ends;
    if (!started->is_new) return ends.join(answerer->service().engine, id, teller(answerer, id));
    ends.add(id, teller(answerer, id));
  });
}

// --- other functions

net::HttpServerResponse call_response(const FoundFunction& function, const connect::CallEnd& end) {
  net::HttpServerResponse response;
  if (end.is_success)
    response.body = end.body;
  else
    response = failed_response(Value::string(end.error_type), Value::string(end.message), end.trace);
  response.headers.emplace_back("X-Amz-Executed-Version", function.version);
  return response;
}

// One that nobody waits for is an execution of its own: it is accepted when it is kept.
void start_plain(Service& service, const Invocation& invocation, net::Respond respond) {
  service.engine.start(start_request(service, invocation),
                       [respond = std::move(respond)](Result<engine::Started> started) mutable {
                         if (!started) return respond(lambda_refusal(to_lambda_refusal(started.error())));
                         respond({.status = 202, .headers = {}, .body = {}});
                       });
}

void call_plain(Service& service, const Invocation& invocation, net::Respond respond) {
  if (invocation.type == InvocationType::kEvent) return start_plain(service, invocation, std::move(respond));
  connect::FunctionCall call =
      service.functions.call_of(invocation.function, service.arns, random_name(), invocation.payload);
  call.tenant = invocation.tenant;
  service.functions.calls().submit(std::move(call),
                                   [function = invocation.function, respond = std::move(respond)](
                                       const connect::CallEnd& end) mutable { respond(call_response(function, end)); });
}

void invoke(Service& service, const LambdaRequest& request, net::Respond respond) {
  auto invocation = read_invocation(service, request);
  if (!invocation) return respond(lambda_refusal(invocation.error()));
  if (invocation->type == InvocationType::kDryRun) return respond({.status = 204, .headers = {}, .body = {}});
  if (!invocation->function.configuration.is_durable()) return call_plain(service, *invocation, std::move(respond));
  start_durable(service, *std::move(invocation), std::move(respond));
}

constexpr LambdaRoute kRoutes[] = {
    {"Invoke", "POST", "/2015-03-31/functions/{}/invocations", invoke},
};

}  // namespace

std::span<const LambdaRoute> invoke_routes() { return kRoutes; }

}  // namespace pawl::server
