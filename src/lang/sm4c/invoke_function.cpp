// The invokeFunction action: evaluates jq, or calls a function and waits for it or not.
#include "lang/sm4c/action_code.h"
#include "lang/sm4c/machine.h"

namespace pawl::sm4c {

namespace {

using kernel::OperationKind;
using kernel::Outcome;

std::string resource_of(const FunctionDefinition& function) {
  return function.type == FunctionType::kRpc ? "grpc:" + function.operation : function.operation;
}

kernel::Call call_to(const FunctionDefinition& function, const std::string& resource,
                     const kernel::Operation& operation) {
  return {function.name, resource, operation.input, function.endpoint};
}

double seconds_since_epoch(Timestamp time) { return static_cast<double>(time.time_since_epoch().count()) / 1000.0; }

class InvokeFunction final : public ActionCode {
 public:
  explicit InvokeFunction(const Action& action)
      : ActionCode(action), resource_(resource_of(*detail<InvokeFunctionAction>().function)) {}

  std::string_view resource() const override { return resource_; }

  kernel::Call call(const kernel::Operation& operation) const override {
    return call_to(*detail<InvokeFunctionAction>().function, resource_, operation);
  }

 protected:
  void begin(Frame& frame) const override {
    const InvokeFunctionAction& invoke = detail<InvokeFunctionAction>();
    const bool is_expression = invoke.function->type == FunctionType::kExpression;
    auto arguments = invoke.arguments ? frame.evaluate(*invoke.arguments, frame.input())
                     : is_expression  ? Attempt<Value>(frame.input())
                                      : Attempt<Value>(Value::empty_object());
    if (!arguments) return fail(frame, arguments.error());
    if (is_expression) return evaluate_function(frame, *arguments);
    if (invoke.waits) return frame.call(OperationKind::kTask, *std::move(arguments), invoke.timeout);
    call_detached(frame, action().detached, *std::move(arguments));
    complete(frame, {});
  }

  void proceed(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    if (ended.outcome == Outcome::kSucceeded) return complete(frame, {.result = ended.value, .errors = {}});
    if (ended.outcome != Outcome::kTimedOut) return fail(frame, Failure::from_value(ended.value));
    if (detail<InvokeFunctionAction>().timeout) return complete(frame, {});
    fail(frame, {std::string(kActionTimeout), "The function '" + action().name + "' did not end in time."});
  }

 private:
  void evaluate_function(Frame& frame, const Value& input) const {
    const InvokeFunctionAction& invoke = detail<InvokeFunctionAction>();
    if (!invoke.waits) return complete(frame, {});
    auto result = attempt(
        evaluate_to_one(*invoke.function->program, input, {.now_seconds = seconds_since_epoch(frame.turn().now())}));
    if (!result) return fail(frame, result.error());
    complete(frame, {.result = *std::move(result), .errors = {}});
  }

  std::string resource_;
};

// A call that nobody waits for. Whatever comes of it, its scope succeeds: the machine has gone on.
class DetachedCall final : public NodeCode {
 public:
  explicit DetachedCall(const Action& action)
      : NodeCode(action.detached),
        function_(*std::get<InvokeFunctionAction>(action.detail).function),
        resource_(resource_of(function_)) {}

  std::string_view resource() const override { return resource_; }

  kernel::Call call(const kernel::Operation& operation) const override {
    return call_to(function_, resource_, operation);
  }

  void run(Frame& frame) const override { frame.call(OperationKind::kTask, frame.input(), std::nullopt); }

  void resume(Frame& frame) const override {
    const Value outcome = frame.scope().ended.value;
    frame.close(outcome, Value());
  }

  void fail(Frame& frame, Failure failure) const override { frame.close(failure.to_value(), Value()); }

 private:
  const FunctionDefinition& function_;
  std::string resource_;
};

}  // namespace

NodeCodePtr compile_invoke_function(const Action& action) { return std::make_unique<InvokeFunction>(action); }
NodeCodePtr compile_detached_call(const Action& action) { return std::make_unique<DetachedCall>(action); }

}  // namespace pawl::sm4c
