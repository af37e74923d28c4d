// The parallel state: runs its branches side by side, each on its own copy of the state's data.
#include "lang/serverless/actions.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Parallel final : public StateCode {
 public:
  using StateCode::StateCode;

  void open_children(Frame& frame) const override {
    while (frame.join().may_open())
      frame.open_child(first_node_of(detail<ParallelState>().branches[frame.join().opened]), frame.memory());
  }

  // What the branches add is merged in the order of the text, whichever ended first.
  void resume(Frame& frame) const override {
    if (resume_retry(frame)) return;
    const Value memory = frame.memory();
    auto data = with_added(memory, added_by_children(frame));
    if (!data) return fail(frame, data.error());
    frame.end_join(kernel::Outcome::kSucceeded);
    complete(frame, memory, *std::move(data));
  }

 protected:
  void begin(Frame& frame, Value data) const override {
    const auto needed = branches_needed(data);
    if (!needed) return fail(frame, needed.error());
    frame.start_join({detail<ParallelState>().branches.size(), 0, *needed, std::move(data)});
  }

 private:
  Attempt<uint32_t> branches_needed(const Value& data) const {
    switch (detail<ParallelState>().completion) {
      case CompletionType::kAnd:
        return 0;
      case CompletionType::kXor:
        return 1;
      case CompletionType::kNOfM:
        return evaluate_n(data);
    }
    return 0;
  }

  Attempt<uint32_t> evaluate_n(const Value& data) const {
    const ParallelState& parallel = detail<ParallelState>();
    if (!parallel.n) return 0;
    const auto n = attempt(parallel.n->evaluate(data));
    if (!n) return std::unexpected(n.error());
    const size_t branches = parallel.branches.size();
    if (*n >= 1 && static_cast<size_t>(*n) <= branches) return static_cast<uint32_t>(*n);
    return std::unexpected(placeless(kNotANumber, "n is " + std::to_string(*n) +
                                                      ", which is not between 1 and the number of branches, " +
                                                      std::to_string(branches) + "."));
  }
};

}  // namespace

NodeCodePtr compile_parallel(const State& state) { return std::make_unique<Parallel>(state); }

}  // namespace pawl::serverless
