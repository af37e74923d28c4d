#include "lang/asl/test_state_request.h"

#include <algorithm>
#include <vector>

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/item_data.h"
#include "lang/asl/lint.h"
#include "lang/asl/mock_context.h"
#include "lang/asl/mock_schema.h"
#include "lang/asl/resource.h"

namespace pawl::asl {

namespace {

constexpr std::string_view kName = "StateName";  // what AWS calls a state that is tested

std::unexpected<TestRefusal> invalid_definition(const Diagnostics& findings) {
  return refuse_test("InvalidDefinition", "Invalid State Machine Definition: '" + aws_refusal(findings) + "'");
}

Tested<Definition> read_definition(const std::string& text) {
  const Diagnostics findings = lint_document(json::parse_document(text), Options());
  if (has_errors(findings)) return invalid_definition(findings);
  Diagnostics ignored;  // lint has said them
  return parse_definition(*json::parse_document(text), ignored);
}

const State* find_state(const Machine& machine, std::string_view name) {
  if (const State* found = machine.find(name)) return found;
  for (const State& state : machine.states)
    for (const auto& inner : state.machines)
      if (const State* found = find_state(*inner, name)) return found;
  return nullptr;
}

void add_target(const Value& holder, std::string_view field, std::vector<std::string>& targets) {
  const std::string target = text_at(holder, field);
  if (!target.empty() && std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
}

// The names of the states that a state may lead to.
std::vector<std::string> targets_of(const Value& state) {
  std::vector<std::string> targets;
  add_target(state, "Next", targets);
  add_target(state, "Default", targets);
  for (const char* list : {"Choices", "Catch"}) {
    const Value rules = value_at(state, list);
    if (!rules.is_array()) continue;
    for (const Value& rule : rules.items()) add_target(rule, "Next", targets);
  }
  return targets;
}

std::string quoted(std::string_view text) { return json::print(Value::string(text)); }

// A machine around one state's text. A state that leads to one of the name that it gets itself is called otherwise.
std::string machine_around(const std::string& state_text, const Value& state, bool in_jsonata) {
  const std::vector<std::string> targets = targets_of(state);
  std::string name(kName);
  while (std::ranges::find(targets, name) != targets.end()) name += "_";
  std::string text = in_jsonata ? R"({"QueryLanguage":"JSONata",)" : "{";
  text += R"("StartAt":)" + quoted(name) + R"(,"States":{)" + quoted(name) + ":" + state_text;
  for (const std::string& target : targets) text += "," + quoted(target) + R"(:{"Type":"Succeed"})";
  return text + "}}";
}

Tested<IsolatedState> isolate(const std::string& state_text, const Value& state, bool in_jsonata) {
  PAWL_TRY(Definition definition, read_definition(machine_around(state_text, state, in_jsonata)));
  const State& tested = *definition.machine.find(definition.machine.start_at);
  const Value source = tested.source;
  const StateType type = tested.type;
  return IsolatedState{std::move(definition), source, type};
}

Tested<IsolatedState> isolate_from_machine(const std::string& text, const std::string& name) {
  PAWL_TRY(const Definition definition, read_definition(text));
  const State* state = find_state(definition.machine, name);
  if (state == nullptr) return invalid_request("State not found in definition");
  const bool in_jsonata = text_at(definition.machine.source, "QueryLanguage") == "JSONata";
  return isolate(json::print(state->source), state->source, in_jsonata);
}

// --- the mock
// ------------------------------------------------------------------------------------------------------------

bool holds_machines(const IsolatedState& state) {
  return state.type == StateType::kMap || state.type == StateType::kParallel;
}

bool can_be_mocked(const IsolatedState& state) { return state.type == StateType::kTask || holds_machines(state); }

Tested<void> check_unmocked(const Value& configuration, const Value& request, const IsolatedState& state) {
  for (const auto& [field, shown] :
       {std::pair("mapIterationFailureCount", "MapIterationFailureCount"),
        std::pair("mapItemReaderData", "MapItemReaderData"), std::pair("errorCausedByState", "ErrorCausedByState"),
        std::pair("retrierRetryCount", "RetrierRetryCount")})
    if (!value_at(configuration, field).is_null())
      return invalid_request("TestState does not support " + std::string(shown) + " when a mock is not specified.");
  if (!value_at(request, "context").is_null())
    return invalid_request("TestState does not support Context when a mock is not specified.");
  if (holds_machines(state))
    return refuse_test("InvalidDefinition",
                       "TestState API does not support Map or Parallel states. Supported state types include: [Task, "
                       "Wait, Pass, Succeed, Fail, Choice]");
  const std::string resource = text_at(state.source, "Resource");
  if (parse_resource(resource).family == ResourceFamily::kActivity)
    return refuse_test("InvalidDefinition",
                       "TestState API does not support Activity tasks when a mock is not specified.");
  if (!integration_pattern(resource).empty())
    return refuse_test("InvalidDefinition", "TestState API does not support the '" +
                                                std::string(integration_pattern(resource)) +
                                                "' service integration pattern when a mock is not specified.");
  return {};
}

Tested<Value> parse_result(const std::string& text) {
  auto result = json::parse(text);
  if (result) return *std::move(result);
  return invalid_request("Mocked result must be valid JSON: " + result.error().what + " (" + result.error().where +
                         ")");
}

size_t branches_of(const IsolatedState& state) { return value_at(state.source, "Branches").size(); }

Tested<void> check_result(const Value& result, const IsolatedState& state, const std::string& mode) {
  if (state.type == StateType::kTask) return check_mock_result(text_at(state.source, "Resource"), result, mode);
  const bool is_written_elsewhere = state.source.find("ResultWriter") != nullptr;
  if (!result.is_array() && !is_written_elsewhere) return invalid_request("Mocked result must be an array.");
  if (state.type == StateType::kParallel && result.size() != branches_of(state))
    return invalid_request("Mocked result must contain the same number of items as number of Parallel branches.");
  return {};
}

Failure mocked_failure(const Value& error_output) {
  Failure failure;
  if (value_at(error_output, "error").is_string()) failure.error = text_at(error_output, "error");
  if (value_at(error_output, "cause").is_string()) failure.cause = text_at(error_output, "cause");
  return failure;
}

Tested<void> read_mock(const Value& mock, const IsolatedState& state, StateProbe& probe) {
  if (!can_be_mocked(state))
    return invalid_request("State type '" + std::string(type_name(state.type)) +
                           "' is not supported when a mock is specified");
  const Value result = value_at(mock, "result");
  const Value error_output = value_at(mock, "errorOutput");
  if (!result.is_null() && !error_output.is_null())
    return invalid_request("A test mock should have only one of the following fields: [result, errorOutput].");
  if (result.is_null() && error_output.is_null())
    return invalid_request("A test mock should have one of the following fields: [result, errorOutput].");
  if (!error_output.is_null()) {
    probe.mock_error = mocked_failure(error_output);
    return {};
  }
  PAWL_TRY(probe.mock_result, parse_result(text_at(mock, "result")));
  return check_result(*probe.mock_result, state, text_at(mock, "fieldValidationMode"));
}

// --- the configuration
// ---------------------------------------------------------------------------------------------------

std::unexpected<TestRefusal> wrong_place(std::string_view field, std::string_view wanted) {
  return invalid_request(std::string(field) + " is only supported for " + std::string(wanted) + ".");
}

bool holds_state(const IsolatedState& state, const std::string& name) {
  const State& tested = *state.definition.machine.find(state.definition.machine.start_at);
  return std::ranges::any_of(tested.machines,
                             [&](const auto& machine) { return find_state(*machine, name) != nullptr; });
}

uint32_t count_at(const Value& configuration, std::string_view name) {
  const Value count = value_at(configuration, name);
  return count.is_number() ? static_cast<uint32_t>(count.as_integer().value_or(0)) : 0;
}

// A reader that gets no data reads nothing.
Tested<void> read_reader_data(const Value& data, const IsolatedState& state, StateProbe& probe) {
  const Value reader = value_at(state.source, "ItemReader");
  if (!data.is_null() && reader.is_null()) return wrong_place("MapItemReaderData", "Map states with an ItemReader");
  if (!reader.is_null()) probe.items = Value::empty_array();
  if (data.is_null()) return {};
  const Value config = value_at(reader, "ReaderConfig");
  auto items = read_items(data.as_string(), config);
  if (!items) return invalid_request("MapItemReaderData cannot be read: " + items.error().what);
  if (config.find("ItemsPointer") != nullptr) probe.see(seen::kAfterItemsPointer, *items);
  probe.items = *std::move(items);
  return {};
}

Tested<void> read_configuration(const Value& configuration, const IsolatedState& state, StateProbe& probe) {
  const bool has_failures = !value_at(configuration, "mapIterationFailureCount").is_null();
  if (has_failures && state.type != StateType::kMap) return wrong_place("MapIterationFailureCount", "Map states");
  const std::string culprit = text_at(configuration, "errorCausedByState");
  if (!culprit.empty() && (!holds_machines(state) || !probe.mock_error))
    return wrong_place("ErrorCausedByState", "Map or Parallel states with a mocked errorOutput");
  if (!culprit.empty() && !holds_state(state, culprit))
    return invalid_request("ErrorCausedByState '" + culprit + "' was not found in the definition of the state.");
  if (auto read = read_reader_data(value_at(configuration, "mapItemReaderData"), state, probe); !read) return read;
  probe.retries_used = count_at(configuration, "retrierRetryCount");
  probe.failed_iterations = count_at(configuration, "mapIterationFailureCount");
  return {};
}

Tested<Value> read_variables(const Value& given) {
  if (!given.is_string()) return Value();
  auto variables = json::parse(given.as_string());
  if (variables && variables->is_object()) return *std::move(variables);
  return invalid_request("Variables must be a JSON object.");
}

}  // namespace

std::string text_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

Value value_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr ? Value() : *found;
}

Tested<IsolatedState> isolate_state(const std::string& definition, const std::optional<std::string>& state_name) {
  if (state_name) return isolate_from_machine(definition, *state_name);
  const auto state = json::parse_document(definition);
  if (state) return isolate(definition, state->root, false);
  // Said of the text itself, so that no text can reach into the machine around it.
  return invalid_definition(lint_document(state, Options()));
}

Tested<StateProbe> read_probe(const Value& request, const IsolatedState& state) {
  StateProbe probe;
  const Value mock = value_at(request, "mock");
  const Value configuration = value_at(request, "stateConfiguration");
  const auto checked = mock.is_null() ? check_unmocked(configuration, request, state) : read_mock(mock, state, probe);
  if (!checked) return std::unexpected(checked.error());
  PAWL_TRY(probe.context, read_mock_context(value_at(request, "context"), text_at(state.source, "Resource")));
  PAWL_TRY(probe.variables, read_variables(value_at(request, "variables")));
  if (auto read = read_configuration(configuration, state, probe); !read) return std::unexpected(read.error());
  return probe;
}

// A distributed Map and its reader and writer are not run in a test, so they may be there.
Tested<void> check_supported(const IsolatedState& state) {
  Diagnostics unsupported;
  for (Diagnostic& diagnostic : unsupported_features(state.definition)) {
    if (diagnostic.code != "ASL_UNSUPPORTED_JSONATA") continue;
    diagnostic.severity = Severity::kError;
    unsupported.push_back(std::move(diagnostic));
  }
  if (unsupported.empty()) return {};
  return invalid_definition(unsupported);
}

}  // namespace pawl::asl
