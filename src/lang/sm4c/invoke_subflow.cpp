// The invokeSubflow action: starts another definition, in any language, and waits for its end or only for its start.
#include "lang/sm4c/action_code.h"
#include "lang/sm4c/machine.h"

namespace pawl::sm4c {

namespace {

using kernel::OperationKind;
using kernel::Outcome;

class InvokeSubflow final : public ActionCode {
 public:
  explicit InvokeSubflow(const Action& action)
      : ActionCode(action), resource_("workflow:" + detail<InvokeSubflowAction>().subflow) {}

  std::string_view resource() const override { return resource_; }

  kernel::Call call(const kernel::Operation& operation) const override {
    return {detail<InvokeSubflowAction>().subflow, resource_, operation.input};
  }

 protected:
  void begin(Frame& frame) const override {
    const InvokeSubflowAction& invoke = detail<InvokeSubflowAction>();
    auto input = invoke.arguments ? frame.evaluate(*invoke.arguments, frame.input()) : Attempt<Value>(frame.input());
    if (!input) return fail(frame, input.error());
    json::ObjectBuilder call(1);
    call.set("input", *std::move(input));
    if (invoke.waits)
      frame.call(OperationKind::kChild, call.build(), invoke.timeout);
    else
      frame.call(OperationKind::kTask, call.build(), std::nullopt);
  }

  void proceed(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    const bool gave_up = ended.outcome == Outcome::kTimedOut && detail<InvokeSubflowAction>().timeout;
    if (gave_up) return complete(frame, {});
    if (ended.outcome != Outcome::kSucceeded) return fail(frame, Failure::from_value(ended.value));
    const Value* terminated = ended.value.find("terminated");
    const bool ends_all = terminated != nullptr && terminated->is_boolean() && terminated->as_boolean();
    if (ends_all) return frame.succeed(data_so_far(frame), true);
    const Value* output = ended.value.find("output");
    complete(frame, {.result = output == nullptr ? Value() : *output, .errors = {}});
  }

 private:
  std::string resource_;
};

}  // namespace

NodeCodePtr compile_invoke_subflow(const Action& action) { return std::make_unique<InvokeSubflow>(action); }

}  // namespace pawl::sm4c
