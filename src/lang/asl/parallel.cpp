// The Parallel state: runs its branches side by side on the same input; the result is the array of their outputs.
#include "lang/asl/join.h"
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

using kernel::Fact;
using kernel::FactKind;

class Parallel final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Parallel>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    code->reports_branch_failed_ = context.options.spec_errors;
    for (const auto& branch : source.machines) {
      const State* start = branch->find(branch->start_at);
      if (start != nullptr) code->starts_.push_back(start->ordinal);
    }
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.effective_input(frame);
    if (!input) return frame.fail(input.error());
    if (StateProbe* probe = frame.probe()) {
      if (probe->mock_error) probe->mock_error = join_failure(*probe->mock_error);
      return take_mock(frame);
    }
    Fact fact;
    fact.kind = FactKind::kJoinStarted;
    fact.scope = frame.scope().id;
    fact.state = ordinal_;
    fact.number = static_cast<uint32_t>(starts_.size());
    fact.value = *std::move(input);
    frame.turn().append_event(std::move(fact), frame.work_follows());
  }

  void open_children(Frame& frame) const override {
    while (frame.scope().join->may_open()) {
      const kernel::Join& join = *frame.scope().join;
      Fact fact;
      fact.kind = FactKind::kScopeOpened;
      fact.scope = frame.turn().execution().next_scope_id();
      fact.parent = frame.scope().id;
      fact.state = ordinal_;
      fact.number = join.opened;
      fact.next = starts_[join.opened];
      fact.previous_event = join.start_event;
      fact.value = join.items;
      frame.turn().append(std::move(fact));
    }
  }

  void resume(Frame& frame) const override {
    if (frame.scope().ended.what == kernel::Ended::What::kOperation) return run(frame);  // a retry is due
    const Value results = join_results(*frame.scope().join);
    end_join(frame, kernel::Outcome::kSucceeded);
    finish(frame, results);
  }

  Failure join_failure(Failure child) const override {
    child.also_matches = kBranchFailed;
    if (reports_branch_failed_) child.error = kBranchFailed;
    return child;
  }

 private:
  std::vector<StateOrdinal> starts_;
  bool reports_branch_failed_ = false;
};

}  // namespace

Result<StateCodePtr> compile_parallel(const State& source, const CompileContext& context) {
  return Parallel::compile(source, context);
}

}  // namespace pawl::asl
