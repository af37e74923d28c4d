// The foreach action: its action for each element of an array, on the element alone. The memory of its join is the
// array.
#include "lang/sm4c/action_code.h"

namespace pawl::sm4c {

namespace {

class Foreach final : public CompositeCode {
 public:
  using CompositeCode::CompositeCode;

  void open_children(Frame& frame) const override {
    const Value items = frame.memory();
    while (frame.join().may_open() && !frame.turn().is_full())
      frame.open_child(detail<ForeachAction>().action.front().ordinal, items.at(frame.join().opened));
  }

 protected:
  void begin(Frame& frame) const override {
    auto items = frame.evaluate(detail<ForeachAction>().input, frame.input());
    if (!items) return fail(frame, items.error());
    if (!items->is_array())
      return fail(frame, {std::string(kNotAnArray), "The input of the action '" + action().name + "' is no array."});
    const size_t total = items->size();
    frame.start_join({.total = total, .at_once = detail<ForeachAction>().max_parallel, .memory = *std::move(items)});
  }

  Value result_of(const Frame&, const std::vector<std::optional<ActionEnd>>& ends) const override {
    json::ArrayBuilder results(ends.size());
    for (const auto& end : ends) results.push(end ? end->result : Value());
    return results.build();
  }
};

}  // namespace

NodeCodePtr compile_foreach(const Action& action) { return std::make_unique<Foreach>(action); }

}  // namespace pawl::sm4c
