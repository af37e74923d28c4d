#include "lang/asl/model.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/assert.h"
#include "json/pointer.h"
#include "lang/asl/lint/characters.h"
#include "lang/asl/lint/findings.h"

namespace pawl::asl {
namespace {

using json::Member;

struct TypeName {
  StateType type;
  std::string_view name;
};

constexpr std::array kTypeNames = {
    TypeName{StateType::kPass, "Pass"},         TypeName{StateType::kTask, "Task"},
    TypeName{StateType::kChoice, "Choice"},     TypeName{StateType::kWait, "Wait"},
    TypeName{StateType::kSucceed, "Succeed"},   TypeName{StateType::kFail, "Fail"},
    TypeName{StateType::kParallel, "Parallel"}, TypeName{StateType::kMap, "Map"},
};

// Walks the text depth first. Recursion is bounded by the parser's depth: a machine inside another is five levels down.
class Builder {
 public:
  explicit Builder(Findings& findings) : findings_(findings) {}

  void build(const Value& source, std::string pointer, Machine& machine) {
    machine.pointer = std::move(pointer);
    machine.source = source;
    if (!source.is_object())
      return findings_.report(Code::kFieldType, Place(machine.pointer), "A state machine must be an object.",
                              "Write an object with the fields \"StartAt\" and \"States\".");
    check_fields(machine);
    add_states(machine);
    index(machine);
  }

 private:
  void check_fields(Machine& machine) {
    std::vector<std::string_view> missing;
    for (const std::string_view name : {"StartAt", "States"})
      if (machine.source.find(name) == nullptr) missing.push_back(name);
    if (!missing.empty())
      findings_.report(Code::kMissingField, Place(machine.pointer), "These fields are required: " + listed(missing),
                       "Add what is missing: \"StartAt\" names the first state, \"States\" holds them all.");
    const Value* start_at = machine.source.find("StartAt");
    if (start_at != nullptr && start_at->is_string()) machine.start_at = start_at->as_string();
  }

  void add_states(Machine& machine) {
    const Value* states = machine.source.find("States");
    if (states == nullptr) return;
    const Place root(machine.pointer);
    const Place place(root, "States");
    if (!states->is_object())
      return findings_.report(Code::kFieldType, place, "\"States\" must be an object.",
                              "Write an object whose members are the states, by name.");
    if (states->size() == 0)
      return findings_.report(Code::kEmpty, place, "Value cannot be empty", "Add the state that \"StartAt\" names.");
    machine.states.reserve(states->size());
    for (const Member& member : states->members()) add_state(member, place, machine);
  }

  void add_state(const Member& member, const Place& states, Machine& machine) {
    const Place place(states, member.key.as_string());
    const StateType* type = read_type(member.value, place);
    if (type == nullptr) return;
    State& state = machine.states.emplace_back();
    state.name = member.key.as_string();
    state.type = *type;
    state.source = member.value;
    state.pointer = place.pointer();
    state.ordinal = ordinal_ = ordinal_.next();
    if (check_name(state, place)) add_machines(state);
  }

  const StateType* read_type(const Value& source, const Place& place) {
    if (!source.is_object()) {
      findings_.report(Code::kFieldType, place, "A state must be an object.", "Write an object with a \"Type\" field.");
      return nullptr;
    }
    const Value* type = source.find("Type");
    if (type == nullptr) {
      findings_.report(Code::kMissingField, place, "These fields are required: [Type]",
                       "Add \"Type\": one of Pass, Task, Choice, Wait, Succeed, Fail, Parallel, Map.",
                       Findings::At::kKey);
      return nullptr;
    }
    return check_type(*type, Place(place, "Type"));
  }

  const StateType* check_type(const Value& type, const Place& place) {
    const StateType* found = type.is_string() ? find_state_type(type.as_string()) : nullptr;
    if (found != nullptr) return found;
    findings_.report(Code::kUnknownStateType, place,
                     one_of_these("Type", {"Task", "Wait", "Pass", "Succeed", "Fail", "Choice", "Parallel", "Map"}),
                     "Write one of these types.");
    return nullptr;
  }

  // What is inside a state with a name that is too long is not looked at, so that pointers stay short.
  bool check_name(const State& state, const Place& place) {
    if (state.name.empty())
      findings_.report(Code::kStateNameEmpty, place, "A state's name must not be empty.", "Give the state a name.",
                       Findings::At::kKey);
    const size_t length = character_count(state.name);
    if (length <= kStateNameCharactersMax) return true;
    findings_.report(Code::kStateNameTooLong, place,
                     "The state's name has " + std::to_string(length) + " characters; at most " +
                         std::to_string(kStateNameCharactersMax) + " are allowed.",
                     "Shorten the name.", Findings::At::kKey);
    return false;
  }

  void add_machines(State& state) {
    if (state.type == StateType::kParallel) add_branches(state);
    if (state.type == StateType::kMap) add_processor(state);
  }

  void add_branches(State& state) {
    const Value* branches = state.source.find("Branches");
    if (branches == nullptr || !branches->is_array()) return;
    const std::string pointer = json::child_pointer(state.pointer, "Branches");
    for (size_t index = 0; index < branches->size(); ++index)
      add_machine(branches->at(index), json::child_pointer(pointer, index), state);
  }

  void add_processor(State& state) {
    for (const std::string_view field : {"ItemProcessor", "Iterator"}) {
      const Value* processor = state.source.find(field);
      if (processor != nullptr) return add_machine(*processor, json::child_pointer(state.pointer, field), state);
    }
  }

  void add_machine(const Value& source, std::string pointer, State& state) {
    auto machine = std::make_unique<Machine>();
    build(source, std::move(pointer), *machine);
    if (source.is_object()) state.machines.push_back(std::move(machine));
  }

  static void index(Machine& machine) {
    machine.by_name.resize(machine.states.size());
    std::iota(machine.by_name.begin(), machine.by_name.end(), 0);
    std::ranges::sort(machine.by_name, {},
                      [&](uint32_t state) -> std::string_view { return machine.states[state].name; });
  }

  Findings& findings_;
  StateOrdinal ordinal_;
};

}  // namespace

std::string_view type_name(StateType type) {
  const auto found = std::ranges::find(kTypeNames, type, &TypeName::type);
  PAWL_ASSERT(found != kTypeNames.end(), static_cast<int>(type));
  return found->name;
}

const StateType* find_state_type(std::string_view name) {
  const auto found = std::ranges::find(kTypeNames, name, &TypeName::name);
  return found == kTypeNames.end() ? nullptr : &found->type;
}

const State* Machine::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(
      by_name, name, {}, [this](uint32_t state) -> std::string_view { return states[state].name; });
  return found == by_name.end() || states[*found].name != name ? nullptr : &states[*found];
}

Definition parse_definition(json::Document document, Diagnostics& diagnostics) {
  Definition definition{.document = std::move(document), .machine = {}};
  Findings findings(definition.document.positions, diagnostics);
  Builder(findings).build(definition.document.root, "", definition.machine);
  return definition;
}

}  // namespace pawl::asl
