#include "lang/sm4c/model.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "lang/sm4c/model_reader.h"
#include "lang/sm4c/proto_outline.h"
#include "text/yaml.h"

namespace pawl::sm4c {
namespace {

struct TypeName {
  ActionType type;
  std::string_view name;
};

constexpr std::array kTypeNames = {
    TypeName{ActionType::kDelay, "delay"},
    TypeName{ActionType::kForeach, "foreach"},
    TypeName{ActionType::kInjectData, "injectData"},
    TypeName{ActionType::kInvokeFunction, "invokeFunction"},
    TypeName{ActionType::kInvokeSubflow, "invokeSubflow"},
    TypeName{ActionType::kParallel, "parallel"},
    TypeName{ActionType::kSendEvent, "sendEvent"},
    TypeName{ActionType::kSequence, "sequence"},
};

bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// Reads one definition, from the top down: what the states refer to comes first.
class Builder {
 public:
  Builder(const Value& root, Reading& reading) : place_(""), fields_(root, place_, reading), reading_(reading) {}

  void build(const Value& root) {
    if (!check_object(root, place_, "A state machine", reading_)) return;
    read_head();
    read_functions(fields_);
    read_events(fields_);
    read_retries(fields_);
    read_timeout();
    read_states();
    fields_.done("A state machine");
    number_nodes(reading_.machine);
    const auto start = std::ranges::find_if(reading_.machine.states, &State::is_start);
    if (start != reading_.machine.states.end()) reading_.machine.start = start->ordinal;
  }

 private:
  void read_head() {
    StateMachine& machine = reading_.machine;
    machine.id = fields_.text({"id"});
    machine.name = fields_.text({"name"}, Need::kRequired);
    machine.version = fields_.text({"version"}, Need::kRequired);
    machine.description = fields_.text({"description"});
  }

  void read_timeout() {
    const Fields::Found found = fields_.object({"execTimeout", "timeout"});
    if (!found) return;
    const Place here(place_, found.name);
    Fields policy(*found.value, here, reading_);
    reading_.machine.timeout = policy.timespan({"duration"}, Need::kRequired);
    reading_.machine.timeout_action = read_action(policy, "action");
    policy.done("A timeout");
  }

  void read_states() {
    const Fields::Found states = fields_.array({"states"}, Need::kRequired);
    if (!states) return;
    const Place here(place_, states.name);
    if (states.value->size() == 0)
      return fields_.report_at(Code::kEmpty, "states", "A state machine needs a state.", "Add one.");
    index_states(*states.value, here);
    for (size_t index = 0; index < states.value->size(); ++index) {
      const bool is_full = reading_.findings.full();
      // A state that cannot be read keeps its place, so that the others keep theirs.
      reading_.machine.states.push_back(is_full ? State{}
                                                : read_state(states.value->at(index), Place(here, index), reading_));
    }
  }

  void index_states(const Value& states, const Place& place) {
    for (size_t index = 0; index < states.size(); ++index) {
      const json::Member* name = find_member(states.at(index), "name");
      if (name == nullptr || !name->value.is_string() || name->value.as_string().empty()) continue;
      if (reading_.states.emplace(lower_case(name->value.as_string()), index).second) continue;
      const Place state(place, index);
      reading_.findings.report(Code::kDuplicateName, Place(state, name->key.as_string()),
                               "Two states are called " + quoted(name->value.as_string()) + ".",
                               "Give each a name of its own; case makes no difference.");
    }
  }

  const Place place_;
  Fields fields_;
  Reading& reading_;
};

void report_too_large(const StateMachine& machine, Findings& findings) {
  if (machine.nodes.size() > kNodesMax)
    findings.report(Code::kTooLarge, Place(""),
                    "The state machine has " + std::to_string(machine.nodes.size()) + " states and actions.",
                    "Split it into machines of at most " + std::to_string(kNodesMax) + ".");
}

// What no state of Serverless Workflow has.
bool has_own_field(const Value& state) {
  for (const std::string_view field :
       {"transitions", "enterAction", "exitAction", "enterResultHandler", "exitResultHandler"})
    if (find_member(state, field) != nullptr) return true;
  const json::Member* start = find_member(state, "start");
  return start != nullptr && start->value.is_boolean();
}

bool is_readable(std::string_view uri) {
  return is_local_path(uri) || uri.starts_with("http://") || uri.starts_with("https://") || uri.starts_with("file://");
}

void add_reference(const Value& value, std::vector<std::string>& files) {
  if (!value.is_string()) return;
  const std::string_view uri = value.as_string();
  const std::string path(uri.substr(0, uri.find('#')));
  if (is_readable(path) && std::ranges::find(files, path) == files.end()) files.push_back(path);
}

bool has_type(const Value& function, std::string_view wanted) {
  const json::Member* type = find_member(function, "type");
  return type != nullptr && type->value.is_string() && is_same_word(type->value.as_string(), wanted);
}

// The imports of .proto files, and theirs. A file comes into the list once, so this ends.
void add_imports(const Value& reference, const Files& files, std::vector<std::string>& found) {
  std::vector<std::string> waiting;
  add_reference(reference, waiting);
  while (!waiting.empty()) {
    const auto file = files.find(waiting.back());
    waiting.pop_back();
    if (file == files.end()) continue;
    for (std::string& import : outline_of_proto(file->second).imports) {
      if (std::ranges::find(found, import) != found.end()) continue;
      found.push_back(import);
      waiting.push_back(std::move(import));
    }
  }
}

// An array, or that of the file which is named instead.
Value list_of(std::string_view name, const Value& value, const Files& files) {
  if (!value.is_string()) return value;
  const auto file = files.find(value.as_string());
  const auto document = file == files.end() ? fail("", "", "") : text::parse_definition(file->second);
  if (!document) return Value::empty_array();
  const json::Member* inner = find_member(document->root, name);
  return inner != nullptr ? inner->value : document->root;
}

void add_operations(const Value& functions, const Files& files, std::vector<std::string>& found) {
  if (!functions.is_array()) return;
  for (const Value& function : functions.items()) {
    const json::Member* operation = find_member(function, "operation");
    const bool has_fragment =
        operation != nullptr && operation->value.is_string() && operation->value.as_string().contains('#');
    if (!has_fragment || has_type(function, "expression")) continue;
    add_reference(operation->value, found);
    if (has_type(function, "rpc")) add_imports(operation->value, files, found);
  }
}

}  // namespace

std::string_view type_name(ActionType type) {
  const auto found = std::ranges::find(kTypeNames, type, &TypeName::type);
  PAWL_ASSERT(found != kTypeNames.end(), static_cast<int>(type));
  return found->name;
}

const ActionType* find_action_type(std::string_view name) {
  const auto found =
      std::ranges::find_if(kTypeNames, [&](const TypeName& entry) { return is_same_word(entry.name, name); });
  return found == kTypeNames.end() ? nullptr : &found->type;
}

std::span<Action> children_of(Action& action) {
  if (auto* loop = std::get_if<ForeachAction>(&action.detail)) return loop->action;
  if (auto* parallel = std::get_if<ParallelAction>(&action.detail)) return parallel->actions;
  if (auto* sequence = std::get_if<SequenceAction>(&action.detail)) return sequence->actions;
  return {};
}

std::span<const Action> children_of(const Action& action) { return children_of(const_cast<Action&>(action)); }

std::string key_of(std::span<const Action> actions, size_t index) {
  return actions[index].own_name.empty() ? std::to_string(index) : actions[index].own_name;
}

TransitionKind Transition::kind() const {
  const int triggers = (condition ? 1 : 0) + (groups.empty() ? 0 : 1) + (timeout ? 1 : 0);
  if (triggers > 1) return TransitionKind::kMixed;
  if (condition) return TransitionKind::kCondition;
  if (!groups.empty()) return TransitionKind::kEvents;
  return timeout ? TransitionKind::kTimeout : TransitionKind::kImplicit;
}

const Node& StateMachine::node(StateOrdinal ordinal) const {
  PAWL_ASSERT(ordinal && ordinal.number <= nodes.size(), ordinal.number, nodes.size());
  return nodes[ordinal.number - 1];
}

const State* StateMachine::find_state(std::string_view wanted) const {
  const auto found = std::ranges::find_if(states, [&](const State& state) { return is_same_word(state.name, wanted); });
  return found == states.end() ? nullptr : &*found;
}

const json::Member* find_member(const Value& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = std::ranges::find_if(
      object.members(), [&](const json::Member& member) { return is_same_word(member.key.as_string(), name); });
  return found == object.members().end() ? nullptr : &*found;
}

bool is_state_machine(const Value& root) {
  const json::Member* states = find_member(root, "states");
  if (states == nullptr || !states->value.is_array()) return false;
  const auto items = states->value.items();
  const auto has_type = [](const Value& state) { return find_member(state, "type") != nullptr; };
  return std::ranges::none_of(items, has_type) && std::ranges::any_of(items, has_own_field);
}

bool is_local_path(std::string_view uri) {
  return !uri.empty() && !uri.starts_with('#') && uri.find("://") == std::string_view::npos &&
         !uri.starts_with("urn:") && !uri.starts_with("data:");
}

std::vector<std::string> referred_files(const Value& root, const Files& files) {
  std::vector<std::string> found;
  for (const std::string_view field : {"functions", "events", "retries"})
    if (const json::Member* member = find_member(root, field)) add_reference(member->value, found);
  if (const json::Member* functions = find_member(root, "functions"))
    add_operations(list_of("functions", functions->value, files), files, found);
  return found;
}

Definition parse_definition(json::Document document, const Options& options, const Files& files,
                            Diagnostics& diagnostics) {
  Definition definition{.document = std::move(document), .machine = nullptr};
  auto machine = std::make_shared<StateMachine>();
  Findings findings(definition.document.positions, diagnostics);
  Reading reading{.findings = findings,
                  .options = options,
                  .files = files,
                  .machine = *machine,
                  .functions = {},
                  .events = {},
                  .retries = {},
                  .states = {},
                  .expression_functions = {}};
  const Value& root = definition.document.root;
  Builder(root, reading).build(root);
  report_too_large(*machine, findings);
  definition.machine = std::move(machine);
  return definition;
}

}  // namespace pawl::sm4c
