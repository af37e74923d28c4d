// A frame: one step of one scope in one state. It gives state types what they need and appends the facts they decide.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "expr/jsonpath/rooted_path.h"
#include "kernel/turn.h"
#include "lang/asl/failure.h"
#include "lang/asl/payload_template.h"
#include "lang/asl/program.h"
#include "lang/asl/state_probe.h"

namespace pawl::asl {

struct MapItem {
  size_t index = 0;
  const Value* value = nullptr;
};

class Frame {
 public:
  Frame(const Program& program, const StateCode& state, ScopeId scope, kernel::Turn& turn)
      : program_(program), state_(state), scope_(scope), turn_(turn) {}

  const Program& program() const { return program_; }
  const StateCode& state() const { return state_; }
  const kernel::Scope& scope() const { return turn_.execution().scope(scope_); }
  kernel::Turn& turn() { return turn_; }
  const kernel::Turn& turn() const { return turn_; }
  const Value& raw_input() const { return scope().input; }
  StateProbe* probe() const { return program_.probe(); }
  // Tells a probe, where there is one, what the data is at a stage of its way through the state.
  void see(std::string_view stage, const Value& value) const {
    if (probe() != nullptr) probe()->see(stage, value);
  }

  // While the template of a callback task is evaluated, $$.Task.Token is this; while a Map's ItemSelector is,
  // $$.Map.Item is that.
  void set_token(std::string token) { token_ = std::move(token); }
  void set_item(std::optional<MapItem> item) { item_ = item; }

  // Evaluates a path field such as InputPath: a failure is States.Runtime with AWS's sentence.
  Attempt<Value> evaluate_path(const jsonpath::RootedPath& path, const Value& input) const;
  // Evaluates a Payload Template on `input`.
  Attempt<Value> evaluate_template(const PayloadTemplate& code, const Value& input);
  // Evaluates what a field such as ErrorPath holds.
  Attempt<Value> evaluate_expression(const Expression& expression, std::string_view field, const Value& input);

  // A failure States.Runtime whose cause names this state and the event that entered it.
  Failure runtime_failure(std::string_view sentence) const;

  // What the first event of the state's work follows: its entry, also after a redrive; a retry's follows the failure.
  EventId work_follows() const { return scope().attempt == 0 ? scope().entered_event : scope().last_event; }

  // Leaves the state: to `next`, or (0) ends the scope. `assigned` is null or the object of variables it assigns.
  void exit(Value output, StateOrdinal next, Value assigned);
  // The state failed: retries it, goes to its catcher, or fails the scope and what holds it.
  void fail(Failure failure);

  Value context() const;
  const Value* variable(std::string_view name) const;
  // The text of a value as causes quote it: the input as it was sent, anything else as it prints.
  std::string quoted_text(const Value& value) const;

 private:
  Failure path_failure(const std::string& field, const std::string& path, const Value& input) const;
  Failure template_failure(const TemplateError& error, const Value& input) const;
  std::optional<Failure> check_limits(const Value& output) const;
  void close_scope(Value output);
  bool retry(const Failure& failure);
  bool handle(const Failure& failure);
  void fail_scope(Failure failure);
  void fail_tested(Failure failure, StateProbe& probe);

  const Program& program_;
  const StateCode& state_;
  ScopeId scope_;
  kernel::Turn& turn_;
  std::string token_;
  std::optional<MapItem> item_;
};

// What $, $$ and $name mean in a frame.
class FrameRoots final : public jsonpath::Roots {
 public:
  FrameRoots(const Frame& frame, const Value& input) : Roots(input), frame_(frame) {}
  Value context() const override { return frame_.context(); }
  const Value* variable(std::string_view name) const override { return frame_.variable(name); }

 private:
  const Frame& frame_;
};

}  // namespace pawl::asl
