// A compiled Serverless Workflow: a code for each node of its model.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/program.h"
#include "lang/serverless/definitions.h"
#include "lang/serverless/model.h"
#include "lang/serverless/options.h"
#include "lang/serverless/schema_check.h"

namespace pawl::serverless {

class NodeCode;

// Immutable once compiled; shared by all executions of its definition, on any thread.
class Program final : public kernel::Program {
 public:
  // The workflow must be one that lint finds no error in. Error: that of a JSON Schema that is none.
  static Result<std::unique_ptr<Program>> compile(std::shared_ptr<const Workflow> workflow, const Options& options);
  ~Program() override;

  void start(const kernel::Signal& signal, kernel::Turn& turn) const override;
  void step(ScopeId scope, kernel::Turn& turn) const override;
  bool enforce_limits(kernel::Turn& turn) const override;
  void refine_answer(const kernel::Operation& operation, const kernel::Limits& limits,
                     kernel::Signal& signal) const override;
  std::string_view resource_of(StateOrdinal node) const override;
  std::string_view state_name(StateOrdinal node) const override;
  kernel::Call call_of(const kernel::Execution& execution, const kernel::Operation& operation) const override;
  kernel::StartRule start_rule() const override;

  const Workflow& workflow() const { return *workflow_; }
  const Options& options() const { return options_; }
  const Definitions& definitions() const { return definitions_; }
  const NodeCode& node(StateOrdinal ordinal) const;
  const DataSchemas& schemas() const { return schemas_; }  // of the workflow
  const DataSchemas& schemas_of(StateOrdinal state) const;

 private:
  Program(std::shared_ptr<const Workflow> workflow, const Options& options);

  void enter(ScopeId scope, kernel::Turn& turn) const;
  Result<void> compile_schemas();
  bool refuse_input(ScopeId scope, kernel::Turn& turn) const;
  Attempt<void> check_input(const Value& input) const;
  Attempt<void> check_events(const kernel::Execution& execution) const;

  std::shared_ptr<const Workflow> workflow_;
  Options options_;
  Definitions definitions_;
  DataSchemas schemas_;
  std::map<StateOrdinal, DataSchemas> state_schemas_;  // of states that have one
  std::vector<std::unique_ptr<NodeCode>> nodes_;       // by ordinal - 1
};

}  // namespace pawl::serverless
