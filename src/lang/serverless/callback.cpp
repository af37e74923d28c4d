// The callback state: performs its action and waits for the event that tells of its completion.
//
// The action and the wait are the two children of a join, opened in one turn, so that no event is missed. The wait's
// time begins to run when the action has ended.
#include "lang/serverless/actions.h"
#include "lang/serverless/event_wait.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

constexpr uint32_t kAction = 0;
constexpr uint32_t kWait = 1;

class Callback final : public StateCode {
 public:
  using StateCode::StateCode;

  void open_children(Frame& frame) const override {
    const CallbackState& callback = detail<CallbackState>();
    while (frame.join().may_open())
      frame.open_child(frame.join().opened == kAction ? callback.action.ordinal : callback.wait, frame.memory());
  }

  void child_closed(Frame& frame, uint32_t child) const override {
    const auto& timeout = detail<CallbackState>().timeout;
    if (child != kAction || !timeout || frame.join().children.size() <= kWait) return;
    const kernel::Scope* wait = frame.execution().find_scope(frame.join().children[kWait]);
    if (wait == nullptr || !wait->operation) return;
    const auto due = frame.after(*timeout);
    if (!due) return fail(frame, due.error());
    frame.limit_wait(*wait, *due);
  }

  void child_failed(Frame& frame, Failure failure) const override {
    if (failure.goes_on) return finish(frame);
    fail(frame, std::move(failure));
  }

  void resume(Frame& frame) const override {
    if (!resume_retry(frame)) finish(frame);
  }

 protected:
  void begin(Frame& frame, Value data) const override { frame.start_join({2, 0, 0, std::move(data)}); }

 private:
  // What the action adds, then the event, where it came in time.
  void finish(Frame& frame) const {
    const Value memory = frame.memory();
    auto data = frame.succeeded(kAction) ? with_added(memory, frame.join().results[kAction]) : Attempt<Value>(memory);
    const Value event = frame.succeeded(kWait) ? frame.join().results[kWait] : Value();
    if (data && !event.is_null())
      data = add_arrived(frame, detail<CallbackState>().event_filter, *data, ArrivedEvent::from_value(event));
    if (!data) return fail(frame, data.error());
    frame.end_join(kernel::Outcome::kSucceeded);
    complete(frame, memory, *std::move(data));
  }
};

// The wait: closes with the event, or with null where it did not come in time.
class CallbackWait final : public NodeCode {
 public:
  CallbackWait(const State& state, StateOrdinal ordinal)
      : NodeCode(ordinal), callback_(std::get<CallbackState>(state.detail)) {}

  void run(Frame& frame) const override {
    auto wait = wait_for(frame, {callback_.event.event}, frame.input());
    if (!wait) return fail(frame, wait.error());
    const auto due =
        has_action_ended(frame) && callback_.timeout ? frame.after(*callback_.timeout) : Attempt<Timestamp>(kNever);
    if (!due) return fail(frame, due.error());
    frame.await_event(*std::move(wait), *due);
  }

  void resume(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    const bool came = ended.outcome == kernel::Outcome::kSucceeded;
    frame.close(came ? arrived_in(ended).to_value() : Value());
  }

  void fail(Frame& frame, Failure failure) const override { frame.fail_scope(std::move(failure)); }

 private:
  // Where a redrive waits again.
  static bool has_action_ended(const Frame& frame) {
    const kernel::Scope& holder = frame.execution().scope(frame.scope().parent);
    return !holder.join->children[kAction];
  }

  const CallbackState& callback_;
};

}  // namespace

NodeCodePtr compile_callback(const State& state) { return std::make_unique<Callback>(state); }

NodeCodePtr compile_wait(const Node& node, StateOrdinal ordinal) {
  return std::make_unique<CallbackWait>(*node.state, ordinal);
}

}  // namespace pawl::serverless
