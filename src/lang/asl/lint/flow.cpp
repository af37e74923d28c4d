// Where states go to: names, transitions, what can be reached and what comes to an end.
#include <algorithm>
#include <string>
#include <vector>

#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"

namespace pawl::asl {
namespace {

constexpr size_t kSuggestedFromStatesMax = 200;  // looking for a near name among more would take too long

// Calls visit(name, place) for every transition of a state that is written as a string.
template <typename Visit>
void each_target(const State& state, Visit visit) {
  const Place here(state.pointer);
  const auto field = [&](const Value& holder, const Place& place, std::string_view name) {
    const Value* target = holder.find(name);
    if (target != nullptr && target->is_string()) visit(target->as_string(), Place(place, name));
  };
  const auto entries = [&](std::string_view name) {
    const Value* list = state.source.find(name);
    if (list == nullptr || !list->is_array()) return;
    const Place place(here, name);
    for (size_t index = 0; index < list->size(); ++index) field(list->at(index), Place(place, index), "Next");
  };
  if (state.type == StateType::kChoice) {
    field(state.source, here, "Default");
    return entries("Choices");
  }
  if (state.type == StateType::kSucceed || state.type == StateType::kFail) return;
  field(state.source, here, "Next");
  if (state.type != StateType::kPass && state.type != StateType::kWait) entries("Catch");
}

bool ends(const State& state) {
  if (state.type == StateType::kSucceed || state.type == StateType::kFail) return true;
  if (state.type == StateType::kChoice) return false;
  const Value* end = state.source.find("End");
  return (end != nullptr && end->is_boolean() && end->as_boolean()) || state.source.find("Next") == nullptr;
}

// One machine's states as a graph. States are numbered by their place in the machine.
class Flow {
 public:
  Flow(const Machine& machine, const StateNames& names, Context& context)
      : machine_(machine), names_(names), context_(context), next_(machine.states.size()) {}

  void check() {
    const State* start = check_start();
    for (size_t number = 0; number < machine_.states.size(); ++number) add_edges(number);
    // States that the model left out would make others look unreachable.
    const Value* states = machine_.source.find("States");
    if (states == nullptr || states->size() != machine_.states.size() || machine_.states.empty()) return;
    if (std::ranges::none_of(machine_.states, ends)) return report_no_end();
    if (start == nullptr) return;
    const std::vector<bool> reached = reach(next_, {number_of(*start)});
    report_unreachable(reached);
    if (!broken_) check_ends(reached);
  }

 private:
  using Edges = std::vector<std::vector<size_t>>;

  size_t number_of(const State& state) const { return static_cast<size_t>(&state - machine_.states.data()); }

  const State* check_start() {
    const Value* start = machine_.source.find("StartAt");
    if (start == nullptr || !start->is_string()) return nullptr;
    const State* state = machine_.find(start->as_string());
    const Value* states = machine_.source.find("States");
    const bool any = states != nullptr && states->is_object() && states->size() > 0;
    if (state == nullptr && any && !is_written(start->as_string()))
      report_missing(start->as_string(), Place(Place(machine_.pointer), "StartAt"));
    return state;
  }

  // The name stands in the text, though the state may be too broken to be in the tree.
  bool is_written(std::string_view name) const {
    const Value* states = machine_.source.find("States");
    return states != nullptr && states->find(name) != nullptr;
  }

  void add_edges(size_t number) {
    each_target(machine_.states[number], [&](std::string_view name, const Place& place) {
      if (const State* target = machine_.find(name)) return next_[number].push_back(number_of(*target));
      broken_ = true;
      if (!is_written(name) && !context_.findings.full()) report_missing(name, place);
    });
  }

  // AWS says 'Next' whatever the field's name is.
  void report_missing(std::string_view name, const Place& place) {
    const std::string cause = "Missing 'Next' target: " + shortened(name);
    const auto elsewhere = names_.find(name);
    if (elsewhere != names_.end())
      return context_.findings.report(Code::kCrossesBorder, place,
                                      cause + " is outside of this " + border(*elsewhere->second) + ".",
                                      "Go to a state beside this one; a branch is left by ending it.");
    context_.findings.report(Code::kMissingState, place, cause, near_state(name));
  }

  std::string border(const Machine& other) const {
    return machine_.pointer.size() < other.pointer.size() ? "machine" : "branch";
  }

  std::string near_state(std::string_view name) const {
    constexpr std::string_view kOtherwise = "Add the state to \"States\", or name one that is there.";
    if (machine_.states.size() > kSuggestedFromStatesMax) return std::string(kOtherwise);
    std::vector<std::string_view> names;
    for (const State& state : machine_.states) names.push_back(state.name);
    return suggestion(name, names, kOtherwise);
  }

  static std::vector<bool> reach(const Edges& edges, std::vector<size_t> from) {
    std::vector<bool> reached(edges.size());
    for (const size_t number : from) reached[number] = true;
    while (!from.empty()) {
      const size_t number = from.back();
      from.pop_back();
      for (const size_t target : edges[number]) {
        if (reached[target]) continue;
        reached[target] = true;
        from.push_back(target);
      }
    }
    return reached;
  }

  void report_unreachable(const std::vector<bool>& reached) {
    for (size_t number = 0; number < reached.size() && !context_.findings.full(); ++number)
      if (!reached[number])
        context_.findings.report(Code::kUnreachableState, Place(machine_.states[number].pointer),
                                 "State " + quoted(machine_.states[number].name) + " is not reachable.",
                                 "Let a state go to it, or take it out.", Findings::At::kKey);
  }

  void report_no_end() {
    context_.findings.report(Code::kNoWayToEnd, Place(Place(machine_.pointer), "States"),
                             "Workflow has no terminal state",
                             "Give a state \"End\": true, or let one go to a Succeed or a Fail.", Findings::At::kKey);
  }

  // A loop that is never left is allowed, and hardly meant; one finding a machine says enough.
  void check_ends(const std::vector<bool>& reached) {
    Edges back(next_.size());
    std::vector<size_t> terminal;
    for (size_t number = 0; number < next_.size(); ++number) {
      for (const size_t target : next_[number]) back[target].push_back(number);
      if (ends(machine_.states[number])) terminal.push_back(number);
    }
    const std::vector<bool> coming_to_end = reach(back, std::move(terminal));
    for (size_t number = 0; number < reached.size(); ++number)
      if (reached[number] && !coming_to_end[number])
        return context_.findings.report(
            Code::kEndlessLoop, Place(machine_.states[number].pointer),
            "Once in state " + quoted(machine_.states[number].name) + ", the machine never ends.",
            "Give the loop a way out.", Findings::At::kKey);
  }

  const Machine& machine_;
  const StateNames& names_;
  Context& context_;
  Edges next_;
  bool broken_ = false;  // a transition leads nowhere, so that nothing can be said of loops
};

void gather_names(const Machine& machine, StateNames& names, Context& context) {
  for (const State& state : machine.states) {
    if (context.findings.full()) return;
    if (!names.emplace(state.name, &machine).second)
      context.findings.report(Code::kDuplicateStateName, Place(state.pointer),
                              "Duplicate State name: " + shortened(state.name),
                              "Rename one of the two: a name is unique in the whole definition.", Findings::At::kKey);
    for (const auto& inner : state.machines) gather_names(*inner, names, context);
  }
}

}  // namespace

void check_next_or_end(const State& state, const Place& place, Context& context) {
  if (!state_shape().find("Next")->allowed(context.language, context.type)) return;
  const Value* end = state.source.find("End");
  const bool ends_here = end != nullptr && end->is_boolean() && end->as_boolean();
  const bool goes_on = state.source.find("Next") != nullptr;
  if (ends_here && goes_on)
    context.findings.report(Code::kNextAndEnd, Place(place, "End"),
                            "There should only be one of the following fields: [Next, End]", "Keep one of the two.",
                            Findings::At::kKey);
  if (!goes_on && !ends_here && (end == nullptr || end->is_boolean()))
    context.findings.report(Code::kMissingField, place, "One of these fields is required: [Next, End]",
                            "Add \"Next\" with the name of a state, or \"End\": true.", Findings::At::kKey);
}

StateNames check_names(const Machine& machine, Context& context) {
  StateNames names;
  gather_names(machine, names, context);
  return names;
}

void check_flow(const Machine& machine, const StateNames& names, Context& context) {
  Flow(machine, names, context).check();
}

}  // namespace pawl::asl
