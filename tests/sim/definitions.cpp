#include "sim/definitions.h"

#include <array>

#include "api/definition.h"
#include "base/assert.h"
#include "json/print.h"
#include "sim/machines.h"
#include "sim/state_machines.h"
#include "sim/workflows.h"
#include "text/diagnostics_format.h"

namespace pawl::sim {

namespace {

int64_t number_in(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? 0 : found->as_integer().value_or(0);
}

Value object_of(std::string_view key, Value value) {
  json::ObjectBuilder object;
  object.set(key, std::move(value));
  return object.build();
}

Value x_of(int64_t number) { return object_of("x", Value::integer(number)); }

bool has_error(const Value& outcome, std::string_view error) {
  const Value* found = outcome.find("Error");
  return found != nullptr && *found == Value::string(error);
}

// --- inputs

Value number_input(Dice& dice) { return x_of(static_cast<int64_t>(dice.below(100))); }

Value nap_input(Dice& dice) {
  const uint64_t wait = dice.chance(100) ? dice.between(1, 200'000) : dice.between(1, 600);
  return object_of("wait", Value::integer(static_cast<int64_t>(wait)));
}

Value list_input(Dice& dice) {
  json::ArrayBuilder items;
  for (uint64_t i = dice.between(0, 4); i > 0; --i) items.push(number_input(dice));
  return object_of("items", items.build());
}

Value counter_input(Dice& dice) { return number_input(dice).with_member("n", Value::integer(0)); }

Value key_input(Dice& dice) { return object_of("key", Value::string("key-" + std::to_string(dice.number()))); }

// --- ends

bool is_sent(const Value&, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome.find("sent") != nullptr;
}

bool is_poked(const Value& input, Status status, const Value& outcome) {
  const Value* target = outcome.find("target");
  const bool is_own = target != nullptr && *target == *input.find("key");
  return is_sent(input, status, outcome) && is_own && *outcome.find("key") == *target;
}

bool is_sorted(const Value& input, Status status, const Value& outcome) {
  const int64_t x = number_in(input, "x");
  if (x <= 10) return status == Status::kFailed && has_error(outcome, "Tiny");
  return status == Status::kSucceeded && outcome == object_of("size", Value::string(x > 50 ? "big" : "small"));
}

bool is_unchanged(const Value& input, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == input;
}

bool is_eightfold(const Value& input, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == x_of(8 * number_in(input, "x"));
}

bool is_doubled(const Value& input, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == x_of(2 * number_in(input, "x"));
}

bool is_doubled_list(const Value& input, Status status, const Value& outcome) {
  json::ArrayBuilder doubled;
  for (const Value& item : input.find("items")->items()) doubled.push(Value::integer(2 * number_in(item, "x")));
  return status == Status::kSucceeded && outcome == doubled.build();
}

bool is_sides(const Value& input, Status status, const Value& outcome) {
  if (status != Status::kSucceeded || !outcome.is_array() || outcome.size() != 3) return false;
  const Value doubled = x_of(2 * number_in(input, "x"));
  const bool third = outcome.at(2) == doubled || outcome.at(2) == Value::string("gave up");
  return outcome.at(0) == Value::string("waited") && outcome.at(1) == doubled && third;
}

bool is_doubled_or_given_up(const Value& input, Status status, const Value& outcome) {
  return is_doubled(input, status, outcome) || (status == Status::kSucceeded && outcome == Value::string("gave up"));
}

bool is_doubled_or_failed(const Value& input, Status status, const Value& outcome) {
  const bool failed = has_error(outcome, "Worker.Broken") || has_error(outcome, "States.Timeout");
  return is_doubled(input, status, outcome) || (status == Status::kFailed && failed);
}

bool is_doubled_or_too_late(const Value& input, Status status, const Value& outcome) {
  return is_doubled(input, status, outcome) || (status == Status::kTimedOut && has_error(outcome, "States.Timeout"));
}

bool is_counted(const Value& input, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == input.with_member("n", Value::integer(4));
}

bool is_counted_far(const Value&, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == object_of("n", Value::integer(1100));
}

bool is_caught(const Value&, Status status, const Value& outcome) {
  return status == Status::kSucceeded && outcome == Value::string("caught");
}

const std::array kMachines = {
    Machine{"sorted", kSorted, 10, number_input, is_sorted},
    Machine{"nap", kNap, 15, nap_input, is_unchanged},
    Machine{"chain", kChain, 15, number_input, is_eightfold},
    Machine{"spread", kSpread, 10, list_input, is_doubled_list},
    Machine{"sides", kSides, 12, number_input, is_sides},
    Machine{"desk", kDesk, 15, number_input, is_doubled_or_given_up},
    Machine{"brittle", kBrittle, 10, number_input, is_doubled_or_failed},
    Machine{"hurry", kHurry, 10, number_input, is_doubled_or_too_late},
    Machine{"rounds", kRounds, 8, counter_input, is_counted},
    Machine{"long", kLong, 1, counter_input, is_counted_far},
    Machine{"race", kRace, 8, list_input, is_caught},
    Machine{"token", kToken, 12, number_input, is_doubled_or_failed},
    Machine{"listener", kListener, 15, key_input, is_poked},
    Machine{"flame", kFlame, 0, nullptr, is_sent},
    Machine{"meeting", kMeeting, 0, nullptr, is_sent},
    Machine{"watcher", kWatcher, 15, key_input, is_poked},
    Machine{"shuttle", kShuttle, 12, number_input, is_doubled},
};

std::shared_ptr<const kernel::Program> compile(const Machine& machine) {
  api::LoadedDefinition loaded =
      api::load_definition({.text = machine.text, .file = machine.name, .assignments = {}, .read = {}});
  PAWL_ASSERT(loaded.program != nullptr, text::format_as_text(loaded.diagnostics));
  return std::move(loaded.program);
}

}  // namespace

Definitions::Definitions() {
  for (const Machine& machine : kMachines) programs_.push_back(compile(machine));
}

std::shared_ptr<const kernel::Program> Definitions::find(DefinitionId definition) {
  return definition && definition.number <= programs_.size() ? programs_[definition.number - 1] : nullptr;
}

std::string Definitions::family_of(DefinitionId definition) { return std::string(machine(definition).name); }

const Machine& Definitions::machine(DefinitionId definition) const { return kMachines.at(definition.number - 1); }

bool Definitions::is_listener(DefinitionId definition) const {
  return definition && definition.number <= programs_.size() && machine(definition).may_end == is_poked;
}

// Of any source and type: the filters decide.
std::vector<engine::EventTrigger> Definitions::triggers_of(std::string_view, std::string_view, Timestamp) {
  std::vector<engine::EventTrigger> found;
  for (uint64_t number = 1; number <= programs_.size(); ++number) {
    const kernel::StartRule rule = programs_[number - 1]->start_rule();
    if (rule.is_event_started()) found.push_back({DefinitionId(number), family_of(DefinitionId(number)), rule});
  }
  return found;
}

DefinitionId Definitions::pick(Dice& dice) const {
  uint64_t total = 0;
  for (const Machine& machine : kMachines) total += machine.weight;
  uint64_t left = dice.below(total);
  uint64_t chosen = 0;
  while (left >= kMachines[chosen].weight) left -= kMachines[chosen++].weight;
  return DefinitionId(chosen + 1);
}

}  // namespace pawl::sim
