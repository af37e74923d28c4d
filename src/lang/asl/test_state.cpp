#include "lang/asl/test_state.h"

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/test_state_request.h"

namespace pawl::asl {

namespace {

using json::ObjectBuilder;

std::string_view name_of(StateProbe::End end) {
  switch (end) {
    case StateProbe::End::kNone:
    case StateProbe::End::kFailed:
      return "FAILED";
    case StateProbe::End::kSucceeded:
      return "SUCCEEDED";
    case StateProbe::End::kRetriable:
      return "RETRIABLE";
    case StateProbe::End::kCaughtError:
      return "CAUGHT_ERROR";
  }
  return "FAILED";
}

InspectionLevel level_of(const std::string& name) {
  if (name == "DEBUG") return InspectionLevel::kDebug;
  return name == "TRACE" ? InspectionLevel::kTrace : InspectionLevel::kInfo;
}

Tested<Value> parse_input(const std::string& text) {
  auto input = json::parse(text);
  if (input) return *std::move(input);
  return refuse_test("InvalidExecutionInput", "Invalid State Machine Execution Input: '" + input.error().what + " (" +
                                                  input.error().where + ")'");
}

// Without a mock a Task calls the world, in the name of a role.
Tested<void> check_role(const IsolatedState& state, const StateProbe& probe, const std::string& role_arn) {
  const bool calls_the_world = state.type == StateType::kTask && !probe.has_mock();
  const bool is_role = role_arn.starts_with("arn:") && role_arn.find(":role/") != std::string::npos;
  if (!role_arn.empty() && !is_role) return refuse_test("InvalidArn", "Invalid Role Arn: '" + role_arn + "'");
  if (!calls_the_world || is_role) return {};
  return invalid_request("RoleArn must be specified when a Task state is tested without a mock.");
}

void set_text(ObjectBuilder& answer, std::string_view name, const Value& value) {
  answer.set(name, Value::string(json::print(value)));
}

// Those that were given, and those that the state assigned.
Value variables_after(const StateProbe& probe) {
  Value variables = probe.variables.is_object() ? probe.variables : Value::empty_object();
  if (!probe.assigned.is_object()) return variables;
  for (const json::Member& member : probe.assigned.members())
    variables = variables.with_member(member.key.as_string(), member.value);
  return variables;
}

Value error_details(const StateProbe& probe) {
  ObjectBuilder details(3);
  if (probe.catch_index) details.set("catchIndex", Value::integer(*probe.catch_index));
  if (probe.retry_index) details.set("retryIndex", Value::integer(*probe.retry_index));
  if (probe.retry_seconds) details.set("retryBackoffIntervalSeconds", Value::integer(*probe.retry_seconds));
  return details.build();
}

}  // namespace

Tested<std::shared_ptr<StateTest>> StateTest::prepare(const Value& request) {
  std::optional<std::string> state_name;
  if (value_at(request, "stateName").is_string()) state_name = text_at(request, "stateName");
  PAWL_TRY(const IsolatedState state, isolate_state(text_at(request, "definition"), state_name));
  std::shared_ptr<StateTest> test(new StateTest);
  PAWL_TRY(test->probe_, read_probe(request, state));
  test->role_arn_ = text_at(request, "roleArn");
  if (auto role = check_role(state, test->probe_, test->role_arn_); !role) return std::unexpected(role.error());
  test->input_text_ = value_at(request, "input").is_string() ? text_at(request, "input") : "{}";
  PAWL_TRY(test->input_, parse_input(test->input_text_));
  if (auto supported = check_supported(state); !supported) return std::unexpected(supported.error());
  auto program = Program::compile(state.definition, Options());
  if (!program)
    return refuse_test("InvalidDefinition", "Invalid State Machine Definition: '" + to_string(program.error()) + "'");
  test->program_ = *std::move(program);
  test->program_->attach(test->probe_);
  test->level_ = level_of(text_at(request, "inspectionLevel"));
  test->state_ = state.source;
  test->type_ = state.type;
  return test;
}

Value StateTest::make_context(ContextFacts facts) const {
  facts.role_arn = role_arn_;
  facts.counts_redrives = false;
  ObjectBuilder execution(1);
  if (role_arn_.empty()) execution.set("RoleArn", Value::null());
  ObjectBuilder given(1);
  given.set("Execution", execution.build());
  return asl::make_context(facts, input_, given.build());
}

void StateTest::time_out() { probe_.fail(Failure{std::string(kTimeout), std::nullopt, {}, false}); }

Value StateTest::answer() const {
  const bool has_output = probe_.end == StateProbe::End::kSucceeded || probe_.end == StateProbe::End::kCaughtError;
  ObjectBuilder answer(6);
  if (has_output) set_text(answer, "output", probe_.output);
  if (probe_.failure && probe_.failure->error) answer.set("error", Value::string(*probe_.failure->error));
  if (probe_.failure && probe_.failure->cause) answer.set("cause", Value::string(*probe_.failure->cause));
  if (level_ != InspectionLevel::kInfo) answer.set("inspectionData", inspection());
  if (has_output && !probe_.next_state.empty()) answer.set("nextState", Value::string(probe_.next_state));
  answer.set("status", Value::string(name_of(probe_.end)));
  return answer.build();
}

// AWS does not show how the input of a Parallel is made, nor that of a Pass that does not look at it.
bool StateTest::hides(std::string_view stage) const {
  const bool is_on_the_way_in = stage == seen::kAfterInputPath || stage == seen::kAfterParameters;
  if (!is_on_the_way_in) return false;
  return type_ == StateType::kParallel || (type_ == StateType::kPass && state_.find("Result") != nullptr);
}

Value StateTest::inspection() const {
  ObjectBuilder inspected;
  inspected.set("input", Value::string(input_text_));
  if (type_ == StateType::kFail) inspected.set(seen::kAfterInputPath, Value::string(input_text_));
  for (const auto& [stage, value] : probe_.data)
    if (!hides(stage)) set_text(inspected, stage, value);
  for (const auto& [name, number] : probe_.numbers) inspected.set(name, number);
  const Value variables = variables_after(probe_);
  if (variables.size() != 0) set_text(inspected, "variables", variables);
  const Value details = error_details(probe_);
  if (details.size() != 0) inspected.set("errorDetails", details);
  if (level_ == InspectionLevel::kTrace) set_trace(inspected);
  return inspected.build();
}

}  // namespace pawl::asl
