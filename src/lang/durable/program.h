// A durable function, as the kernel sees it: its code runs elsewhere and is called again and again, until it has
// nothing more to do. What it records in checkpoints is the execution's ledger.
//
// At most one call is in flight. What happens beside it is told in the answer to its next checkpoint, or by the next
// call.
#pragma once

#include <string>

#include "kernel/program.h"
#include "lang/durable/update.h"

namespace pawl::functions {

struct Function {
  std::string name;
  Duration execution_timeout{};  // 0: none
  Bounds bounds;
  Value call_settings = {};  // handed to whoever calls the code (Call::endpoint)
};

// Errors of a call that are the surroundings' fault begin with these; a call that took too long is the code's own.
bool is_runtime_error(std::string_view error_type);

class Program final : public kernel::Program {
 public:
  explicit Program(Function function) : function_(std::move(function)), resource_("function:" + function_.name) {}

  const Function& function() const { return function_; }

  void start(const kernel::Signal& signal, kernel::Turn& turn) const override;
  void step(ScopeId scope, kernel::Turn& turn) const override;
  bool enforce_limits(kernel::Turn&) const override { return false; }
  // A call of another function failed: {"Status": "FAILED", "TIMED_OUT" or "STOPPED", "Error": an ErrorObject}.
  void refine_answer(const kernel::Operation&, const kernel::Limits&, kernel::Signal& signal) const override;
  void take_request(const kernel::Signal& signal, kernel::Turn& turn) const override;
  std::string_view resource_of(StateOrdinal) const override { return resource_; }
  std::string_view state_name(StateOrdinal) const override { return function_.name; }
  kernel::Call call_of(const kernel::Execution& execution, const kernel::Operation& operation) const override;

 private:
  Result<Value> checkpoint(const Value& request, kernel::Turn& turn) const;
  Result<Value> read_state(const Value& request, kernel::Turn& turn) const;

  Function function_;
  std::string resource_;
};

// The answer to a checkpoint, from the state right after it.
Value checkpoint_answer(const kernel::Execution& execution, std::string_view next_token);

}  // namespace pawl::functions
