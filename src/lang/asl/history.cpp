#include "lang/asl/history.h"

#include <optional>
#include <string>

#include "base/assert.h"
#include "json/print.h"
#include "lang/asl/resource.h"
#include "text/timestamp.h"

namespace pawl::asl {

namespace {

using json::ObjectBuilder;
using kernel::Fact;
using kernel::FactKind;
using kernel::Outcome;

constexpr size_t kRegionInArn = 3;

Value truncated_no() {
  ObjectBuilder details(1);
  details.set("truncated", Value::boolean(false));
  return details.build();
}

// "TaskStateAborted" has taskStateAbortedEventDetails, but all the events of entering share one name.
std::string details_name(std::string_view type) {
  if (type.ends_with("StateEntered")) return "stateEnteredEventDetails";
  if (type.ends_with("StateExited")) return "stateExitedEventDetails";
  std::string name(type);
  name.front() = static_cast<char>(name.front() - 'A' + 'a');
  return name + "EventDetails";
}

std::string_view ending(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSucceeded:
      return "Succeeded";
    case Outcome::kFailed:
      return "Failed";
    case Outcome::kTimedOut:
    case Outcome::kHeartbeatTimedOut:
      return "TimedOut";
    case Outcome::kAborted:
      return "Aborted";
  }
  PAWL_ASSERT(false, static_cast<int>(outcome));
}

std::string_view prefix(ResourceFamily family) {
  switch (family) {
    case ResourceFamily::kLambdaFunction:
      return "LambdaFunction";
    case ResourceFamily::kActivity:
      return "Activity";
    case ResourceFamily::kTask:
      return "Task";
  }
  PAWL_ASSERT(false, static_cast<int>(family));
}

// Error and cause, as far as they were given.
void set_error(ObjectBuilder& details, const Value& error) {
  for (const auto& [member, name] : {std::pair("Error", "error"), std::pair("Cause", "cause")}) {
    const Value* found = error.find(member);
    if (found != nullptr && found->is_string()) details.set(name, *found);
  }
}

// Where a name is found below a value, by members; null where the way ends.
const Value* find_at(const Value& value, std::string_view first, std::string_view second) {
  const Value* inner = value.find(first);
  return inner == nullptr ? nullptr : inner->find(second);
}

std::string string_at(const Value& value, std::string_view first, std::string_view second) {
  const Value* found = find_at(value, first, second);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

}  // namespace

// What later events need of earlier facts.
struct HistoryView::State {
  const Program& program;
  Value input;
  std::string input_text;
  std::string role_arn;
  std::string region;
  bool is_in_the_middle = false;  // the facts do not share the nodes of the input

  explicit State(const Program& given) : program(given) {}

  void note_start(const Value& given_input, const Value* text, const Value* context);

  std::string type_of(const Fact& fact) const;
  std::string type_of_scope_event(const Fact& fact) const;
  std::string type_of_state_event(StateOrdinal state, std::string_view what) const;
  std::string type_of_operation_event(StateOrdinal state, std::string_view what) const;
  ResourceName resource_of(StateOrdinal state) const { return parse_resource(program.resource_of(state)); }
  bool is_map(StateOrdinal state) const { return program.state_type(state) == StateType::kMap; }

  std::string text_of(const Value& value) const;
  void set_text(ObjectBuilder& details, std::string_view name, const Value& value) const;

  std::optional<Value> details_of(const Fact& fact) const;
  Value started_details(const Fact& fact) const;
  Value ended_details(const Fact& fact) const;
  Value redriven_details(const Fact& fact) const;
  Value entered_details(const Fact& fact) const;
  Value exited_details(const Fact& fact) const;
  Value iteration_details(const Fact& fact) const;
  std::optional<Value> join_details(const Fact& fact) const;
  std::optional<Value> operation_details(const Fact& fact) const;
  void set_resource(ObjectBuilder& details, const ResourceName& resource) const;
  void set_request(ObjectBuilder& details, const ResourceName& resource, const Fact& fact) const;
  void set_answer(ObjectBuilder& details, const Fact& fact) const;
};

// --- what is remembered
// ------------------------------------------------------------------------------------------------

void HistoryView::State::note_start(const Value& given_input, const Value* text, const Value* context) {
  input = given_input;
  input_text = text == nullptr || !text->is_string() ? json::print(input) : std::string(text->as_string());
  if (context != nullptr) {
    role_arn = string_at(*context, "Execution", "RoleArn");
    region = arn_part(string_at(*context, "Execution", "Id"), kRegionInArn);
  }
}

// --- types
// -------------------------------------------------------------------------------------------------------------

std::string HistoryView::State::type_of_state_event(StateOrdinal state, std::string_view what) const {
  return std::string(type_name(program.state_type(state))) + "State" + std::string(what);
}

std::string HistoryView::State::type_of_operation_event(StateOrdinal state, std::string_view what) const {
  return std::string(prefix(resource_of(state).family)) + std::string(what);
}

std::string HistoryView::State::type_of_scope_event(const Fact& fact) const {
  const bool opened = fact.kind == FactKind::kScopeOpened;
  return "MapIteration" + std::string(opened ? "Started" : ending(fact.outcome));
}

std::string HistoryView::State::type_of(const Fact& fact) const {
  switch (fact.kind) {
    case FactKind::kExecutionStarted:
    case FactKind::kExecutionSucceeded:
    case FactKind::kExecutionFailed:
    case FactKind::kExecutionTimedOut:
    case FactKind::kExecutionAborted:
    case FactKind::kExecutionRedriven:
      return std::string(name_of(fact.kind));
    case FactKind::kStateEntered:
      return type_of_state_event(fact.state, "Entered");
    case FactKind::kStateExited:
      return type_of_state_event(fact.state, "Exited");
    case FactKind::kStateAborted:
      return type_of_state_event(fact.state, "Aborted");
    case FactKind::kOperationScheduled:
      return type_of_operation_event(fact.state, "Scheduled");
    case FactKind::kOperationStarted:
      return type_of_operation_event(fact.state, "Started");
    case FactKind::kOperationSubmitted:
      return type_of_operation_event(fact.state, "Submitted");
    case FactKind::kOperationEnded:
      return type_of_operation_event(fact.state, ending(fact.outcome));
    case FactKind::kRetryScheduled:
    case FactKind::kWaiterAdded:
    case FactKind::kEventPublished:
    case FactKind::kEntryChanged:
    case FactKind::kCheckpointTaken:
      return std::string(name_of(fact.kind));
    case FactKind::kJoinStarted:
      return type_of_state_event(fact.state, "Started");
    case FactKind::kJoinEnded:
      return type_of_state_event(fact.state, ending(fact.outcome));
    case FactKind::kScopeOpened:
    case FactKind::kScopeClosed:
      return type_of_scope_event(fact);
  }
  PAWL_ASSERT(false, static_cast<int>(fact.kind));
}

// --- details
// -----------------------------------------------------------------------------------------------------------

// The execution's input is shown as it was sent, wherever it is passed on untouched.
std::string HistoryView::State::text_of(const Value& value) const {
  const bool is_container = value.is_object() || value.is_array();
  const bool is_input = is_container && (value.same_node(input) || (is_in_the_middle && value == input));
  return is_input ? input_text : json::print(value);
}

void HistoryView::State::set_text(ObjectBuilder& details, std::string_view name, const Value& value) const {
  details.set(name, Value::string(text_of(value)));
  details.set(std::string(name) + "Details", truncated_no());
}

std::optional<Value> HistoryView::State::details_of(const Fact& fact) const {
  switch (fact.kind) {
    case FactKind::kExecutionStarted:
      return started_details(fact);
    case FactKind::kExecutionSucceeded:
    case FactKind::kExecutionFailed:
    case FactKind::kExecutionTimedOut:
    case FactKind::kExecutionAborted:
      return ended_details(fact);
    case FactKind::kExecutionRedriven:
      return redriven_details(fact);
    case FactKind::kStateEntered:
      return entered_details(fact);
    case FactKind::kStateExited:
      return exited_details(fact);
    case FactKind::kStateAborted:
    case FactKind::kRetryScheduled:
    case FactKind::kWaiterAdded:
    case FactKind::kEventPublished:
    case FactKind::kEntryChanged:
    case FactKind::kCheckpointTaken:
      return std::nullopt;
    case FactKind::kOperationScheduled:
    case FactKind::kOperationStarted:
    case FactKind::kOperationSubmitted:
    case FactKind::kOperationEnded:
      return operation_details(fact);
    case FactKind::kJoinStarted:
    case FactKind::kJoinEnded:
      return join_details(fact);
    case FactKind::kScopeOpened:
    case FactKind::kScopeClosed:
      return iteration_details(fact);
  }
  PAWL_ASSERT(false, static_cast<int>(fact.kind));
}

Value HistoryView::State::started_details(const Fact&) const {
  ObjectBuilder details;
  details.set("input", Value::string(input_text));
  details.set("inputDetails", truncated_no());
  details.set("roleArn", Value::string(role_arn));
  return details.build();
}

Value HistoryView::State::ended_details(const Fact& fact) const {
  ObjectBuilder details;
  if (fact.kind == FactKind::kExecutionSucceeded)
    set_text(details, "output", fact.value);
  else
    set_error(details, fact.value);
  return details.build();
}

Value HistoryView::State::redriven_details(const Fact& fact) const {
  ObjectBuilder details(1);
  details.set("redriveCount", Value::integer(fact.number));
  return details.build();
}

Value HistoryView::State::entered_details(const Fact& fact) const {
  ObjectBuilder details;
  details.set("name", Value::string(program.state_name(fact.state)));
  set_text(details, "input", fact.value);
  return details.build();
}

Value HistoryView::State::exited_details(const Fact& fact) const {
  ObjectBuilder details;
  details.set("name", Value::string(program.state_name(fact.state)));
  set_text(details, "output", fact.value);
  if (fact.extra.size() == 0) return details.build();
  ObjectBuilder assigned;
  for (const json::Member& variable : fact.extra.members())
    assigned.set(variable.key, Value::string(json::print(variable.value)));
  details.set("assignedVariables", assigned.build());
  details.set("assignedVariablesDetails", truncated_no());
  return details.build();
}

Value HistoryView::State::iteration_details(const Fact& fact) const {
  ObjectBuilder details;
  details.set("name", Value::string(program.state_name(fact.state)));
  details.set("index", Value::integer(fact.number));
  return details.build();
}

std::optional<Value> HistoryView::State::join_details(const Fact& fact) const {
  if (fact.kind == FactKind::kJoinEnded || !is_map(fact.state)) return std::nullopt;
  ObjectBuilder details;
  details.set("length", Value::integer(fact.number));
  return details.build();
}

// --- details of operations
// ---------------------------------------------------------------------------------------------

std::optional<Value> HistoryView::State::operation_details(const Fact& fact) const {
  const ResourceName resource = resource_of(fact.state);
  if (fact.kind == FactKind::kOperationStarted && resource.family == ResourceFamily::kLambdaFunction)
    return std::nullopt;
  ObjectBuilder details;
  if (fact.kind == FactKind::kOperationScheduled) {
    set_request(details, resource, fact);
  } else {
    if (resource.family == ResourceFamily::kTask) set_resource(details, resource);
    set_answer(details, fact);
  }
  return details.build();
}

void HistoryView::State::set_resource(ObjectBuilder& details, const ResourceName& resource) const {
  details.set("resourceType", Value::string(resource.type));
  details.set("resource", Value::string(resource.action));
}

void HistoryView::State::set_request(ObjectBuilder& details, const ResourceName& resource, const Fact& fact) const {
  if (resource.family == ResourceFamily::kTask) {
    set_resource(details, resource);
    details.set("region", Value::string(region));
    details.set("parameters", Value::string(text_of(fact.value)));
  } else {
    details.set("resource", Value::string(resource.action));
    set_text(details, "input", fact.value);
  }
  if (fact.number != 0) details.set("timeoutInSeconds", Value::integer(fact.number));
  if (fact.limit != 0) details.set("heartbeatInSeconds", Value::integer(fact.limit));
  const Value* role = fact.extra.find("roleArn");
  if (role == nullptr) return;
  ObjectBuilder credentials(1);
  credentials.set("roleArn", *role);
  details.set("taskCredentials", credentials.build());
}

void HistoryView::State::set_answer(ObjectBuilder& details, const Fact& fact) const {
  if (fact.kind == FactKind::kOperationStarted) {
    if (fact.value.is_string()) details.set("workerName", fact.value);
  } else if (fact.kind == FactKind::kOperationEnded && fact.outcome != Outcome::kSucceeded) {
    set_error(details, fact.value);
  } else {
    set_text(details, "output", fact.value);
  }
}

// --- the view
// ----------------------------------------------------------------------------------------------------------

HistoryView::HistoryView(const Program& program) : state_(std::make_unique<State>(program)) {}
HistoryView::~HistoryView() = default;

void HistoryView::begin_at(const kernel::Execution& execution) {
  state_->note_start(execution.input(), &execution.input_text(), &execution.context());
  state_->is_in_the_middle = true;
}

Value HistoryView::event_of(const Fact& fact) {
  if (fact.kind == FactKind::kExecutionStarted)
    state_->note_start(fact.value, fact.extra.find("inputText"), fact.extra.find("context"));
  if (!fact.event) return {};
  ObjectBuilder event(5);
  const std::string type = state_->type_of(fact);
  event.set("timestamp", Value::string(text::format_timestamp(fact.time)));
  event.set("type", Value::string(type));
  event.set("id", Value::integer(fact.event.number));
  event.set("previousEventId", Value::integer(fact.previous_event.number));
  if (const auto details = state_->details_of(fact)) event.set(details_name(type), *details);
  return event.build();
}

}  // namespace pawl::asl
