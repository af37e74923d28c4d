#include "cases/workflow_case.h"

#include <map>
#include <memory>

#include "api/definition.h"
#include "api/machine.h"
#include "cases/judge.h"
#include "cases/mock_calls.h"
#include "lang/serverless/program.h"
#include "lang/sm4c/program.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::cases {

namespace {

using kernel::FactKind;

// What a run showed of the definition itself; sub-workflows are seen by what they give back only.
class Sightings {
 public:
  explicit Sightings(std::string definition) : definition_(std::move(definition)) {}

  void add(const api::BenchFact& told) {
    if (told.definition != definition_) return;
    if (!first_) first_ = told.fact.time;
    if (is_end(told.fact.kind)) last_ = told.fact.time;
    const bool is_entry = told.fact.kind == FactKind::kStateEntered;
    if (!is_entry && told.fact.kind != FactKind::kStateExited) return;
    const std::string name(told.program.state_name(told.fact.state));
    if (is_entry && is_state(told.program, told.fact.state)) path_.push(Value::string(name));
    (is_entry ? inputs_ : outputs_)[name].push_back(told.fact.value);
  }

  Value path() { return path_.build(); }
  Value elapsed() const {
    const Duration elapsed = first_ ? last_ - *first_ : Duration(0);
    return Value::real(static_cast<double>(elapsed.count()) / 1000);
  }
  Value inputs_of(std::string_view state) const { return listed(inputs_, state); }
  Value outputs_of(std::string_view state) const { return listed(outputs_, state); }

 private:
  using ValuesByName = std::map<std::string, std::vector<Value>, std::less<>>;

  static bool is_end(FactKind kind) {
    return kind == FactKind::kExecutionSucceeded || kind == FactKind::kExecutionFailed ||
           kind == FactKind::kExecutionTimedOut || kind == FactKind::kExecutionAborted;
  }

  // Actions and branches are entered too.
  static bool is_state(const kernel::Program& program, StateOrdinal ordinal) {
    if (const auto* machine = dynamic_cast<const sm4c::Program*>(&program))
      return machine->machine().node(ordinal).kind == sm4c::NodeKind::kState;
    const auto* workflow = dynamic_cast<const serverless::Program*>(&program);
    return workflow == nullptr || workflow->workflow().node(ordinal).kind == serverless::NodeKind::kState;
  }

  static Value listed(const ValuesByName& values, std::string_view name) {
    json::ArrayBuilder list;
    const auto found = values.find(name);
    if (found == values.end()) return list.build();
    for (const Value& value : found->second) list.push(value);
    return list.build();
  }

  std::string definition_;
  std::optional<Timestamp> first_;
  Timestamp last_{};
  json::ArrayBuilder path_;
  ValuesByName inputs_;
  ValuesByName outputs_;
};

api::LoadedDefinition load(const Case& source, const SubDefinition& definition, bool is_own) {
  return api::load_definition({.text = definition.text,
                               .file = definition.file,
                               .assignments = source.assignments,
                               .read = read_beside(definition.file),
                               .shares_assignments = !is_own});
}

// The definitions that a case has beside its own.
class Library {
 public:
  // Adds what is wrong with them to `differences`.
  Library(const Case& source, std::vector<std::string>& differences) {
    for (const SubDefinition& definition : source.definitions) {
      api::LoadedDefinition loaded = load(source, definition, false);
      if (loaded.program == nullptr)
        differences.push_back("a sub-workflow is refused:\n" + text::format_as_text(loaded.diagnostics));
      const bool is_named = !loaded.name.empty();
      programs_[is_named ? loaded.name : api::machine_name_of(definition.file)] = std::move(loaded.program);
    }
  }

  std::shared_ptr<const kernel::Program> find(std::string_view name) const {
    const auto found = programs_.find(name);
    return found == programs_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, std::shared_ptr<const kernel::Program>, std::less<>> programs_;
};

Value to_value(const api::Instance& instance) {
  json::ObjectBuilder value;
  value.set("status", Value::string(kernel::name_of(instance.status)));
  if (instance.status == kernel::Status::kSucceeded) value.set("output", instance.outcome);
  if (instance.status == kernel::Status::kFailed) {
    const api::Failure failure = api::failure_of(instance.outcome);
    value.set("error", failure.error);
    value.set("cause", failure.cause);
  }
  return value.build();
}

// A start that is refused, as if it had failed.
Value to_failure(const Error& error) {
  json::ObjectBuilder value(2);
  value.set("Error", Value::string(error.code));
  value.set("Cause", Value::string(error.what));
  return value.build();
}

// One run of a case's workflow, and what was seen of it.
class WorkflowRun {
 public:
  WorkflowRun(const Case& source, const api::LoadedDefinition& loaded, std::vector<std::string>& differences)
      : source_(source),
        program_(loaded.program),
        name_(loaded.name),
        differences_(differences),
        library_(source, differences),
        mocks_(source.mocks),
        router_(stop_, "Give the function a list of responses under mocks."),
        calls_(router_),
        seen_(name_) {
    router_.add(mocks_);
  }

  void run(const WorkflowRunOptions& asked, Judge& judge) {
    api::Workbench bench({name_, program_}, calls_, options(asked));
    if (const auto started = bench.start_by_rule(source_.input, source_.input_text, "case"); !started)
      return judge.judge_end(kernel::Status::kFailed, to_failure(started.error()));
    for (const CaseEvent& event : source_.events) bench.publish(event.after, event.event);
    const auto instances = bench.run();
    if (router_.refusal()) return differences_.push_back("the run: " + to_string(*router_.refusal()));
    if (!instances) return differences_.push_back("the run: " + to_string(instances.error()));
    judge_instances(*instances, judge);
    judge.judge_list("path", seen_.path());
    judge.judge_value("elapsed", seen_.elapsed());
    judge.judge_list("calls", names_called());
    judge.judge_values("task_inputs", [this](std::string_view name) { return inputs_of_calls(name); });
    judge.judge_values("state_inputs", [this](std::string_view name) { return seen_.inputs_of(name); });
    judge.judge_values("state_outputs", [this](std::string_view name) { return seen_.outputs_of(name); });
    judge.judge_parts("emitted", emitted_);
  }

 private:
  api::BenchOptions options(const WorkflowRunOptions& asked) {
    api::BenchOptions options;
    options.virtual_time = true;
    options.now = source_.now;
    options.limits = source_.limits;
    options.seed = source_.seed;
    options.context = source_.context;
    options.restart_after_each_commit = asked.restarts;
    options.open_store = asked.open_store;
    options.on_fact = [this, &asked](const api::BenchFact& told) {
      seen_.add(told);
      if (asked.on_fact) asked.on_fact(told);
    };
    options.on_emitted = [this](const Value& event) { emitted_.push_back(event); };
    options.find_definition = [this](std::string_view wanted) {
      return wanted == name_ ? program_ : library_.find(wanted);
    };
    options.stop = stop_.get_token();
    return options;
  }

  void judge_instances(const std::vector<api::Instance>& instances, Judge& judge) {
    std::vector<Value> seen;
    for (const api::Instance& instance : instances) seen.push_back(to_value(instance));
    if (judge.expects("instances")) return judge.judge_parts("instances", seen);
    if (instances.size() == 1) return judge.judge_end(instances.front().status, instances.front().outcome);
    differences_.push_back("instances: expected one, got " + std::to_string(instances.size()));
  }

  Value names_called() const {
    json::ArrayBuilder names;
    for (const MockCalls::Call& call : calls_.calls()) names.push(Value::string(call.name));
    return names.build();
  }

  Value inputs_of_calls(std::string_view name) const {
    json::ArrayBuilder inputs;
    for (const MockCalls::Call& call : calls_.calls())
      if (call.name == name) inputs.push(call.input);
    return inputs.build();
  }

  const Case& source_;
  std::shared_ptr<const kernel::Program> program_;
  std::string name_;
  std::vector<std::string>& differences_;
  Library library_;
  std::stop_source stop_;
  connect::MockTasks mocks_;
  connect::Router router_;
  MockCalls calls_;
  Sightings seen_;
  std::vector<Value> emitted_;
};

}  // namespace

bool is_workflow(const Case& source) {
  const auto document = text::parse_definition(source.definition);
  if (!document) return false;
  const auto language = api::language_of(document->root, source.definition_name);
  return language && *language != api::Language::kAsl;
}

void run_and_judge_workflow(const Case& source, const WorkflowRunOptions& options,
                            std::vector<std::string>& differences) {
  const api::LoadedDefinition loaded = load(source, {source.definition, source.definition_name}, true);
  Judge judge(source.expect, differences);
  judge.judge_texts(loaded.diagnostics);
  if (judge.expects("diagnostics")) return;
  if (loaded.program == nullptr)
    return differences.push_back("the definition is refused:\n" + text::format_as_text(loaded.diagnostics));
  WorkflowRun(source, loaded, differences).run(options, judge);
}

}  // namespace pawl::cases
