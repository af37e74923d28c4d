#include "connect/mapped_tasks.h"

#include "connect/answers.h"
#include "connect/http_invoke.h"
#include "connect/integration.h"
#include "connect/lambda_invoke.h"
#include "connect/operation_call.h"
#include "connect/pattern.h"
#include "connect/trace_context.h"
#include "net/url.h"

namespace pawl::connect {

MappedTasks::MappedTasks(TaskTargets targets, MappedTasksOptions options)
    : targets_(std::make_shared<TaskTargets>(std::move(targets))), options_(std::move(options)) {}

std::shared_ptr<const TaskTarget> MappedTasks::shared(const TaskTarget* target) const {
  return target == nullptr ? nullptr : std::shared_ptr<const TaskTarget>(targets_, target);
}

// A function and a request that the state describes are called as they are; any other integration is for who stands in
// for its service.
std::optional<MappedTasks::Plan> MappedTasks::plan_integration(const TaskRequest& request) const {
  const auto integration = parse_integration(request.resource);
  if (!integration) return std::nullopt;
  if (integration->is("lambda", "invoke")) {
    const Value* name = request.input.is_object() ? request.input.find("FunctionName") : nullptr;
    const bool is_named = name != nullptr && name->is_string();
    const TaskTarget* function = is_named ? find_function(*targets_, name->as_string()) : nullptr;
    if (function != nullptr && !function->grpc)
      return Plan{Plan::Kind::kLambdaInvoke, shared(function), lambda_payload(request.input)};
  }
  if (const TaskTarget* found = find_by_pattern(*targets_, request.resource))
    return Plan{Plan::Kind::kPlain, shared(found), integration_input(request.resource, *integration, request.input)};
  if (!integration->is("http", "invoke") || !options_.call_urls) return std::nullopt;
  const std::string connection = connection_of(request.input);
  if (connection.empty()) return Plan{Plan::Kind::kHttpInvoke, std::make_shared<TaskTarget>(), {}};
  return Plan{Plan::Kind::kHttpInvoke, shared(find_by_pattern(*targets_, connection)), {}};
}

namespace {

// By the Resource; what has no ARN also by the function's name, which is what the request then calls its state.
const TaskTarget* find_called(const TaskTargets& targets, const TaskRequest& request) {
  const bool has_name = !request.resource.starts_with("arn:");
  for (const TaskTarget& target : targets)
    if (target.pattern == request.resource || (has_name && target.pattern == request.state)) return &target;
  const TaskTarget* found = find_by_pattern(targets, request.resource);
  return found == nullptr && has_name ? find_by_pattern(targets, request.state) : found;
}

// A URL with a fragment is a part of a document (https://pets.example/openapi.json#getPet), and nothing to call.
bool is_endpoint(std::string_view resource) { return net::is_http_url(resource) && !resource.contains('#'); }

}  // namespace

std::optional<MappedTasks::Plan> MappedTasks::plan(const TaskRequest& request) const {
  std::optional<Plan> plan = plan_integration(request);
  if (!plan && !parse_integration(request.resource)) {
    if (const TaskTarget* found = find_called(*targets_, request))
      plan = Plan{Plan::Kind::kPlain, shared(found), request.input};
  }
  if (!plan && options_.call_urls && is_endpoint(request.resource)) {
    auto direct = std::make_shared<TaskTarget>();
    direct->url = Secretive{request.resource, request.resource};
    plan = Plan{Plan::Kind::kPlain, std::move(direct), request.input};
  }
  const bool is_operation = !request.endpoint.is_null() && !is_grpc_method(request.endpoint);
  if (is_operation && options_.call_urls && (!plan || plan->target->is_connection()))
    plan = Plan{Plan::Kind::kOperation, plan ? plan->target : std::make_shared<TaskTarget>(), request.input};
  if (plan && plan->kind == Plan::Kind::kPlain && plan->target->grpc) plan->kind = Plan::Kind::kGrpc;
  const bool has_own_url = plan && (plan->kind == Plan::Kind::kHttpInvoke || plan->kind == Plan::Kind::kOperation);
  const bool is_callable = has_own_url || (plan && !plan->target->is_connection());
  return is_callable ? plan : std::nullopt;
}

Result<bool> MappedTasks::claims(const TaskRequest& request) { return plan(request).has_value(); }

namespace {

// Where the state waits for its token, an answer only says that the request was accepted.
TaskAnswer as_expected(TaskAnswer given, const TaskRequest& request) {
  if (request.waits_for_token && given.kind == TaskAnswer::Kind::kSucceeded) given.kind = TaskAnswer::Kind::kSubmitted;
  return given;
}

}  // namespace

MappedTasks::Expect MappedTasks::start(const TaskRequest& request, AnswerTask answer) {
  const auto planned = plan(request);
  switch (planned->kind) {
    case Plan::Kind::kHttpInvoke:
      invoke_http(*planned, request, answer);
      break;
    case Plan::Kind::kOperation:
      call_operation(*planned, request, answer);
      break;
    case Plan::Kind::kGrpc:
      grpc_calls_.start(request, planned->target, options_.answer_bytes_max,
                        [request, answer](TaskAnswer given) { answer(as_expected(std::move(given), request)); });
      break;
    case Plan::Kind::kPlain:
    case Plan::Kind::kLambdaInvoke:
      call_target(*planned, request, std::move(answer));
      break;
  }
  return Expect::kAnswer;
}

void MappedTasks::call_target(const Plan& plan, const TaskRequest& request, AnswerTask answer) {
  const auto target = plan.target;
  const size_t bytes_max = options_.answer_bytes_max;
  TaskRequest sent = request;
  sent.input = plan.input;
  auto take = [request, is_lambda = plan.kind == Plan::Kind::kLambdaInvoke,
               answer = std::move(answer)](TaskAnswer given) {
    if (is_lambda) given = lambda_answer(request, std::move(given));
    answer(as_expected(std::move(given), request));
  };
  if (target->url) {
    net::HttpRequest http = endpoint_request(*target, sent, bytes_max);
    add_trace_context(http.headers, request, options_.trace_seed);
    calls_.start(net::CallId(request.task.number), std::move(http),
                 [target, sent = std::move(sent), take = std::move(take)](const Result<net::HttpResponse>& response) {
                   take(endpoint_answer(*target, sent, response));
                 });
  } else {
    pool_.submit(request.task,
                 [target, sent = std::move(sent), take = std::move(take), bytes_max](const std::stop_token& stop) {
                   take(call_command(*target, sent, bytes_max, stop));
                 });
  }
}

// What cannot be asked is a mistake of whoever wrote the definition or the file: no Catch hides it.
void MappedTasks::invoke_http(const Plan& plan, const TaskRequest& request, const AnswerTask& answer) {
  if (plan.target == nullptr)
    return answer(TaskAnswer::failed(
        "States.Runtime",
        "TASK_NOT_MAPPED: The connection '" + connection_of(request.input) + "' is not in the file of --tasks."));
  auto http = http_invoke_request(request, *plan.target, options_.answer_bytes_max);
  if (!http) return answer(TaskAnswer::failed("States.Runtime", "The request cannot be sent. " + http.error()));
  add_trace_context(http->headers, request, options_.trace_seed);
  calls_.start(net::CallId(request.task.number), std::move(*http),
               [target = plan.target, request, answer](const Result<net::HttpResponse>& response) {
                 answer(as_expected(http_invoke_answer(request, *target, response), request));
               });
}

// Arguments that the operation does not take are a failure of the action: what they are is known only now.
void MappedTasks::call_operation(const Plan& plan, const TaskRequest& request, const AnswerTask& answer) {
  auto http = operation_request(*plan.target, request, options_.answer_bytes_max);
  if (!http) return answer(failure(*plan.target, "States.TaskFailed", to_string(http.error())));
  add_trace_context(http->headers, request, options_.trace_seed);
  calls_.start(net::CallId(request.task.number), std::move(*http),
               [target = plan.target, request, answer](const Result<net::HttpResponse>& response) {
                 answer(as_expected(operation_answer(*target, request, response), request));
               });
}

void MappedTasks::cancel(engine::TaskId task) {
  calls_.cancel(net::CallId(task.number));
  pool_.cancel(task);
  grpc_calls_.cancel(task);
}

}  // namespace pawl::connect
