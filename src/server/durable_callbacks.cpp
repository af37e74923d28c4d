// What the outside says to a durable execution that waits for it: success, failure, a sign of life.
#include "json/utf8.h"
#include "server/durable_reads.h"

namespace pawl::server {

namespace {

constexpr size_t kIdBytesMax = 1'024;
constexpr size_t kResultBytesMax = 262'144;

std::unexpected<Refusal> no_callback() { return refuse_parameter("Invalid callback id"); }

// The operation that a callback's id names, of an execution that is (still) there.
Outcome<TaskName> read_id(const Service& service, const LambdaRequest& request) {
  if (request.subject.size() > kIdBytesMax)
    return refuse_member("callbackId", "Member must have length less than or equal to 1024");
  const auto name = service.tokens.read(request.subject);
  if (!name) return no_callback();
  const auto row = service.store.find_execution(name->execution);
  if (!row) return refuse("ResourceNotFoundException", "Durable Execution does not exist");
  const RevisionPointer revision = service.catalog.find_revision(row->definition);
  if (revision == nullptr || !is_function(*revision)) return no_callback();
  return *name;
}

engine::Answer<void> answer_with(net::Respond respond) {
  return [respond = std::move(respond)](Result<void> result) mutable {
    if (result) return respond(lambda_answer(Value::empty_object()));
    if (result.error().code == "OPERATION_NOT_OPEN")
      return respond(
          lambda_refusal({"CallbackTimeoutException", "The callback has timed out, or has already been completed."}));
    respond(lambda_refusal(to_lambda_refusal(result.error())));
  };
}

void complete(Service& service, const TaskName& name, engine::TaskAnswer answer, net::Respond respond) {
  service.engine.complete(name.execution, name.operation, name.attempt, std::move(answer),
                          answer_with(std::move(respond)));
}

// The result is bytes to AWS; here it is text, as everything that the code of a function reads.
Outcome<Value> read_result(const LambdaRequest& request) {
  const std::string& body = request.http.body;
  if (body.size() > kResultBytesMax)
    return refuse_member("result", "Member must have length less than or equal to " + std::to_string(kResultBytesMax));
  if (json::find_invalid_utf8(body) != body.size()) return refuse_parameter("The result is not UTF-8.");
  return body.empty() ? Value() : Value::string(body);
}

void succeed(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto name = read_id(service, request);
  if (!name) return respond(lambda_refusal(name.error()));
  auto result = read_result(request);
  if (!result) return respond(lambda_refusal(result.error()));
  complete(service, *name, engine::TaskAnswer::succeeded(*std::move(result)), std::move(respond));
}

void fail(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto name = read_id(service, request);
  if (!name) return respond(lambda_refusal(name.error()));
  auto error = read_error_object(request);
  if (!error) return respond(lambda_refusal(error.error()));
  complete(service, *name, {engine::TaskAnswer::Kind::kFailed, *std::move(error)}, std::move(respond));
}

void heartbeat(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto name = read_id(service, request);
  if (!name) return respond(lambda_refusal(name.error()));
  service.engine.heartbeat(name->execution, name->operation, name->attempt, answer_with(std::move(respond)));
}

constexpr LambdaRoute kRoutes[] = {
    {"SendDurableExecutionCallbackSuccess", "POST", "/2025-12-01/durable-execution-callbacks/{}/succeed", succeed},
    {"SendDurableExecutionCallbackFailure", "POST", "/2025-12-01/durable-execution-callbacks/{}/fail", fail},
    {"SendDurableExecutionCallbackHeartbeat", "POST", "/2025-12-01/durable-execution-callbacks/{}/heartbeat",
     heartbeat},
};

}  // namespace

std::span<const LambdaRoute> durable_callback_routes() { return kRoutes; }

}  // namespace pawl::server
