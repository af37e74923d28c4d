// What the tests of a language share: a program driven by hand in virtual time, and its execution, rebuilt after every
// turn.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "kernel/event_filter.h"
#include "kernel/kernel_test_fixture.h"

namespace pawl::kernel {

class ProgramTest : public testing::Test {
 protected:
  // Whatever ran before is forgotten.
  void run_program(std::shared_ptr<const Program> program) {
    execution_ = std::make_unique<Execution>();
    facts.clear();
    program_ = std::move(program);
  }

  void start(std::string_view input = "{}", std::string_view extra = "null") {
    Signal signal;
    signal.kind = SignalKind::kStart;
    signal.value = parse(input);
    signal.extra = parse(extra);
    take(signal);
  }

  // The open calls, "name(input)", in the order in which they were made.
  std::vector<std::string> calls() const {
    std::vector<std::string> found;
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (!operation.is_called()) continue;
      const Call call = program_->call_of(*execution_, operation);
      found.push_back(call.name + "(" + json::print(call.input) + ")");
    }
    return found;
  }
  std::string call() const { return calls().size() == 1 ? calls()[0] : std::to_string(calls().size()) + " calls"; }

  void answer(std::string_view name, std::string_view result) { end_named(name, Outcome::kSucceeded, result); }
  void fail_call(std::string_view name, const std::string& error, const std::string& cause = "It broke.") {
    end_named(name, Outcome::kFailed, R"({"Error":")" + error + R"(","Cause":")" + cause + R"("})");
  }

  void end(OperationId operation, Outcome outcome, std::string_view value) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = operation;
    signal.outcome = outcome;
    signal.value = parse(value);
    take(signal);
  }

  // An event that goes to every wait whose filter lets it pass. Returns how many there were.
  size_t arrive(std::string_view event) {
    const Value value = parse(event);
    std::vector<Signal> signals;
    ++event_number_;
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (operation.kind != OperationKind::kEvent) continue;
      const Value* filters = operation.input.find("filters");
      for (size_t i = 0; i < filters->size(); ++i)
        if (matches(*EventFilter::from_value(filters->at(i)), value)) {
          signals.push_back(arrival(id, i, value));
          break;
        }
    }
    for (const Signal& signal : signals) take(signal);
    return signals.size();
  }

  // Lets time pass, and what falls due by then fire when it is due.
  void pass(Duration duration) {
    const Timestamp end = world.clock.now() + duration;
    while (execution_->is_open() && execution_->next_due() <= end) {
      world.clock.advance_to(execution_->next_due());
      take(Signal{});
    }
    world.clock.advance_to(end);
  }

  void redrive() {
    Signal signal;
    signal.kind = SignalKind::kRedrive;
    take(signal);
  }

  void stop() {
    Signal signal;
    signal.kind = SignalKind::kStop;
    take(signal);
  }

  std::string output() const {
    return execution_->status() == Status::kSucceeded ? json::print(execution_->outcome())
                                                      : std::string(name_of(execution_->status()));
  }
  std::string error() const { return text_of("Error"); }
  std::string cause() const { return text_of("Cause"); }

  // The names of the nodes that were entered, with blanks between them.
  std::string path() const {
    std::string names;
    for (const Fact& fact : facts)
      if (fact.kind == FactKind::kStateEntered)
        names += (names.empty() ? "" : " ") + std::string(program_->state_name(fact.state));
    return names;
  }
  std::vector<Value> published() const {
    std::vector<Value> events;
    for (const Fact& fact : facts)
      if (fact.kind == FactKind::kEventPublished) events.push_back(fact.value);
    return events;
  }
  std::vector<std::string> awaited() const {
    std::vector<std::string> filters;
    for (const auto& [id, operation] : execution_->open_operations())
      if (operation.kind == OperationKind::kEvent)
        for (const Value& filter : operation.input.find("filters")->items()) filters.push_back(json::print(filter));
    return filters;
  }

  const Execution& execution() const { return *execution_; }
  const Program& program() const { return *program_; }
  static Value parse(std::string_view text) { return json::parse(text).value(); }

  World world;
  std::vector<Fact> facts;
  std::vector<Effect> effects;
  Limits limits;

 private:
  void take(const Signal& signal) {
    effects.clear();
    Turn turn(*execution_, world, limits, facts, effects);
    ASSERT_EQ(decide(*program_, signal, turn), TurnEnd::kQuiet);
    Execution rebuilt;
    for (const Fact& fact : facts) rebuilt.evolve(fact);
    ASSERT_TRUE(rebuilt.dump() == execution_->dump());
    const auto restored = Snapshot::restore(Snapshot::of(*execution_));
    ASSERT_NE(restored, nullptr);
    ASSERT_TRUE(restored->dump() == execution_->dump());
  }

  Signal arrival(OperationId operation, size_t filter, const Value& event) const {
    json::ObjectBuilder value(3);
    value.set("filter", Value::integer(static_cast<int64_t>(filter)));
    value.set("event", event);
    value.set("number", Value::integer(event_number_));
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = operation;
    signal.value = value.build();
    return signal;
  }

  void end_named(std::string_view name, Outcome outcome, std::string_view value) {
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (!operation.is_called() || program_->call_of(*execution_, operation).name != name) continue;
      return end(id, outcome, value);
    }
    FAIL() << "nothing calls " << name;
  }

  std::string text_of(std::string_view key) const {
    const Value* text = execution_->outcome().find(key);
    return text == nullptr ? std::string(name_of(execution_->status())) : std::string(text->as_string());
  }

  std::shared_ptr<const Program> program_;
  std::unique_ptr<Execution> execution_ = std::make_unique<Execution>();
  int64_t event_number_ = 0;
};

}  // namespace pawl::kernel
