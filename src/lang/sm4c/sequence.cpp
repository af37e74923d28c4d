// The sequence action: runs its actions one after the other, each on the same input.
#include "lang/sm4c/action_code.h"

namespace pawl::sm4c {

namespace {

class Sequence final : public CompositeCode {
 public:
  using CompositeCode::CompositeCode;

  void open_children(Frame& frame) const override {
    frame.open_child(detail<SequenceAction>().actions[frame.join().opened].ordinal, frame.input());
  }

 protected:
  void begin(Frame& frame) const override {
    frame.start_join({.total = detail<SequenceAction>().actions.size(), .at_once = 1, .memory = {}});
  }

  Value result_of(const Frame&, const std::vector<std::optional<ActionEnd>>& ends) const override {
    return keyed_results(detail<SequenceAction>().actions, ends);
  }
};

}  // namespace

NodeCodePtr compile_sequence(const Action& action) { return std::make_unique<Sequence>(action); }

}  // namespace pawl::sm4c
