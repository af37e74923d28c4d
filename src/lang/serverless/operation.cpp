// The operation state: performs its actions.
#include "lang/serverless/actions.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Operation final : public StateCode {
 public:
  explicit Operation(const State& state) : StateCode(state), actions_(detail<OperationState>().body) {}

  void open_children(Frame& frame) const override {
    if (auto opened = actions_.open(frame); !opened) fail(frame, opened.error());
  }

  void resume(Frame& frame) const override {
    if (!resume_retry(frame)) finish(frame);
  }

  void child_failed(Frame& frame, Failure failure) const override {
    if (failure.goes_on) return finish(frame);
    fail(frame, std::move(failure));
  }

 protected:
  void begin(Frame& frame, Value data) const override { actions_.start(frame, std::move(data)); }

 private:
  void finish(Frame& frame) const {
    const Value memory = frame.memory();
    auto data = with_added(memory, added_by_children(frame));
    if (!data) return fail(frame, data.error());
    frame.end_join(kernel::Outcome::kSucceeded);
    complete(frame, memory, *std::move(data));
  }

  ActionList actions_;
};

}  // namespace

NodeCodePtr compile_operation(const State& state) { return std::make_unique<Operation>(state); }

}  // namespace pawl::serverless
