// What workers tell of tasks that wait for their token: success, failure, a sign of life.
#include "json/parse.h"
#include "server/service.h"

namespace pawl::server {

namespace {

constexpr Field kToken{"taskToken", FieldKind::kText, true, 1, 2048};
constexpr Field kSuccessFields[] = {kToken, {"output", FieldKind::kText, true, 0, 262'144}};
constexpr Field kFailureFields[] = {
    kToken, {"error", FieldKind::kText, false, 0, 256}, {"cause", FieldKind::kText, false, 0, 32'768}};
constexpr Field kHeartbeatFields[] = {kToken};

Outcome<TaskName> read_token(const Service& service, const Request& request) {
  const auto name = service.tokens.read(request.text("taskToken"));
  if (!name) return refuse_about("InvalidToken", "Invalid Token", "Invalid token");
  return *name;
}

engine::Answer<void> answer_with(Reply reply) {
  return [reply = std::move(reply)](Result<void> result) mutable {
    if (result) return reply(Value::empty_object());
    const std::string& code = result.error().code;
    if (code == "OPERATION_NOT_OPEN")
      return reply(refuse_about("TaskTimedOut", "Task Timed Out", "Provided task does not exist anymore"));
    if (code == "EXECUTION_NOT_FOUND")
      return reply(refuse_about("TaskDoesNotExist", "Task Does Not Exist", "The execution of the task does not exist"));
    reply(std::unexpected(to_refusal(result.error())));
  };
}

void complete(Service& service, const Request& request, engine::TaskAnswer answer, Reply reply) {
  const auto task = read_token(service, request);
  if (!task) return reply(std::unexpected(task.error()));
  service.engine.complete(task->execution, task->operation, task->attempt, std::move(answer),
                          answer_with(std::move(reply)));
}

void send_success(Service& service, const Request& request, Reply reply) {
  auto output = json::parse(request.text("output"));
  if (!output)
    return reply(
        refuse_about("InvalidOutput", "Invalid Output", output.error().what + " (" + output.error().where + ")"));
  complete(service, request, engine::TaskAnswer::succeeded(std::move(*output)), std::move(reply));
}

// Whoever gives no error or cause leaves null in the error that a Catch sees.
void send_failure(Service& service, const Request& request, Reply reply) {
  const auto given = [&](std::string_view name) {
    const Value* found = request.find(name);
    return found == nullptr ? Value() : *found;
  };
  json::ObjectBuilder error(2);
  error.set("Error", given("error"));
  error.set("Cause", given("cause"));
  complete(service, request, {engine::TaskAnswer::Kind::kFailed, error.build()}, std::move(reply));
}

void send_heartbeat(Service& service, const Request& request, Reply reply) {
  const auto task = read_token(service, request);
  if (!task) return reply(std::unexpected(task.error()));
  service.engine.heartbeat(task->execution, task->operation, task->attempt, answer_with(std::move(reply)));
}

constexpr Operation kOperations[] = {
    {"SendTaskSuccess", kSuccessFields, send_success},
    {"SendTaskFailure", kFailureFields, send_failure},
    {"SendTaskHeartbeat", kHeartbeatFields, send_heartbeat},
};

}  // namespace

std::span<const Operation> callback_operations() { return kOperations; }

}  // namespace pawl::server
