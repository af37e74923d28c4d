// What all actions have in common: their errors, and their end.
#pragma once

#include <string_view>

#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

// What an action came to, as the node that holds it is told.
struct ActionEnd {
  Value result;
  Value errors;  // [{"node", "handler", "error"}], which handlers of it or inside it took; null where there are none

  Value to_value() const;
  static ActionEnd from_value(const Value& value);
};

// An action runs in a scope of its own; the scope's input is the data that it sees.
class ActionCode : public NodeCode {
 public:
  explicit ActionCode(const Action& action) : NodeCode(action.ordinal), action_(action) {}

  void run(Frame& frame) const final { begin(frame); }
  void resume(Frame& frame) const final;
  // Asks the handlers: a retry, a result of null, or a failure of what holds the action.
  void fail(Frame& frame, Failure failure) const final;

 protected:
  virtual void begin(Frame& frame) const = 0;
  // What it waited for has ended.
  virtual void proceed(Frame& frame) const;
  void complete(Frame& frame, ActionEnd end) const;

  const Action& action() const { return action_; }
  template <typename Detail>
  const Detail& detail() const {
    return std::get<Detail>(action_.detail);
  }

 private:
  enum class Handled : uint8_t { kNo, kYes };
  Attempt<Handled> handle(Frame& frame, const Failure& failure) const;
  Attempt<bool> retry(Frame& frame, uint32_t handler) const;

  const Action& action_;
};

// An action with actions inside, which are the children of its join.
class CompositeCode : public ActionCode {
 public:
  using ActionCode::ActionCode;

 protected:
  void proceed(Frame& frame) const final;
  // The result, from the ends of the children, which are null of those that did not succeed.
  virtual Value result_of(const Frame& frame, const std::vector<std::optional<ActionEnd>>& ends) const = 0;
};

// {key of a child: its result}, of those that succeeded.
Value keyed_results(std::span<const Action> children, const std::vector<std::optional<ActionEnd>>& ends);

}  // namespace pawl::sm4c
