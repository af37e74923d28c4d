// The compiled form of one state. Each state type has its own file with its subclass.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "lang/asl/data_flow.h"
#include "lang/asl/error_handling.h"
#include "lang/asl/frame.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"

namespace pawl::asl {

// What a state's compiler may ask about its surroundings.
struct CompileContext {
  const Machine& machine;  // that the state stands in
  const Options& options;
  std::string location;  // JSON Pointer of the state

  StateOrdinal ordinal_of(const Value* name) const;  // 0 where absent or unknown
};

class StateCode {
 public:
  virtual ~StateCode() = default;

  // StateEntered was appended: run. Also called again, without StateEntered, when a retry is due and after a redrive.
  virtual void run(Frame& frame) const = 0;
  // What the state waited for has ended; frame.scope().ended says what.
  virtual void resume(Frame& frame) const;
  // Children of its join may be opened.
  virtual void open_children(Frame& frame) const;
  // What its operation calls.
  virtual std::string_view resource() const { return {}; }
  // A child of its join failed beyond what is tolerated: what the state's own failure is.
  virtual Failure join_failure(Failure child) const { return child; }

  const std::string& name() const { return name_; }
  StateType type() const { return type_; }
  StateOrdinal ordinal() const { return ordinal_; }
  bool can_retry() const {
    return type_ == StateType::kTask || type_ == StateType::kParallel || type_ == StateType::kMap;
  }
  StateOrdinal next() const { return next_; }
  const std::vector<Retrier>& retriers() const { return retriers_; }
  const std::vector<Catcher>& catchers() const { return catchers_; }

 protected:
  // Reads the fields that state types share.
  Result<void> compile_common(const State& source, const CompileContext& context);

  // A probe's mock stands in for what the state would have waited for.
  void take_mock(Frame& frame) const;
  // Result -> ResultSelector -> ResultPath -> OutputPath, Assign, and out.
  void finish(Frame& frame, const Value& result) const;

  std::string name_;
  StateType type_ = StateType::kPass;
  StateOrdinal ordinal_;
  StateOrdinal next_;
  DataFlow data_;
  std::vector<Retrier> retriers_;
  std::vector<Catcher> catchers_;
};

using StateCodePtr = std::unique_ptr<StateCode>;

Result<StateCodePtr> compile_pass(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_task(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_choice(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_wait(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_succeed(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_fail(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_parallel(const State& source, const CompileContext& context);
Result<StateCodePtr> compile_map(const State& source, const CompileContext& context);

}  // namespace pawl::asl
