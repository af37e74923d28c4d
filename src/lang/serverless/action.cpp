// An action: calls a function, or produces an event and waits for the one that answers it.
#include "lang/serverless/actions.h"
#include "lang/serverless/event_wait.h"
#include "lang/serverless/filter.h"
#include "lang/serverless/node_code.h"
#include "lang/serverless/produced_event.h"

namespace pawl::serverless {

namespace {

using kernel::OperationKind;
using kernel::Outcome;

class ActionCode final : public NodeCode {
 public:
  explicit ActionCode(const Node& node) : NodeCode(node.action->ordinal), node_(node), action_(*node.action) {}

  std::string_view resource() const override {
    const auto* call = std::get_if<FunctionCall>(&action_.call);
    if (call == nullptr) return {};
    return call->function != nullptr && !call->function->resource.empty() ? call->function->resource : call->name;
  }

  kernel::Call call(const kernel::Execution& execution, const kernel::Operation& operation,
                    const Definitions& definitions) const override {
    const auto& function = std::get<FunctionCall>(action_.call);
    Definitions::Callee callee = definitions.callee_of(function, execution);
    return {function.name, std::move(callee.resource), operation.input, std::move(callee.endpoint)};
  }

  void run(Frame& frame) const override {
    auto data = attempt(action_input(action_.filter, frame.input()));
    if (!data) return fail(frame, data.error());
    if (const auto* call = std::get_if<FunctionCall>(&action_.call)) return call_function(frame, *call, *data);
    const auto asked = ask(frame, std::get<EventCall>(action_.call), *data);
    if (!asked) fail(frame, asked.error());
  }

  void resume(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    if (ended.outcome == Outcome::kTimedOut) return time_out(frame);
    if (ended.outcome != Outcome::kSucceeded) return fail(frame, Failure::from_value(ended.value));
    auto added = result_of(ended.operation_kind == OperationKind::kEvent ? payload_of(ended.value) : ended.value);
    if (!added) return fail(frame, added.error());
    frame.close(*std::move(added));
  }

  void fail(Frame& frame, Failure failure) const override {
    frame.fail_scope(std::move(failure).at("action", action_.name));
  }

 private:
  void call_function(Frame& frame, const FunctionCall& call, const Value& data) const {
    auto parameters = attempt(call.parameters.evaluate(data));
    if (!parameters) return fail(frame, parameters.error());
    frame.call(OperationKind::kTask, *std::move(parameters), action_.timeout);
  }

  // The wait is recorded together with the event that asks for the answer.
  Attempt<void> ask(Frame& frame, const EventCall& call, const Value& data) const {
    auto event = produce(frame, call.trigger, data);
    if (!event) return std::unexpected(std::move(event).error());
    auto wait = wait_for(frame, {call.result}, data);
    if (!wait) return std::unexpected(std::move(wait).error());
    auto due = action_.timeout ? frame.after(*action_.timeout) : Attempt<Timestamp>(kNever);
    if (!due) return std::unexpected(std::move(due).error());
    frame.publish(*std::move(event));
    frame.await_event(*std::move(wait), *due);
    return {};
  }

  static Value payload_of(const Value& arrived) {
    const Value* event = arrived.find("event");
    const Value* data = event == nullptr ? nullptr : event->find("data");
    return data == nullptr ? Value() : *data;
  }

  // The element of an iteration is the result itself; anywhere else it is what the result adds to the data.
  Attempt<Value> result_of(const Value& result) const {
    if (!is_iteration()) return attempt(add_action_result(action_.filter, action_.name, Value::empty_object(), result));
    if (!action_.filter.results) return result;
    auto selected = attempt(action_.filter.results->select(result));
    if (!selected) return std::unexpected(std::move(selected).error());
    return *selected ? **std::move(selected) : result;
  }

  bool is_whole_body() const { return node_.body != nullptr && first_node_of(*node_.body) == ordinal(); }
  bool is_iteration() const { return is_whole_body() && node_.state->type == StateType::kForeach; }

  // "In the case they are not defined, the state should proceed." A limit that only the function's own side has is a
  // failure like any other.
  void time_out(Frame& frame) const {
    const bool is_handled = !node_.state->retries.empty() || !node_.state->handlers.empty();
    const bool goes_on = action_.timeout && !is_handled;
    if (goes_on && is_whole_body()) return frame.close(is_iteration() ? Value() : Value::empty_object());
    Failure failure{std::string(kActionTimeout),
                    "The action '" + action_.name + "' did not end " +
                        (action_.timeout ? "within " + action_.timeout->text : "in time") + ".",
                    {}};
    failure.goes_on = goes_on;
    fail(frame, std::move(failure));
  }

  const Node& node_;
  const Action& action_;
};

}  // namespace

NodeCodePtr compile_action(const Node& node) { return std::make_unique<ActionCode>(node); }

}  // namespace pawl::serverless
