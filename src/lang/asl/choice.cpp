// The Choice state: the first rule that holds decides where to go.
#include "lang/asl/choice_rule.h"
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

struct Branch {
  ChoiceRule rule;
  StateOrdinal next;
  std::optional<PayloadTemplate> assign;
};

class Choice final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Choice>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    code->default_ = context.ordinal_of(source.source.find("Default"));
    const Value* rules = source.source.find("Choices");
    if (rules == nullptr || !rules->is_array()) return code;
    for (const Value& rule : rules->items()) {
      PAWL_TRY(auto compiled, ChoiceRule::compile(rule));
      Branch branch{std::move(compiled), context.ordinal_of(rule.find("Next")), std::nullopt};
      if (const Value* assign = rule.find("Assign")) {
        PAWL_TRY(branch.assign, PayloadTemplate::compile(*assign));
      }
      code->branches_.push_back(std::move(branch));
    }
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    const FrameRoots roots(frame, *input);
    for (const Branch& branch : branches_) {
      auto holds = branch.rule.evaluate(roots);
      if (!holds) return frame.fail(frame.runtime_failure(holds.error().what));
      if (!*holds) continue;
      auto assigned = branch.assign ? frame.evaluate_template(*branch.assign, *input) : Value();
      return take(frame, *std::move(input), branch.next, std::move(assigned));
    }
    if (default_) {
      auto assigned = data_.assigned(frame, *input);
      return take(frame, *std::move(input), default_, std::move(assigned));
    }
    Failure failure =
        frame.runtime_failure("Failed to transition out of the state. The state does not point to a next state.");
    failure.error = kNoChoiceMatched;
    frame.fail(std::move(failure));
  }

 private:
  // The rule's own Assign, or the state's on the way to Default.
  void take(Frame& frame, Value input, StateOrdinal next, Attempt<Value> assigned) const {
    if (!assigned) return frame.fail(assigned.error());
    auto output = data_.select_output(frame, std::move(input));
    if (!output) return frame.fail(output.error());
    frame.exit(*std::move(output), next, *std::move(assigned));
  }

  std::vector<Branch> branches_;
  StateOrdinal default_;
};

}  // namespace

Result<StateCodePtr> compile_choice(const State& source, const CompileContext& context) {
  return Choice::compile(source, context);
}

}  // namespace pawl::asl
