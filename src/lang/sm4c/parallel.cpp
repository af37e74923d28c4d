// The parallel action: runs its actions side by side, each on the same input.
#include "lang/sm4c/action_code.h"

namespace pawl::sm4c {

namespace {

class Parallel final : public CompositeCode {
 public:
  using CompositeCode::CompositeCode;

  void open_children(Frame& frame) const override {
    while (frame.join().may_open())
      frame.open_child(detail<ParallelAction>().actions[frame.join().opened].ordinal, frame.input());
  }

 protected:
  void begin(Frame& frame) const override {
    frame.start_join({.total = detail<ParallelAction>().actions.size(), .needed = actions_needed(), .memory = {}});
  }

  Value result_of(const Frame&, const std::vector<std::optional<ActionEnd>>& ends) const override {
    return keyed_results(detail<ParallelAction>().actions, ends);
  }

 private:
  uint32_t actions_needed() const {
    switch (detail<ParallelAction>().completion) {
      case CompletionType::kAnd:
        return 0;
      case CompletionType::kXor:
        return 1;
      case CompletionType::kNOfM:
        return detail<ParallelAction>().n;
    }
    return 0;
  }
};

}  // namespace

NodeCodePtr compile_parallel(const Action& action) { return std::make_unique<Parallel>(action); }

}  // namespace pawl::sm4c
