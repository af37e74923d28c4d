#include "lang/serverless/graph_text.h"

#include <string_view>

#include "graph/label.h"

namespace pawl::serverless {
namespace {

using graph::shortened;

void add(std::string& list, std::string_view name, std::string_view separator) {
  if (!list.empty()) list += separator;
  list += name;
}

std::string events_of(const EventState& event) {
  std::string names;
  for (const EventsActions& group : event.groups)
    for (const EventReference& reference : group.events)
      add(names, reference.event, event.exclusive ? " or " : " and ");
  return names;
}

std::string actions_of(const EventState& event) {
  std::string names;
  for (const EventsActions& group : event.groups)
    for (const Action& action : group.body.actions) add(names, action.name, ", ");
  return names;
}

std::string text_of(const ParallelState& parallel) {
  switch (parallel.completion) {
    case CompletionType::kAnd:
      return "all branches";
    case CompletionType::kXor:
      return "the first branch";
    case CompletionType::kNOfM:
      return "n branches";
  }
  return {};
}

struct Describe {
  std::string operator()(const EventState& event) const {
    const std::string actions = actions_of(event);
    return events_of(event) + (actions.empty() ? "" : ": " + actions);
  }
  std::string operator()(const OperationState& operation) const { return branch_text(operation.body); }
  std::string operator()(const SwitchState& decision) const {
    return decision.event_conditions.empty() ? "by data" : "by events";
  }
  std::string operator()(const DelayState& delay) const { return delay.delay.text; }
  std::string operator()(const ParallelState& parallel) const { return text_of(parallel); }
  std::string operator()(const SubflowState& subflow) const { return subflow.workflow_id; }
  std::string operator()(const InjectState&) const { return {}; }
  std::string operator()(const ForeachState& foreach) const {
    return "each of " + expression_text(foreach.input_collection) + ": " + branch_text(foreach.body);
  }
  std::string operator()(const CallbackState& callback) const {
    return callback.action.name + ", then " + callback.event.event;
  }
};

}  // namespace

std::string expression_text(const Expression& expression) {
  return shortened(expression.path() != nullptr ? expression.path()->text() : expression.text());
}

std::string branch_text(const Body& body) {
  if (!body.workflow_id.empty()) return shortened("workflow " + body.workflow_id);
  std::string names;
  for (const Action& action : body.actions) add(names, action.name, body.mode == ActionMode::kParallel ? " | " : ", ");
  return shortened(std::move(names));
}

std::string detail_text(const State& state) {
  std::string text(type_name(state.type));
  const std::string rest = std::visit(Describe{}, state.detail);
  return shortened(rest.empty() ? std::move(text) : text + " · " + rest);
}

std::string retry_text(const State& state) {
  for (const Retry& retry : state.retries) {
    const std::optional<int64_t> number = retry.max_attempts ? retry.max_attempts->literal() : std::nullopt;
    if (number != 0) return number ? "↻ " + std::to_string(*number) : "↻";
  }
  return {};
}

std::string start_text(const Start& start, const State& state) {
  if (start.schedule && !start.schedule->cron.empty()) return shortened("every " + start.schedule->cron);
  if (start.schedule) return shortened("during " + start.schedule->interval_text);
  if (const auto* event = std::get_if<EventState>(&state.detail)) return shortened("on " + events_of(*event));
  return {};
}

}  // namespace pawl::serverless
