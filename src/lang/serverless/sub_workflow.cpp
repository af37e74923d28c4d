#include "lang/serverless/sub_workflow.h"

#include "lang/serverless/state_code.h"

namespace pawl::serverless {

std::string sub_workflow_resource(std::string_view workflow_id) {
  return workflow_id.empty() ? std::string() : "workflow:" + std::string(workflow_id);
}

void call_sub_workflow(Frame& frame, Value data, bool until_its_end) {
  const auto kind = until_its_end ? kernel::OperationKind::kChild : kernel::OperationKind::kTask;
  frame.call(kind, frame.program().definitions().hand_down(std::move(data), frame.execution()), std::nullopt);
}

namespace {

// A workflow that ran says itself where it failed; one that could not be called does not know from where it was.
Failure failure_of(const kernel::Ended& ended) {
  Failure failure = Failure::from_value(ended.value);
  failure.is_placeless = failure.name.starts_with("SUBFLOW_");
  return failure;
}

}  // namespace

Attempt<SubWorkflowEnd> sub_workflow_end(const kernel::Ended& ended) {
  if (ended.outcome != kernel::Outcome::kSucceeded) return std::unexpected(failure_of(ended));
  SubWorkflowEnd end;
  if (const Value* output = ended.value.find("output")) end.output = *output;
  const Value* terminated = ended.value.find("terminated");
  end.terminates = terminated != nullptr && terminated->is_boolean() && terminated->as_boolean();
  return end;
}

void terminate_from(Frame& frame) {
  const StateOrdinal at_root = frame.execution().scope(ScopeId(1)).state;
  const auto& state = static_cast<const StateCode&>(frame.program().node(at_root));  // the root is only in states
  Frame root(frame.program(), state, ScopeId(1), frame.turn());
  frame.succeed(state.data_so_far(root), true);
}

}  // namespace pawl::serverless
