#include "server/function_connector.h"

#include <cstdio>

#include "json/parse.h"
#include "json/print.h"
#include "server/arns.h"
#include "server/functions.h"

namespace pawl::server {

namespace {

using engine::TaskAnswer;

constexpr size_t kIdPrefixSize = 24;  // of a UUID: all but its last group

uint32_t number_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr || !found->is_number() ? 0 : static_cast<uint32_t>(found->as_integer().value_or(0));
}

// A durable execution's ARN begins with its function's.
std::string function_arn_of(const Value& event) {
  const Value* arn = event.find("DurableExecutionArn");
  const std::string_view whole = arn != nullptr && arn->is_string() ? arn->as_string() : std::string_view();
  return std::string(whole.substr(0, whole.find('/')));
}

}  // namespace

TaskAnswer to_task_answer(const connect::CallEnd& end) {
  if (end.is_success) {
    auto body = json::parse(end.body);
    return TaskAnswer::succeeded(body ? *std::move(body) : Value());
  }
  json::ObjectBuilder failure(3);
  failure.set("Error", Value::string(end.error_type));
  failure.set("Cause", Value::string(end.message));
  if (end.trace.is_array()) failure.set("StackTrace", end.trace);
  return {TaskAnswer::Kind::kFailed, failure.build()};
}

FunctionConnector::FunctionConnector(TaskTokens& tokens)
    : tokens_(tokens), id_prefix_(random_name().substr(0, kIdPrefixSize)) {}

std::string FunctionConnector::call_id(engine::TaskId task) const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%012llx", static_cast<unsigned long long>(task.number));
  return id_prefix_ + digits;
}

bool FunctionConnector::claims(const engine::TaskRequest& request) {
  return request.resource.starts_with(kFunctionPrefix) && request.input.find("event") != nullptr;
}

void FunctionConnector::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  call_code(request, std::move(answer));
}

void FunctionConnector::call_code(const engine::TaskRequest& request, engine::AnswerTask answer) {
  if (request.is_repeated)
    return answer(TaskAnswer::failed("Runtime.Interrupted", "The server ended while the function ran."));
  const Value event = *request.input.find("event");
  const std::string token = tokens_.mint(request.execution, request.operation, number_at(request.input, "sequence"));
  connect::FunctionCall call;
  call.id = call_id(request.task);
  call.function = request.state;
  call.arn = function_arn_of(event);
  call.event = json::print(event.with_member("CheckpointToken", Value::string(token)));
  call.timeout = std::chrono::seconds(number_at(request.endpoint, "timeout"));
  calls_.submit(std::move(call),
                [answer = std::move(answer)](const connect::CallEnd& end) { answer(to_task_answer(end)); });
}

}  // namespace pawl::server
