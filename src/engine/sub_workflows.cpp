#include "engine/sub_workflows.h"

#include <algorithm>

namespace pawl::engine {

namespace {

using json::ObjectBuilder;
using kernel::OperationKind;

constexpr std::string_view kLineage = "workflows";  // the label: names of the definitions that an execution is part of

Value member(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr ? Value() : *found;
}

TaskAnswer ended(Value output, bool terminated) {
  ObjectBuilder value(2);
  value.set("output", std::move(output));
  value.set("terminated", Value::boolean(terminated));
  return TaskAnswer::succeeded(value.build());
}

// What whoever asked for the start hears of it.
TaskAnswer started(const TaskRequest& request) {
  const bool waits = request.kind == OperationKind::kChild;
  return waits ? TaskAnswer::submitted(Value::empty_object()) : TaskAnswer::succeeded(Value());
}

// The names from the outermost definition to the parent's.
std::vector<std::string> lineage_of(const TaskRequest& request, const std::string& parent) {
  std::vector<std::string> names;
  const Value known = member(request.labels, kLineage);
  if (known.is_array())
    for (const Value& name : known.items())
      if (name.is_string()) names.emplace_back(name.as_string());
  if (names.empty() || names.back() != parent) names.push_back(parent);
  return names;
}

std::string chain_text(const std::vector<std::string>& lineage, const std::string& name) {
  std::string text;
  for (const std::string& each : lineage) text += each + " > ";
  return text + name;
}

// The parent's labels, and where the sub-workflow stands.
Value labels_with(const Value& labels, const std::vector<std::string>& lineage, const std::string& name) {
  json::ArrayBuilder names(lineage.size() + 1);
  for (const std::string& each : lineage) names.push(Value::string(each));
  names.push(Value::string(name));
  const Value before = labels.is_object() ? labels : Value::empty_object();
  return before.with_member(kLineage, names.build());
}

Value inherited_from(const Value& call) {
  ObjectBuilder inherited(2);
  for (const char* name : {"functions", "events"})
    if (const Value* given = call.find(name)) inherited.set(name, *given);
  return inherited.build();
}

// The start, or what is answered in its place.
std::expected<StartRequest, TaskAnswer> prepare(const SubWorkflows::World& world, const TaskRequest& request) {
  const std::string name = request.resource.substr(kWorkflowResource.size());
  const auto parent = world.store.find_execution(request.execution);
  const auto lineage = lineage_of(request, parent ? world.programs.name_of(parent->definition) : "");
  const auto refused = [](std::string_view code, const std::string& why) {
    return std::unexpected(TaskAnswer::failed(code, why));
  };
  if (std::ranges::find(lineage, name) != lineage.end())
    return refused("SUBFLOW_CIRCLE",
                   "The workflow is a part of itself: " + chain_text(lineage, name) + ". Call another workflow there.");
  if (lineage.size() >= kSubWorkflowDepthMax)
    return refused("SUBFLOW_TOO_DEEP", "More than " + std::to_string(kSubWorkflowDepthMax) +
                                           " workflows call each other: " + chain_text(lineage, name) + ".");
  const auto definition = world.programs.find_named(name);
  if (!definition)
    return refused("SUBFLOW_UNKNOWN", "There is no workflow '" + name + "' that takes executions. Deploy it first.");
  if (!world.programs.may_start(*definition, world.clock.now()))
    return std::unexpected(request.kind == OperationKind::kChild ? ended(Value::empty_object(), false)
                                                                 : TaskAnswer::succeeded(Value()));
  StartRequest start;
  start.definition = *definition;
  start.input = member(request.input, "input");
  start.labels = labels_with(request.labels, lineage, name);
  start.make_context = [&programs = world.programs, definition = *definition, input = start.input,
                        inherited = inherited_from(request.input)](ExecutionId id, Timestamp at) {
    const Value context = programs.make_context(definition, id, "", input, at);
    return (context.is_object() ? context : Value::empty_object()).with_member("inherited", inherited);
  };
  return start;
}

}  // namespace

void SubWorkflows::serve(const World& world) {
  world_.store(&world);
  world_.notify_all();
}

const SubWorkflows::World& SubWorkflows::world() const {
  world_.wait(nullptr);
  return *world_.load();
}

void SubWorkflows::start(const TaskRequest& request, AnswerTask answer) {
  const World& world = this->world();
  ChildLink link{request.execution, request.operation, request.attempt, {}};
  if (request.kind == OperationKind::kChild) link.form = kWorkflowForm;
  if (world.engine.find_child(link)) return answer(started(request));
  auto start = prepare(world, request);
  if (!start) return answer(start.error());
  start->parent = link;
  world.engine.start(*std::move(start), [request, answer = std::move(answer)](Result<Started> result) {
    if (result) return answer(started(request));
    const bool is_asked_again = result.error().code.starts_with("STORE_");
    if (!is_asked_again) answer(TaskAnswer::failed(result.error().code, result.error().what));
  });
}

ChildEnd SubWorkflows::end_of(const Description& child, std::string_view) {
  if (child.status == kernel::Status::kSucceeded)
    return {Value::empty_object(), ended(child.outcome, child.is_terminated)};
  const Value error = member(child.outcome, "Error");
  const Value cause = member(child.outcome, "Cause");
  return {Value::empty_object(),
          TaskAnswer::failed(error.is_string() ? error.as_string() : "SUBFLOW_STOPPED",
                             cause.is_string() ? cause.as_string() : "The sub-workflow was stopped.")};
}

}  // namespace pawl::engine
