// What all states have in common: their data's way in and out, retries, error handlers, transitions and ends.
#pragma once

#include <optional>

#include "lang/serverless/node_code.h"

namespace pawl::serverless {

// A state runs in the root scope only: branches and iterations hold actions and sub-workflows.
class StateCode : public NodeCode {
 public:
  explicit StateCode(const State& state) : NodeCode(state.ordinal), state_(state) {}

  void run(Frame& frame) const final;
  void fail(Frame& frame, Failure failure) const final;

  // The state's data while it waits: without what its children have to add.
  Value data_so_far(const Frame& frame) const;

 protected:
  // Begins the state's work on its filtered data.
  virtual void begin(Frame& frame, Value data) const = 0;
  // Begins it again for a retry, with what its join had to work on.
  virtual void begin_again(Frame& frame, Value memory) const { begin(frame, std::move(memory)); }
  // The state's data, out of what its join works on.
  virtual Value data_in(const Value& memory) const { return memory; }

  // The state's input as its filter leaves it.
  Attempt<Value> filtered_input(const Frame& frame) const;

  // What the resume of a state that can be retried does first: true where a retry was due and the state's work has
  // begun again.
  bool resume_retry(Frame& frame) const;

  // The work is done: `memory` is what a retry begins again with (null: from the state's input), `data` the result.
  void complete(Frame& frame, const Value& memory, Value data) const;
  // As complete, with another exit than the state's own, and no retry.
  void leave(Frame& frame, Value data, const Exit& exit) const;

  const State& state() const { return state_; }
  template <typename Detail>
  const Detail& detail() const {
    return std::get<Detail>(state_.detail);
  }

 private:
  Attempt<bool> retry(Frame& frame, const Value& data, const Value& error, const Value& memory) const;
  bool handle(Frame& frame, const Failure& failure, const Value& data) const;
  void halt(Frame& frame, Failure failure) const;
  enum class With : uint8_t { kResult, kError };
  Attempt<void> try_leave(Frame& frame, const Value& data, const Exit& exit, With with) const;
  Attempt<void> check_output(const Frame& frame, const Value& output, const Exit& exit, With with) const;
  Failure denied(const Exit& exit, const Value& output) const;

  const State& state_;
};

}  // namespace pawl::serverless
