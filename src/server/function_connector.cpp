#include "server/function_connector.h"

#include <cstdio>

#include "connect/integration.h"
#include "connect/lambda_invoke.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/durable/views.h"
#include "server/arns.h"
#include "server/starts.h"

namespace pawl::server {

namespace {

using engine::TaskAnswer;
using json::text_at;
using json::value_at;

constexpr size_t kIdPrefixSize = 24;  // of a UUID: all but its last group
constexpr std::string_view kFunctionArns = "arn:aws:lambda:";
constexpr std::string_view kMachineArns = "arn:aws:states:";

// An execution's ARN begins with its function's.
std::string function_arn_of(std::string_view execution_arn) {
  return std::string(execution_arn.substr(0, execution_arn.find('/')));
}

Value error_object(const Value& type, const Value& message, const Value& trace = {}) {
  json::ObjectBuilder error(3);
  if (!type.is_null()) error.set("ErrorType", type);
  if (!message.is_null()) error.set("ErrorMessage", message);
  if (trace.is_array()) error.set("StackTrace", trace);
  return error.build();
}

Value error_object(std::string_view type, std::string_view message) {
  return error_object(Value::string(type), Value::string(message));
}

TaskAnswer failed_answer(const connect::CallEnd& end) {
  json::ObjectBuilder failure(3);
  failure.set("Error", Value::string(end.error_type));
  failure.set("Cause", Value::string(end.message));
  if (end.trace.is_array()) failure.set("StackTrace", end.trace);
  return {TaskAnswer::Kind::kFailed, failure.build()};
}

// How the code of a durable function ended, as its execution takes it.
TaskAnswer code_answer(const connect::CallEnd& end) {
  if (!end.is_success) return failed_answer(end);
  auto body = json::parse(end.body);
  return TaskAnswer::succeeded(body ? *std::move(body) : Value());
}

// And that of another function, whose answer may be any text.
TaskAnswer plain_answer(const connect::CallEnd& end) {
  return end.is_success ? TaskAnswer::succeeded(Value::string(end.body)) : failed_answer(end);
}

// What a Task state on a function says: the Resource, or the parameter of lambda:invoke.
std::string called_function(const engine::TaskRequest& request) {
  if (request.resource.starts_with(kFunctionArns)) return request.resource;
  const auto integration = connect::parse_integration(request.resource);
  const bool is_invoke = integration && integration->is("lambda", "invoke") && request.input.is_object();
  return std::string(is_invoke ? text_at(request.input, "FunctionName") : std::string_view());
}

bool is_lambda_invoke(const engine::TaskRequest& request) { return !request.resource.starts_with(kFunctionArns); }

std::string qualifier_of(const engine::TaskRequest& request) {
  return std::string(is_lambda_invoke(request) ? text_at(request.input, "Qualifier") : std::string_view());
}

}  // namespace

FunctionConnector::FunctionConnector(TaskTokens& tokens)
    : tokens_(tokens), id_prefix_(random_name().substr(0, kIdPrefixSize)) {}

void FunctionConnector::serve(Service& service) {
  service_.store(&service);
  service_.notify_all();
}

Service& FunctionConnector::service() const {
  service_.wait(nullptr);
  return *service_.load();
}

std::string FunctionConnector::call_id(engine::TaskId task) const {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%012llx", static_cast<unsigned long long>(task.number));
  return id_prefix_ + digits;
}

// A version that has workers of its own is theirs; any other is for those of the function.
std::string FunctionConnector::queue_of(const std::string& name, std::string_view version) const {
  if (version == kLatest) return name;
  const std::string own = name + ":" + std::string(version);
  return calls_.is_served(own) ? own : name;
}

connect::FunctionCall FunctionConnector::call_of(const FoundFunction& function, const Arns& arns, std::string id,
                                                 std::string event) const {
  connect::FunctionCall call;
  call.id = std::move(id);
  call.function = queue_of(function.name, function.version);
  call.arn = arns.of_function(function.name, function.version);
  call.event = std::move(event);
  call.timeout = std::chrono::seconds(function.configuration.timeout_seconds());
  return call;
}

// --- the code of functions, for executions of their own

bool FunctionConnector::claims(const engine::TaskRequest& request) {
  const Value& input = request.input;
  const bool is_plain = input.find("arn") != nullptr && input.find("payload") != nullptr;
  return request.resource.starts_with(kFunctionPrefix) &&
         (input.find("event") != nullptr || input.find("function") != nullptr || is_plain);
}

FunctionConnector::Expect FunctionConnector::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  if (request.input.find("function") != nullptr) return call_chained(request, std::move(answer));
  if (request.input.find("event") != nullptr)
    call_code(request, std::move(answer));
  else
    call_plain(request, std::move(answer));
  return Expect::kAnswer;
}

void FunctionConnector::call_code(const engine::TaskRequest& request, engine::AnswerTask answer) {
  if (request.is_repeated)
    return answer(TaskAnswer::failed("Runtime.Interrupted", "The server ended while the function ran."));
  const Value event = *request.input.find("event");
  const std::string token = tokens_.mint(request.execution, request.operation,
                                         static_cast<uint32_t>(json::integer_at(request.input, "sequence")));
  submit(request, text_at(event, "DurableExecutionArn"),
         json::print(event.with_member("CheckpointToken", Value::string(token))),
         [answer = std::move(answer)](const connect::CallEnd& end) { answer(code_answer(end)); });
}

// One that was out when the server ended is made again.
void FunctionConnector::call_plain(const engine::TaskRequest& request, engine::AnswerTask answer) {
  submit(request, text_at(request.input, "arn"), std::string(text_at(request.input, "payload")),
         [answer = std::move(answer)](const connect::CallEnd& end) { answer(plain_answer(end)); });
}

void FunctionConnector::submit(const engine::TaskRequest& request, std::string_view execution_arn, std::string event,
                               std::function<void(connect::CallEnd)> ended) {
  connect::FunctionCall call;
  call.id = functions::request_id(execution_arn, request.operation);
  call.arn = function_arn_of(execution_arn);
  call.function = queue_of(request.state, std::string_view(call.arn).substr(call.arn.rfind(':') + 1));
  call.event = std::move(event);
  call.tenant = text_at(request.input, "tenant");
  call.timeout = std::chrono::seconds(json::integer_at(request.endpoint, "timeout"));
  {
    const std::lock_guard lock(mutex_);
    code_calls_[request.task] = call.id;
  }
  calls_.submit(std::move(call), [this, task = request.task, ended = std::move(ended)](connect::CallEnd end) {
    {
      const std::lock_guard lock(mutex_);
      code_calls_.erase(task);
    }
    ended(std::move(end));
  });
}

void FunctionConnector::cancel(engine::TaskId task) {
  std::string id = call_id(task);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = code_calls_.find(task); found != code_calls_.end()) {
      id = std::move(found->second);
      code_calls_.erase(found);
    }
  }
  calls_.withdraw(id);
}

// --- what code and Task states call

FunctionConnector::End FunctionConnector::end_of(const engine::Closed& closed, const Revision& revision) {
  const Value& outcome = closed.outcome;
  if (closed.status == kernel::Status::kSucceeded)
    return {End::Status::kSucceeded, is_function(revision) ? outcome : Value::string(json::print(outcome))};
  if (closed.status == kernel::Status::kTimedOut && is_function(revision)) {
    const std::chrono::seconds limit(configuration_of(revision).execution_timeout_seconds());
    return {End::Status::kTimedOut, {}, functions::execution_timeout_error(limit)};
  }
  const Value* whole = outcome.find("ErrorObject");
  End end{End::Status::kFailed, {}, {}};
  end.error = whole != nullptr ? *whole : error_object(value_at(outcome, "Error"), value_at(outcome, "Cause"));
  if (closed.status == kernel::Status::kTimedOut) end.status = End::Status::kTimedOut;
  if (closed.status == kernel::Status::kAborted) end.status = End::Status::kStopped;
  return end;
}

// Where its start was lost with its commit, the call is made again.
FunctionConnector::Expect FunctionConnector::start_child(engine::StartRequest start, const engine::TaskRequest& request,
                                                         Ended ended) {
  Service& service = this->service();
  const RevisionPointer revision = service.catalog.find_revision(start.definition);
  const bool calls_code = is_function(*revision);  // so it cannot end with its start
  ExecutionEnds::Told told = [revision, ended](const engine::Closed* closed) {
    if (closed != nullptr) ended(end_of(*closed, *revision));
  };
  const engine::ChildLink link{request.execution, request.operation, request.attempt, {}};
  if (request.execution) start.parent = link;
  if (request.execution && request.is_repeated) {
    if (const auto child = service.engine.find_child(link)) {
      service.ends.join(service.engine, child->id, std::move(told));
      return Expect::kNothing;
    }
  }
  service.engine.start(
      std::move(start), [&service, told = std::move(told), ended = std::move(ended), calls_code,
                         is_linked = bool(request.execution)](Result<engine::Started> started) mutable {
        if (started && started->is_new && calls_code)
          return void(service.ends.add(started->execution, std::move(told)));
        if (started) return service.ends.join(service.engine, started->execution, std::move(told));
        const bool is_asked_again = is_linked && started.error().code.starts_with("STORE_");
        if (!is_asked_again)
          ended({End::Status::kFailed, {}, error_object("ServiceException", to_string(started.error()))});
      });
  return Expect::kNothing;
}

FunctionConnector::Expect FunctionConnector::call_function(const FoundFunction& function,
                                                           const engine::TaskRequest& request,
                                                           const std::string& payload, const std::string& tenant,
                                                           Ended ended) {
  auto input = json::parse(payload);
  if (!input) {
    ended({End::Status::kFailed,
           {},
           error_object("InvalidRequestContentException",
                        "Could not parse request body into json: " + input.error().what)});
    return Expect::kAnswer;
  }
  if (function.configuration.is_durable())
    return start_child(durable_start(service(), function, "", payload, *std::move(input), tenant), request,
                       std::move(ended));
  connect::FunctionCall call = call_of(function, service().arns, call_id(request.task), payload);
  call.tenant = tenant;
  calls_.submit(std::move(call), [ended = std::move(ended)](const connect::CallEnd& end) {
    if (end.is_success) return ended({End::Status::kSucceeded, Value::string(end.body)});
    ended(
        {End::Status::kFailed, {}, error_object(Value::string(end.error_type), Value::string(end.message), end.trace)});
  });
  return Expect::kAnswer;
}

FunctionConnector::Expect FunctionConnector::call_machine(const std::string& arn, const engine::TaskRequest& request,
                                                          const std::string& payload, Ended ended) {
  const auto refused = [&](const Refusal& refusal) {
    ended({End::Status::kFailed, {}, error_object(refusal.type, refusal.message)});
    return Expect::kAnswer;
  };
  json::ObjectBuilder body(2);
  body.set("stateMachineArn", Value::string(arn));
  body.set("input", Value::string(payload));
  const auto read = Request::read(body.build(), kStartFields);
  if (!read) return refused(read.error());
  auto start = prepare_start(service(), *read);
  if (!start) return refused(start.error());
  if (start->revision->express)
    return refused({"StateMachineTypeNotSupported", "State Machine Type Not Supported: 'EXPRESS'"});
  return start_child(std::move(start->request), request, std::move(ended));
}

// --- chained invokes

// The program of the caller takes the status out of it (functions::Program::refine_answer).
TaskAnswer FunctionConnector::chained_answer(End end) {
  if (end.status == End::Status::kSucceeded) return TaskAnswer::succeeded(std::move(end.payload));
  json::ObjectBuilder failure(2);
  failure.set("Status", Value::string(end.status == End::Status::kFailed     ? "FAILED"
                                      : end.status == End::Status::kTimedOut ? "TIMED_OUT"
                                                                             : "STOPPED"));
  failure.set("Error", std::move(end.error));
  return {TaskAnswer::Kind::kFailed, failure.build()};
}

// A function that is not there fails the call, not the checkpoint that asked for it.
FunctionConnector::Expect FunctionConnector::call_chained(const engine::TaskRequest& request,
                                                          engine::AnswerTask answer) {
  const std::string target(text_at(request.input, "function"));
  const std::string payload(text_at(request.input, "payload", "{}"));
  Ended ended = [answer = std::move(answer)](End end) { answer(chained_answer(std::move(end))); };
  if (target.starts_with(kMachineArns)) return call_machine(target, request, payload, std::move(ended));
  const auto function = find_function(service(), target, "");
  if (function)
    return call_function(*function, request, payload, std::string(text_at(request.input, "tenant")), std::move(ended));
  ended({End::Status::kFailed, {}, error_object(function.error().type, function.error().message)});
  return Expect::kAnswer;
}

// --- Task states

bool FunctionConnector::claims_task(const engine::TaskRequest& request) const {
  const std::string function = called_function(request);
  return !function.empty() && find_function(service(), function, qualifier_of(request)).has_value();
}

// AWS tells the cause as the text that the function failed with.
TaskAnswer FunctionConnector::task_answer(const engine::TaskRequest& request, const End& end) {
  TaskAnswer given;
  if (end.status == End::Status::kSucceeded) {
    auto value = end.payload.is_string() ? json::parse(end.payload.as_string()) : Value();
    given = TaskAnswer::succeeded(value ? *std::move(value) : end.payload);
  } else {
    json::ObjectBuilder cause(3);
    cause.set("errorMessage", value_at(end.error, "ErrorMessage"));
    cause.set("errorType", value_at(end.error, "ErrorType"));
    if (const Value trace = value_at(end.error, "StackTrace"); trace.is_array()) cause.set("stackTrace", trace);
    given =
        TaskAnswer::failed(std::string(text_at(end.error, "ErrorType", "Lambda.Unknown")), json::print(cause.build()));
  }
  if (is_lambda_invoke(request)) given = connect::lambda_answer(request, std::move(given));
  if (request.waits_for_token && given.kind == TaskAnswer::Kind::kSucceeded) given.kind = TaskAnswer::Kind::kSubmitted;
  return given;
}

FunctionConnector::Expect FunctionConnector::start_task(const engine::TaskRequest& request, engine::AnswerTask answer) {
  const auto function = find_function(service(), called_function(request), qualifier_of(request));
  const Value input = is_lambda_invoke(request) ? connect::lambda_payload(request.input) : request.input;
  Ended ended = [request, answer = std::move(answer)](const End& end) { answer(task_answer(request, end)); };
  if (!function) {
    ended({End::Status::kFailed, {}, error_object(function.error().type, function.error().message)});
    return Expect::kAnswer;
  }
  return call_function(*function, request, json::print(input), "", std::move(ended));
}

}  // namespace pawl::server
