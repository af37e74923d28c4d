#include "lang/serverless/model.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "lang/serverless/model_reader.h"

namespace pawl::serverless {
namespace {

struct TypeName {
  StateType type;
  std::string_view name;
};

constexpr std::array kTypeNames = {
    TypeName{StateType::kEvent, "event"},       TypeName{StateType::kOperation, "operation"},
    TypeName{StateType::kSwitch, "switch"},     TypeName{StateType::kDelay, "delay"},
    TypeName{StateType::kParallel, "parallel"}, TypeName{StateType::kSubflow, "subflow"},
    TypeName{StateType::kInject, "inject"},     TypeName{StateType::kForeach, "foreach"},
    TypeName{StateType::kCallback, "callback"},
};

// Reads one definition, from the top down: functions and events first, because the states refer to them.
class Builder {
 public:
  Builder(const Value& root, Reading& reading) : place_(""), fields_(root, place_, reading), reading_(reading) {}

  void build(const Value& root) {
    if (!check_object(root, place_, "A workflow", reading_)) return;
    read_head();
    read_functions(fields_);
    read_events(fields_);
    read_retries(fields_);
    read_states();
    const std::string start = fields_.text({"startsAt"});
    fields_.done("A workflow");
    number_nodes(reading_.workflow);
    choose_start(start);
  }

 private:
  void read_head() {
    Workflow& workflow = reading_.workflow;
    workflow.id = fields_.text({"id"}, Need::kRequired);
    workflow.name = fields_.expression({"name"}, Need::kExpected).value_or(Expression{});
    workflow.version = fields_.expression({"version"});
    workflow.description = fields_.expression({"description"});
    workflow.schema_version = fields_.text({"schemaVersion"});
    workflow.input_schema = fields_.schema({"dataInputSchema"});
    workflow.output_schema = fields_.schema({"dataOutputSchema"});
    workflow.metadata = fields_.metadata();
    const Fields::Found extensions = fields_.find({"extensions"});
    if (extensions) workflow.extensions = *extensions.value;
    check_language(fields_.text({"expressionLanguage", "expressionLang"}));
  }

  void check_language(const std::string& language) {
    if (language.empty() || Fields::is_same_word(language, "jsonpath")) return;
    reading_.findings.report(Code::kInvalidValue, Place(place_, "expressionLanguage"),
                             "Expressions are JsonPaths; " + quoted(language) + " is not known.",
                             "Leave the field out, and write JsonPaths.");
  }

  void read_states() {
    const Fields::Found states = fields_.array({"states"}, Need::kRequired);
    if (!states) return;
    const Place here(place_, states.name);
    if (states.value->size() == 0)
      return reading_.findings.report(Code::kEmpty, here, "A workflow needs a state.", "Add one.");
    index_states(*states.value, here);
    reading_.workflow.states.reserve(states.value->size());
    for (size_t index = 0; index < states.value->size(); ++index) {
      if (reading_.findings.full()) return;
      const Place place(here, index);
      // A state that cannot be read keeps its place, so that the others keep theirs.
      reading_.workflow.states.push_back(read_state(states.value->at(index), place, reading_).value_or(State{}));
    }
  }

  void index_states(const Value& states, const Place& place) {
    for (size_t index = 0; index < states.size(); ++index)
      for (const std::string_view field : {"name", "id"}) {
        const Value* name = states.at(index).find(field);
        if (name == nullptr || !name->is_string() || name->as_string().empty()) continue;
        const auto [known, is_new] = reading_.states.emplace(name->as_string(), index);
        if (is_new || known->second == index) continue;
        const Place state(place, index);
        reading_.findings.report(Code::kDuplicateName, Place(state, field),
                                 "Two states are called " + quoted(name->as_string()) + ".",
                                 "Give each a name of its own.");
      }
  }

  void choose_start(const std::string& starts_at) {
    Workflow& workflow = reading_.workflow;
    if (workflow.states.empty()) return;
    if (!starts_at.empty()) {
      const auto found = reading_.states.find(starts_at);
      if (found == reading_.states.end() || found->second >= workflow.states.size())
        return reading_.findings.report(Code::kUnknownState, Place(place_, "startsAt"),
                                        "There is no state " + quoted(starts_at) + ".", "Write the name of a state.");
      workflow.start = workflow.states[found->second].ordinal;
      workflow.starts_at_is_given = true;
      return;
    }
    const auto first =
        std::ranges::find_if(workflow.states, [](const State& state) { return state.start.has_value(); });
    workflow.start = first == workflow.states.end() ? workflow.states.front().ordinal : first->ordinal;
  }

  const Place place_;
  Fields fields_;
  Reading& reading_;
};

void report_too_large(const Workflow& workflow, Findings& findings) {
  if (workflow.nodes.size() > kNodesMax)
    findings.report(Code::kTooLarge, Place(""),
                    "The workflow has " + std::to_string(workflow.nodes.size()) + " states, branches and actions.",
                    "Split it into workflows of at most " + std::to_string(kNodesMax) + ".");
}

}  // namespace

std::string_view type_name(StateType type) {
  const auto found = std::ranges::find(kTypeNames, type, &TypeName::type);
  PAWL_ASSERT(found != kTypeNames.end(), static_cast<int>(type));
  return found->name;
}

const StateType* find_state_type(std::string_view name) {
  const auto found =
      std::ranges::find_if(kTypeNames, [&](const TypeName& entry) { return Fields::is_same_word(entry.name, name); });
  return found == kTypeNames.end() ? nullptr : &found->type;
}

std::string_view Node::name() const {
  switch (kind) {
    case NodeKind::kState:
      return state->name;
    case NodeKind::kBody:
      return body->name;
    case NodeKind::kAction:
      return action->name;
    case NodeKind::kWait:
      return std::get<CallbackState>(state->detail).event.event;
  }
  return {};
}

const Node& Workflow::node(StateOrdinal ordinal) const {
  PAWL_ASSERT(ordinal && ordinal.number <= nodes.size(), ordinal.number, nodes.size());
  return nodes[ordinal.number - 1];
}

const State& Workflow::state(StateOrdinal ordinal) const {
  const Node& found = node(ordinal);
  PAWL_ASSERT(found.kind == NodeKind::kState, ordinal.number);
  return *found.state;
}

const State& Workflow::start_state() const { return state(start); }

const Start& Workflow::start_definition() const {
  static const Start default_start;
  const std::optional<Start>& own = start_state().start;
  return own ? *own : default_start;
}

const FunctionDefinition* Workflow::find_function(std::string_view wanted) const {
  const auto found = std::ranges::find(functions, wanted, &FunctionDefinition::name);
  return found == functions.end() ? nullptr : &*found;
}

const EventDefinition* Workflow::find_event(std::string_view wanted) const {
  const auto found = std::ranges::find(events, wanted, &EventDefinition::name);
  return found == events.end() ? nullptr : &*found;
}

const State* Workflow::find_state(std::string_view name_or_id) const {
  const auto found = std::ranges::find_if(states, [&](const State& state) {
    return state.name == name_or_id || (!state.id.empty() && state.id == name_or_id);
  });
  return found == states.end() ? nullptr : &*found;
}

Result<Value> Workflow::header(const Value& input) const {
  json::ObjectBuilder builder(4);
  builder.set("id", Value::string(id));
  PAWL_TRY(Value evaluated_name, name.evaluate(input));
  builder.set("name", std::move(evaluated_name));
  for (const auto& [field, expression] : {std::pair{"version", &version}, std::pair{"description", &description}}) {
    if (!expression->has_value()) continue;
    PAWL_TRY(Value value, (*expression)->evaluate(input));
    builder.set(field, std::move(value));
  }
  return builder.build();
}

Definition parse_definition(json::Document document, const Options& options, const Files& files,
                            Diagnostics& diagnostics) {
  Definition definition{.document = std::move(document), .workflow = nullptr};
  auto workflow = std::make_shared<Workflow>();
  Findings findings(definition.document.positions, diagnostics);
  Reading reading{.findings = findings,
                  .options = options,
                  .files = files,
                  .workflow = *workflow,
                  .functions = {},
                  .events = {},
                  .retries = {},
                  .states = {}};
  const Value& root = definition.document.root;
  Builder(root, reading).build(root);
  report_too_large(*workflow, findings);
  definition.workflow = std::move(workflow);
  return definition;
}

}  // namespace pawl::serverless
