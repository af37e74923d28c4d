// A call of a function that is not durable and for whose answer nobody waits, as the kernel sees it: an execution with
// one call. Where that fails it is made again, twice, as AWS makes asynchronous invocations.
//
// The call was accepted once its execution was kept. One that was out when the server ended is made again: such
// functions are called at least once.
#pragma once

#include <string>

#include "kernel/program.h"
#include "lang/durable/program.h"

namespace pawl::functions {

inline constexpr uint32_t kPlainRetriesMax = 2;
inline constexpr Duration kPlainRetryDelay = std::chrono::minutes(1);  // and twice that the second time

class PlainCall final : public kernel::Program {
 public:
  explicit PlainCall(Function function) : function_(std::move(function)), resource_("function:" + function_.name) {}

  void start(const kernel::Signal& signal, kernel::Turn& turn) const override;
  void step(ScopeId scope, kernel::Turn& turn) const override;
  bool enforce_limits(kernel::Turn&) const override { return false; }
  void refine_answer(const kernel::Operation&, const kernel::Limits&, kernel::Signal&) const override {}
  std::string_view resource_of(StateOrdinal) const override { return resource_; }
  std::string_view state_name(StateOrdinal) const override { return function_.name; }
  // The input of the call: {"arn": the execution's, "payload": what the function is given, as a text, "tenant"}.
  kernel::Call call_of(const kernel::Execution& execution, const kernel::Operation& operation) const override;

 private:
  Function function_;
  std::string resource_;
};

}  // namespace pawl::functions
