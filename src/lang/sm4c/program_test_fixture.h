// What the tests of the program share: a state machine driven by hand in virtual time, rebuilt after every turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "kernel/kernel_test_fixture.h"
#include "kernel/snapshot.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program.h"
#include "text/yaml.h"

namespace pawl::sm4c {

class MachineTest : public testing::Test {
 protected:
  // A machine of these parts below its header.
  void load(const std::string& yaml, const Options& options = {}) {
    load_text("id: test\nname: Test\nversion: '1.0'\n" + yaml, options);
  }

  // A whole definition, whatever ran before is forgotten.
  void load_text(const std::string& text, const Options& options = {}) {
    auto document = text::parse_definition(text);
    ASSERT_TRUE(document.has_value()) << to_string(document.error());
    Diagnostics diagnostics;
    Definition definition = sm4c::load(*std::move(document), options, {}, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics)
      ASSERT_NE(diagnostic.severity, Severity::kError) << diagnostic.code << " " << diagnostic.cause;
    execution_ = std::make_unique<kernel::Execution>();
    facts.clear();
    program_ = std::make_unique<Program>(std::move(definition.machine), options);
  }

  void start(std::string_view input = "{}", std::string_view extra = "null") {
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kStart;
    signal.value = parse(input);
    signal.extra = parse(extra);
    take(signal);
  }

  // The open calls, "name(input)", in the order in which they were made.
  std::vector<std::string> calls() const {
    std::vector<std::string> found;
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (!operation.is_called()) continue;
      const kernel::Call call = program_->call_of(*execution_, operation);
      found.push_back(call.name + "(" + json::print(call.input) + ")");
    }
    return found;
  }
  std::string call() const { return calls().size() == 1 ? calls()[0] : std::to_string(calls().size()) + " calls"; }

  void answer(std::string_view name, std::string_view result) { end_named(name, kernel::Outcome::kSucceeded, result); }
  void fail_call(std::string_view name, const std::string& error, const std::string& cause = "It broke.") {
    end_named(name, kernel::Outcome::kFailed, R"({"Error":")" + error + R"(","Cause":")" + cause + R"("})");
  }

  void end(OperationId operation, kernel::Outcome outcome, std::string_view value) {
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kOperationEnded;
    signal.operation = operation;
    signal.outcome = outcome;
    signal.value = parse(value);
    take(signal);
  }

  // An event that goes to every wait whose filter lets it pass. Returns how many there were.
  size_t arrive(std::string_view event) {
    const Value value = parse(event);
    std::vector<kernel::Signal> signals;
    ++event_number_;
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (operation.kind != kernel::OperationKind::kEvent) continue;
      const Value* filters = operation.input.find("filters");
      for (size_t i = 0; i < filters->size(); ++i)
        if (kernel::matches(*kernel::EventFilter::from_value(filters->at(i)), value)) {
          signals.push_back(arrival(id, i, value));
          break;
        }
    }
    for (const kernel::Signal& signal : signals) take(signal);
    return signals.size();
  }

  // Lets time pass, and what falls due by then fire when it is due.
  void pass(Duration duration) {
    const Timestamp end = world.clock.now() + duration;
    while (execution_->is_open() && execution_->next_due() <= end) {
      world.clock.advance_to(execution_->next_due());
      take(kernel::Signal{});
    }
    world.clock.advance_to(end);
  }

  void redrive() {
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kRedrive;
    take(signal);
  }

  void stop() {
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kStop;
    take(signal);
  }

  std::string output() const {
    return execution_->status() == kernel::Status::kSucceeded ? json::print(execution_->outcome())
                                                              : std::string(kernel::name_of(execution_->status()));
  }
  std::string error() const { return text_of("Error"); }
  std::string cause() const { return text_of("Cause"); }

  // The names of the nodes that were entered, with blanks between them.
  std::string path() const {
    std::string names;
    for (const kernel::Fact& fact : facts)
      if (fact.kind == kernel::FactKind::kStateEntered)
        names += (names.empty() ? "" : " ") + std::string(program_->state_name(fact.state));
    return names;
  }
  std::vector<Value> published() const {
    std::vector<Value> events;
    for (const kernel::Fact& fact : facts)
      if (fact.kind == kernel::FactKind::kEventPublished) events.push_back(fact.value);
    return events;
  }
  std::vector<std::string> awaited() const {
    std::vector<std::string> filters;
    for (const auto& [id, operation] : execution_->open_operations())
      if (operation.kind == kernel::OperationKind::kEvent)
        for (const Value& filter : operation.input.find("filters")->items()) filters.push_back(json::print(filter));
    return filters;
  }

  const Program& program() const { return *program_; }
  const kernel::Execution& execution() const { return *execution_; }
  static Value parse(std::string_view text) { return json::parse(text).value(); }

  kernel::World world;
  std::vector<kernel::Fact> facts;
  std::vector<kernel::Effect> effects;
  kernel::Limits limits;

 private:
  void take(const kernel::Signal& signal) {
    effects.clear();
    kernel::Turn turn(*execution_, world, limits, facts, effects);
    ASSERT_EQ(kernel::decide(*program_, signal, turn), kernel::TurnEnd::kQuiet);
    kernel::Execution rebuilt;
    for (const kernel::Fact& fact : facts) rebuilt.evolve(fact);
    ASSERT_TRUE(rebuilt.dump() == execution_->dump());
    const auto restored = kernel::Snapshot::restore(kernel::Snapshot::of(*execution_));
    ASSERT_NE(restored, nullptr);
    ASSERT_TRUE(restored->dump() == execution_->dump());
  }

  kernel::Signal arrival(OperationId operation, size_t filter, const Value& event) const {
    json::ObjectBuilder value(3);
    value.set("filter", Value::integer(static_cast<int64_t>(filter)));
    value.set("event", event);
    value.set("number", Value::integer(event_number_));
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kOperationEnded;
    signal.operation = operation;
    signal.value = value.build();
    return signal;
  }

  void end_named(std::string_view name, kernel::Outcome outcome, std::string_view value) {
    for (const auto& [id, operation] : execution_->open_operations()) {
      if (!operation.is_called() || program_->call_of(*execution_, operation).name != name) continue;
      return end(id, outcome, value);
    }
    FAIL() << "nothing calls " << name;
  }

  std::string text_of(std::string_view key) const {
    const Value* text = execution_->outcome().find(key);
    return text == nullptr ? std::string(kernel::name_of(execution_->status())) : std::string(text->as_string());
  }

  std::unique_ptr<Program> program_;
  std::unique_ptr<kernel::Execution> execution_ = std::make_unique<kernel::Execution>();
  int64_t event_number_ = 0;
};

}  // namespace pawl::sm4c
