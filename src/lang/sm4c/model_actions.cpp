// Reads actions, with those inside them.
#include <array>
#include <unordered_set>

#include "lang/sm4c/model_reader.h"

namespace pawl::sm4c {
namespace {

constexpr std::array<std::pair<std::string_view, CompletionType>, 3> kCompletionTypes = {
    {{"and", CompletionType::kAnd}, {"xor", CompletionType::kXor}, {"n_of_m", CompletionType::kNOfM}}};

std::optional<Action> read_action_at(const Value& value, const Place& place, Reading& reading);

ErrorHandler read_handler(const Value& value, const Place& place, Reading& reading) {
  ErrorHandler handler;
  handler.pointer = place.pointer();
  if (!check_object(value, place, "An error handler", reading)) return handler;
  Fields fields(value, place, reading);
  handler.condition = fields.expression({"condition"}, Role::kHandler);
  handler.result_handler = fields.expression({"resultHandler"}, Role::kHandler);
  const std::string policy = fields.text({"retryPolicy"});
  handler.retry = refer_to(policy, reading.retries, reading.machine.retries, Code::kUnknownRetryPolicy, "retry policy",
                           Place(place, "retryPolicy"), reading);
  fields.done("An error handler");
  return handler;
}

std::vector<ErrorHandler> read_handlers(Fields& fields) {
  std::vector<ErrorHandler> handlers;
  const Fields::Found list = fields.array({"errorHandlers"});
  if (!list) return handlers;
  const Place here(fields.place(), list.name);
  for (size_t index = 0; index < list.value->size(); ++index)
    handlers.push_back(read_handler(list.value->at(index), Place(here, index), fields.reading()));
  return handlers;
}

std::vector<Action> read_actions(Fields& fields) {
  std::vector<Action> actions;
  const Fields::Found list = fields.array({"actions"}, Need::kRequired);
  if (!list) return actions;
  const Place here(fields.place(), list.name);
  if (list.value->size() == 0) fields.report_at(Code::kEmpty, "actions", "\"actions\" must not be empty.", "Add one.");
  for (size_t index = 0; index < list.value->size(); ++index)
    if (auto action = read_action_at(list.value->at(index), Place(here, index), fields.reading()))
      actions.push_back(*std::move(action));
  return actions;
}

// Two children of one name would share their place in the result.
void check_names(const std::vector<Action>& actions, Fields& fields) {
  std::unordered_set<std::string> keys;
  for (size_t index = 0; index < actions.size() && !fields.reading().findings.full(); ++index) {
    const std::string key = key_of(actions, index);
    if (!keys.insert(key).second)
      fields.report_at(Code::kDuplicateName, "actions", "Two of the actions are called " + quoted(key) + ".",
                       "Give each a name of its own: the result has a member for each.");
  }
}

// --- by type

DelayAction read_delay(Fields& fields) {
  return {.timeout = fields.timespan({"timeout"}, Need::kRequired).value_or(Timespan{})};
}

ForeachAction read_foreach(Fields& fields) {
  ForeachAction foreach_action;
  foreach_action.input = fields.expression({"input"}, Role::kPlain, Need::kRequired).value_or(Expression{});
  if (auto action = read_action(fields, "action", Need::kRequired)) foreach_action.action.push_back(*std::move(action));
  foreach_action.max_parallel = fields.count({"maxParallel"}, 1).value_or(1);
  return foreach_action;
}

InjectDataAction read_inject(Fields& fields) {
  return {.expression = fields.expression({"expression"}, Role::kPlain, Need::kRequired).value_or(Expression{})};
}

void check_timeout(bool has_timeout, bool waits, Fields& fields) {
  if (has_timeout && !waits)
    fields.report_at(Code::kTimeoutIgnored, "timeout", "The call is not waited for, and so the timeout has no effect.",
                     "Set \"waitForCompletion\" to true, or take the timeout out.");
}

InvokeFunctionAction read_invoke_function(Fields& fields) {
  Reading& reading = fields.reading();
  InvokeFunctionAction call;
  const std::string name = fields.text({"functionName"}, Need::kRequired);
  call.function = refer_to(name, reading.functions, reading.machine.functions, Code::kUnknownFunction, "function",
                           Place(fields.place(), "functionName"), reading);
  const bool is_expression = call.function != nullptr && call.function->type == FunctionType::kExpression;
  call.waits = fields.boolean({"waitForCompletion"}).value_or(is_expression) || reading.options.waits_always;
  call.timeout = fields.timespan({"timeout"});
  call.arguments = fields.data({"arguments"});
  check_timeout(call.timeout.has_value(), call.waits, fields);
  return call;
}

InvokeSubflowAction read_invoke_subflow(Fields& fields) {
  Reading& reading = fields.reading();
  InvokeSubflowAction call;
  call.subflow = fields.text({"subflowName"}, Need::kRequired);
  call.waits = fields.boolean({"waitForCompletion"}).value_or(false) || reading.options.waits_always;
  call.timeout = fields.timespan({"timeout"});
  call.arguments = fields.data({"arguments"});
  check_timeout(call.timeout.has_value(), call.waits, fields);
  if (!call.subflow.empty() && call.subflow == reading.machine.deployed_name())
    fields.report_at(Code::kCallsItself, "subflowName", "The state machine would call itself, which is refused.",
                     "Name another one.");
  return call;
}

void check_completion(const ParallelAction& parallel, bool has_n, Fields& fields) {
  const bool counts = parallel.completion == CompletionType::kNOfM;
  if (counts && !has_n)
    fields.report(Code::kMissingField, "The completion type \"n_of_m\" needs \"n\".", "Say how many must complete.");
  if (!counts && has_n)
    fields.report_at(Code::kNIgnored, "n", "\"n\" counts only with the completion type \"n_of_m\".",
                     "Take it out, or change \"completionType\".");
  if (counts && parallel.n > parallel.actions.size())
    fields.report_at(Code::kActionsFewerThanN, "n",
                     "\"n\" is " + std::to_string(parallel.n) + ", and there are " +
                         std::to_string(parallel.actions.size()) + " actions: it could never complete.",
                     "Lower \"n\", or add actions.");
}

ParallelAction read_parallel(Fields& fields) {
  ParallelAction parallel;
  parallel.actions = read_actions(fields);
  check_names(parallel.actions, fields);
  parallel.completion =
      fields.choice<CompletionType>({"completionType"}, kCompletionTypes).value_or(CompletionType::kAnd);
  const auto n = fields.count({"n"}, 1);
  parallel.n = n.value_or(0);
  check_completion(parallel, static_cast<bool>(fields.find({"n"})), fields);
  return parallel;
}

SendEventAction read_send_event(Fields& fields) {
  Reading& reading = fields.reading();
  SendEventAction send;
  const std::string name = fields.text({"event"}, Need::kRequired);
  send.event = refer_to(name, reading.events, reading.machine.events, Code::kUnknownEvent, "event",
                        Place(fields.place(), "event"), reading);
  send.expression = fields.expression({"expression"}, Role::kPlain);
  const Fields::Found attributes = fields.object({"contextAttributes"});
  if (!attributes) return send;
  const Place here(fields.place(), attributes.name);
  for (const json::Member& member : attributes.value->members()) {
    const std::string_view attribute = member.key.as_string();
    if (auto value = fields.data_at(member.value, Place(here, attribute)))
      send.attributes.emplace_back(attribute, *std::move(value));
  }
  return send;
}

SequenceAction read_sequence(Fields& fields) {
  SequenceAction sequence{.actions = read_actions(fields)};
  check_names(sequence.actions, fields);
  return sequence;
}

void read_detail(Fields& fields, Action& action) {
  switch (action.type) {
    case ActionType::kDelay:
      action.detail = read_delay(fields);
      return;
    case ActionType::kForeach:
      action.detail = read_foreach(fields);
      return;
    case ActionType::kInjectData:
      action.detail = read_inject(fields);
      return;
    case ActionType::kInvokeFunction:
      action.detail = read_invoke_function(fields);
      return;
    case ActionType::kInvokeSubflow:
      action.detail = read_invoke_subflow(fields);
      return;
    case ActionType::kParallel:
      action.detail = read_parallel(fields);
      return;
    case ActionType::kSendEvent:
      action.detail = read_send_event(fields);
      return;
    case ActionType::kSequence:
      action.detail = read_sequence(fields);
      return;
  }
}

// As histories show it.
std::string shown_name(const Action& action) {
  if (!action.own_name.empty()) return action.own_name;
  const auto* function = std::get_if<InvokeFunctionAction>(&action.detail);
  if (function != nullptr && function->function != nullptr) return function->function->name;
  const auto* subflow = std::get_if<InvokeSubflowAction>(&action.detail);
  if (subflow != nullptr) return subflow->subflow;
  const auto* send = std::get_if<SendEventAction>(&action.detail);
  if (send != nullptr && send->event != nullptr) return send->event->name;
  return std::string(type_name(action.type));
}

std::optional<Action> read_action_at(const Value& value, const Place& place, Reading& reading) {
  if (reading.findings.full() || !check_object(value, place, "An action", reading)) return std::nullopt;
  Fields fields(value, place, reading);
  const std::string written = fields.text({"type"}, Need::kRequired);
  if (written.empty()) return std::nullopt;
  const ActionType* type = find_action_type(written);
  if (type == nullptr) {
    fields.report_at(Code::kUnknownActionType, "type", quoted(written) + " is no type of an action.",
                     "Write one of delay, foreach, injectData, invokeFunction, invokeSubflow, parallel, sendEvent, "
                     "sequence.");
    return std::nullopt;
  }
  Action action;
  action.type = *type;
  action.pointer = place.pointer();
  action.own_name = fields.text({"name"});
  action.handlers = read_handlers(fields);
  read_detail(fields, action);
  action.name = shown_name(action);
  fields.done("An action of the type " + std::string(type_name(*type)));
  return action;
}

}  // namespace

std::optional<Action> read_action(Fields& fields, std::string_view name, Need need) {
  const Fields::Found found = fields.find({name}, need);
  if (!found) return std::nullopt;
  return read_action_at(*found.value, Place(fields.place(), found.name), fields.reading());
}

}  // namespace pawl::sm4c
