// The timekeeper: when the machine's time is over it stops everything else, runs the timeout's action, and ends the
// machine.
#include "lang/sm4c/machine.h"
#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

namespace {

class TimekeeperCode final : public NodeCode {
 public:
  explicit TimekeeperCode(const StateMachine& machine) : NodeCode(machine.timekeeper), machine_(machine) {}

  void run(Frame& frame) const override {
    const auto due = frame.after(*machine_.timeout);
    if (!due) return frame.halt(due.error());
    frame.sleep_until(*due);
  }

  void resume(Frame& frame) const override {
    if (frame.scope().ended.what == kernel::Ended::What::kJoin) return end(frame, {});
    const Value data = data_so_far(frame);
    stop_others(frame);
    if (!machine_.timeout_action) return end(frame, {});
    frame.start_join({.total = 1, .memory = data});
  }

  void open_children(Frame& frame) const override {
    frame.open_child(machine_.timeout_action->ordinal, Value(frame.memory()));
  }

  void fail(Frame& frame, Failure failure) const override {
    end(frame, " Its action failed: " + failure.name + ": " + failure.message);
  }

 private:
  static void stop_others(Frame& frame) {
    const std::vector<ScopeId> children = frame.parent().join().children;
    for (const ScopeId child : children)
      if (child && child != frame.scope().id) frame.in(child).abort_scope();
  }

  void end(Frame& frame, const std::string& addition) const {
    if (frame.has_join()) frame.end_join(kernel::Outcome::kSucceeded);
    frame.time_out(
        {std::string(kMachineTimeout), "The machine did not end within " + machine_.timeout->text + "." + addition});
  }

  const StateMachine& machine_;
};

}  // namespace

NodeCodePtr compile_timekeeper(const StateMachine& machine) { return std::make_unique<TimekeeperCode>(machine); }

}  // namespace pawl::sm4c
