#include "server/nested.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "json/print.h"
#include "server/starts.h"

namespace pawl::server {

namespace {

using engine::TaskAnswer;
using json::ObjectBuilder;

constexpr std::string_view kResource = "arn:aws:states:::states:startExecution";
constexpr std::string_view kSync = ".sync";
constexpr std::string_view kSyncAsJson = ".sync:2";
constexpr std::string_view kWithToken = ".waitForTaskToken";

// The parameters of the task, and the fields of StartExecution that they are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kParameters = {{
    {"StateMachineArn", "stateMachineArn"},
    {"Name", "name"},
    {"Input", "input"},
    {"TraceHeader", "traceHeader"},
}};

// What follows the name of the action: how the end of the execution is waited for.
std::string_view suffix_of(std::string_view resource) { return resource.substr(kResource.size()); }

bool waits_for_end(std::string_view suffix) { return suffix == kSync || suffix == kSyncAsJson; }

// --- what is asked

// A text is the input as it is sent; anything else is sent as its JSON.
Value to_field(std::string_view field, const Value& given) {
  const bool is_written = field != "input" || given.is_string();
  return is_written ? given : Value::string(json::print(given));
}

Value to_body(const Value& parameters) {
  ObjectBuilder body(kParameters.size());
  for (const auto& [parameter, field] : kParameters) {
    const Value* given = parameters.find(parameter);
    if (given != nullptr && !given->is_null()) body.set(field, to_field(field, *given));
  }
  return body.build();
}

// What is wrong with the parameters before anything is asked; empty: nothing.
std::string fault_of(const Value& parameters) {
  if (parameters.is_object()) {
    for (const json::Member& member : parameters.members()) {
      const bool is_known =
          std::ranges::any_of(kParameters, [&](const auto& p) { return p.first == member.key.as_string(); });
      if (!is_known)
        return "The field '" + std::string(member.key.as_string()) + "' is not supported by Step Functions";
    }
  }
  const Value* machine = parameters.find("StateMachineArn");
  return machine == nullptr ? "The field 'StateMachineArn' is required but was missing" : "";
}

// --- what is answered

TaskAnswer refused(const Refusal& refusal) {
  const bool is_whole = refusal.type.ends_with("Exception");
  const std::string error = "StepFunctions." + refusal.type + (is_whole ? "" : "Exception");
  return TaskAnswer::failed(
      error, refusal.message + " (Service: AWSStepFunctions; Status Code: " + std::to_string(refusal.status) +
                 "; Error Code: " + refusal.type + "; Request ID: " + random_name() + "; Proxy: null)");
}

Value milliseconds(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

Value started_value(std::string_view arn, Timestamp started) {
  ObjectBuilder value(2);
  value.set("ExecutionArn", Value::string(arn));
  value.set("StartDate", milliseconds(started));
  return value.build();
}

// Where more is to come, the start was only accepted.
TaskAnswer started_answer(const engine::TaskRequest& request, std::string_view arn, Timestamp started) {
  Value value = started_value(arn, started);
  const bool more_to_come = request.waits_for_token || waits_for_end(suffix_of(request.resource));
  return more_to_come ? TaskAnswer::submitted(std::move(value)) : TaskAnswer::succeeded(std::move(value));
}

std::string capitalised(std::string_view name) {
  std::string text(name);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

Value to_task_value(std::string_view name, const Value& described) {
  if (name.ends_with("Date")) return Value::integer(std::llround(described.as_double() * 1000.0));
  if (!described.is_object()) return described;
  ObjectBuilder inner(described.size());
  for (const json::Member& member : described.members()) inner.set(capitalised(member.key.as_string()), member.value);
  return inner.build();
}

// DescribeExecution's answer as task states see it: names in capitals and in order, times in milliseconds.
std::map<std::string, Value> to_task_members(const Value& described) {
  std::map<std::string, Value> members;
  for (const json::Member& member : described.members())
    members[capitalised(member.key.as_string())] = to_task_value(member.key.as_string(), member.value);
  return members;
}

Value to_object(const std::map<std::string, Value>& members) {
  ObjectBuilder object(members.size());
  for (const auto& [name, value] : members) object.set(name, value);
  return object.build();
}

}  // namespace

void NestedExecutions::serve(Service& service) {
  world_.emplace(service.engine, service.catalog, service.store, service.clock);
  workflows_.serve(*world_);
  service_.store(&service);
  service_.notify_all();
}

Service& NestedExecutions::service() const {
  service_.wait(nullptr);
  return *service_.load();
}

bool NestedExecutions::claims(std::string_view resource) {
  if (engine::SubWorkflows::claims(resource)) return true;
  if (!resource.starts_with(kResource)) return false;
  const std::string_view suffix = suffix_of(resource);
  return suffix.empty() || waits_for_end(suffix) || suffix == kWithToken;
}

void NestedExecutions::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  if (engine::SubWorkflows::claims(request.resource)) return workflows_.start(request, std::move(answer));
  Service& service = this->service();
  engine::ChildLink link{request.execution, request.operation, request.attempt, {}};
  const std::string_view suffix = suffix_of(request.resource);
  if (waits_for_end(suffix)) link.form = suffix;
  const bool is_durable = bool(request.execution);
  if (is_durable) {
    if (const auto child = service.engine.find_child(link)) {
      const RevisionPointer revision = service.catalog.find_revision(child->definition);
      return answer(started_answer(request, arn_of(service.arns, *revision, child->name, child->id), child->started));
    }
  }
  if (const std::string fault = fault_of(request.input); !fault.empty())
    return answer(TaskAnswer::failed("States.Runtime", "The Parameters '" + json::print(request.input) +
                                                           "' could not be used to start the Task: [" + fault + "]"));
  const auto read = Request::read(to_body(request.input), kStartFields);
  if (!read) return answer(refused(read.error()));
  auto start = prepare_start(service, *read);
  if (!start) return answer(refused(start.error()));
  if (start->revision->express && waits_for_end(suffix))
    return answer(refused({"StateMachineTypeNotSupported", "State Machine Type Not Supported: 'EXPRESS'"}));
  engine::StartRequest asked = std::move(start->request);
  if (is_durable) asked.parent = link;
  service.engine.start(std::move(asked), [&service, request, start = *std::move(start),
                                          answer = std::move(answer)](Result<engine::Started> started) {
    if (started)
      return answer(started_answer(request, arn_of(service.arns, *start.revision, start.name, started->execution),
                                   started->started));
    const bool is_asked_again = request.execution && started.error().code.starts_with("STORE_");
    if (!is_asked_again) answer(refused(start_refusal(service, start, started.error())));
  });
}

// AWS tells of a failure in text, whatever the form.
engine::ChildEnd NestedExecutions::end_of(const engine::Description& child, std::string_view form) {
  if (form == engine::kWorkflowForm) return workflows_.end_of(child, form);
  const Service& service = this->service();
  const FoundExecution found{child.row, service.catalog.find_revision(child.row.definition)};
  auto members = to_task_members(described(service, found, child, true));
  const bool succeeded = child.status == kernel::Status::kSucceeded;
  if (succeeded && form == kSyncAsJson) {
    members["Input"] = child.input;
    members["Output"] = child.outcome;
  }
  const Value value = to_object(members);
  const std::string arn = arn_of(service.arns, *found.revision, child.row.name, child.row.id);
  return {started_value(arn, child.row.started),
          succeeded ? TaskAnswer::succeeded(value) : TaskAnswer::failed("States.TaskFailed", json::print(value))};
}

}  // namespace pawl::server
