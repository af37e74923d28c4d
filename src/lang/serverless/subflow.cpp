// The subflow state: runs another workflow, and goes on when it has ended, or when it has started.
#include "lang/serverless/filter.h"
#include "lang/serverless/state_code.h"
#include "lang/serverless/sub_workflow.h"

namespace pawl::serverless {

namespace {

class Subflow final : public StateCode {
 public:
  explicit Subflow(const State& state)
      : StateCode(state), resource_(sub_workflow_resource(detail<SubflowState>().workflow_id)) {}

  std::string_view resource() const override { return resource_; }

  void resume(Frame& frame) const override {
    const auto end = sub_workflow_end(frame.scope().ended);
    if (!end) return fail(frame, end.error());
    if (end->terminates) return terminate_from(frame);
    auto data = filtered_input(frame);
    if (data && detail<SubflowState>().wait_for_completion)
      data = attempt(add_output(state().name, *data, end->output));
    if (!data) return fail(frame, data.error());
    complete(frame, Value(), *std::move(data));
  }

 protected:
  void begin(Frame& frame, Value data) const override {
    call_sub_workflow(frame, std::move(data), detail<SubflowState>().wait_for_completion);
  }

 private:
  std::string resource_;
};

}  // namespace

NodeCodePtr compile_subflow(const State& state) { return std::make_unique<Subflow>(state); }

}  // namespace pawl::serverless
