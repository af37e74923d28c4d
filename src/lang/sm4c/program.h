// A compiled state machine: a code for each node of its model.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "lang/sm4c/failure.h"
#include "lang/sm4c/model.h"
#include "lang/sm4c/options.h"

namespace pawl::sm4c {

class NodeCode;

// Immutable once compiled; shared by all executions of its definition, on any thread.
class Program final : public kernel::Program {
 public:
  // The machine must be one that lint finds no error in, loaded with the same options.
  Program(std::shared_ptr<const StateMachine> machine, const Options& options);
  ~Program() override;

  void start(const kernel::Signal& signal, kernel::Turn& turn) const override;
  void step(ScopeId scope, kernel::Turn& turn) const override;
  bool enforce_limits(kernel::Turn& turn) const override;
  void refine_answer(const kernel::Operation& operation, const kernel::Limits& limits,
                     kernel::Signal& signal) const override;
  std::string_view resource_of(StateOrdinal node) const override;
  std::string_view state_name(StateOrdinal node) const override;
  kernel::Call call_of(const kernel::Execution& execution, const kernel::Operation& operation) const override;

  const StateMachine& machine() const { return *machine_; }
  const Options& options() const { return options_; }
  const NodeCode& node(StateOrdinal ordinal) const;

 private:
  void enter(ScopeId scope, kernel::Turn& turn) const;

  std::shared_ptr<const StateMachine> machine_;
  Options options_;
  std::vector<std::unique_ptr<NodeCode>> nodes_;  // by ordinal - 1
};

}  // namespace pawl::sm4c
