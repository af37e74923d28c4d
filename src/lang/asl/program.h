// A compiled definition: states with their paths, templates and rules ready to run.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/program.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"

namespace pawl::asl {

class StateCode;
struct StateProbe;

// Immutable once compiled; shared by all executions of its definition, on any thread.
class Program final : public kernel::Program {
 public:
  // The definition must be one that lint finds no error in. Error: ASL_UNSUPPORTED_… for what this version does not
  // run.
  static Result<std::unique_ptr<Program>> compile(const Definition& definition, const Options& options);
  ~Program() override;

  void start(const kernel::Signal& signal, kernel::Turn& turn) const override;
  void step(ScopeId scope, kernel::Turn& turn) const override;
  void refine_redrive(const kernel::Turn& turn, kernel::Fact& fact) const override;
  bool enforce_limits(kernel::Turn& turn) const override;
  std::string_view resource_of(StateOrdinal state) const override;
  std::string_view state_name(StateOrdinal state) const override;
  void refine_answer(const kernel::Operation& operation, const kernel::Limits& limits,
                     kernel::Signal& signal) const override;

  StateType state_type(StateOrdinal state) const;
  const StateCode& state(StateOrdinal ordinal) const;
  const Options& options() const { return options_; }

  // For a program that is made for one test of a state and run once (TestState).
  void attach(StateProbe& probe) { probe_ = &probe; }
  StateProbe* probe() const { return probe_; }  // null where nobody looks

 private:
  friend class Compiler;
  Program() = default;

  Timestamp deadline_after(Timestamp begin) const;

  Options options_;
  int64_t timeout_seconds_ = 0;  // of the machine; 0: none
  StateOrdinal start_;
  std::vector<std::unique_ptr<StateCode>> states_;  // by ordinal - 1
  StateProbe* probe_ = nullptr;
};

}  // namespace pawl::asl
