// A state: its actions, its handlers, and which of its transitions is taken.
//
// Whatever takes time is a child of the state's join: an action, or the wait for events and a timeout. The memory of
// the join says which, and has the machine's data before it: {"phase", "data", "transition": which, "next": state}. A
// phase "again" has no child: it records that the state goes on with other data.
#pragma once

#include <optional>
#include <vector>

#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

class StateCode final : public NodeCode {
 public:
  explicit StateCode(const State& state) : NodeCode(state.ordinal), state_(state) {}

  void run(Frame& frame) const override;
  void resume(Frame& frame) const override;
  void open_children(Frame& frame) const override;
  void fail(Frame& frame, Failure failure) const override { frame.halt(failure); }

  // A transition by events that can be taken, and the places of the events in the mail, one for each group.
  struct Match {
    size_t transition = 0;
    std::vector<size_t> events;
  };
  // The first in the order of the text. Failure: that of a group's condition.
  Attempt<std::optional<Match>> find_match(const Frame& frame) const;

 private:
  using Data = Attempt<Value>;

  Data filtered(const Frame& frame, const Value& data) const;
  Data merged(const Frame& frame, const std::optional<Expression>& handler, const Value& data, Value value) const;
  Data with_errors(const Frame& frame, Value data, const Value& errors) const;
  Data after_action(const Frame& frame, const std::optional<Expression>& handler) const;

  void decide(Frame& frame, Data data) const;
  Attempt<std::optional<size_t>> find_by_condition(const Frame& frame, const Value& data) const;
  void trigger(Frame& frame, size_t transition, Value data) const;
  void trigger_by_events(Frame& frame, const Match& match, Value data) const;
  void complete(Frame& frame, size_t transition, const Value& before, Data data) const;
  void exit(Frame& frame, StateOrdinal next, Value data) const;
  void leave(Frame& frame, StateOrdinal next, Data data) const;

  Attempt<std::optional<size_t>> find_in_mail(const Frame& frame, const EventGroup& group, const Value& mail) const;
  std::optional<size_t> find(TransitionKind kind) const;

  const State& state_;
};

// The child that waits, where the state in this frame does; null where it does not.
const kernel::Scope* waiting_child(const Frame& frame);

}  // namespace pawl::sm4c
