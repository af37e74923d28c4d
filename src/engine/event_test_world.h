// A driven engine with the toy language, for tests of events: what waits, what is started, what is produced.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "engine/engine.h"
#include "engine/failing_store.h"
#include "engine/toy_borders.h"
#include "kernel/toy_program.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::engine {

using kernel::EventFilter;
using kernel::Fact;
using kernel::FactKind;
using store::ExecutionStatus;

inline constexpr DefinitionId kWaiter{1};        // waits for a toy to be moved, for a minute
inline constexpr DefinitionId kLoop{2};          // the same, again and again
inline constexpr DefinitionId kStarted{3};       // a moved toy starts it, and it ends
inline constexpr DefinitionId kStartedWaits{4};  // a moved toy starts it, and it waits for the toy to be moved again
inline constexpr DefinitionId kTogether{5};      // a toy that was moved and painted starts it
inline constexpr DefinitionId kProducer{6};      // publishes its input
inline constexpr DefinitionId kChooser{7};       // waits for a toy to be painted, or else to be moved
inline constexpr DefinitionId kTogetherToo{8};   // as kTogether, by the same events
inline constexpr DefinitionId kDefinitionsEnd{9};

inline EventFilter filter_of(std::string name, std::string type) {
  return {std::move(name), "toys", std::move(type), {{"toy", std::nullopt}}};
}

class EventPrograms final : public Programs, public EventTriggers {
 public:
  EventPrograms() {
    for (uint64_t number = 1; number < kDefinitionsEnd.number; ++number)
      programs_[DefinitionId(number)] = make(DefinitionId(number));
  }

  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override { return programs_.at(definition); }
  std::string family_of(DefinitionId definition) override { return "family " + std::to_string(definition.number); }

  std::vector<EventTrigger> triggers_of(std::string_view, std::string_view, Timestamp) override {
    std::vector<EventTrigger> found;
    for (const DefinitionId definition : open)
      found.push_back({definition, family_of(definition), programs_.at(definition)->start_rule()});
    return found;
  }

  std::vector<DefinitionId> open;  // to be started by events, now

 private:
  static std::shared_ptr<kernel::ToyProgram> make(DefinitionId definition) {
    const bool needs_both = definition == kTogether || definition == kTogetherToo;
    const bool passes = definition == kStarted || needs_both;
    const StateOrdinal first = definition == kProducer ? kernel::kPublishInput
                               : passes                ? kernel::kPassOn
                                                       : kernel::kAwaitEvent;
    auto program = std::make_shared<kernel::ToyProgram>(first);
    const EventFilter moved = filter_of("moved", "toy.moved");
    const EventFilter painted = filter_of("painted", "toy.painted");
    program->filters = {moved};
    if (definition == kChooser) program->filters = {painted, moved};
    if (definition == kLoop) program->after_event = kernel::kAwaitEvent;
    program->starts.events = {moved};
    if (!needs_both) return program;
    program->starts.events = {moved, painted};
    program->starts.needs_all = true;
    program->starts.gap = std::chrono::seconds(30);
    return program;
  }

  std::map<DefinitionId, std::shared_ptr<const kernel::ToyProgram>> programs_;
};

enum class StoreKind : uint8_t { kMemory, kSqlite };

class EventWorld {
 public:
  explicit EventWorld(StoreKind kind = StoreKind::kMemory) {
    if (kind == StoreKind::kSqlite) open_sqlite();
    open();
  }
  ~EventWorld() {
    engine.reset();
    sqlite_.reset();
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  // Also a crash: whatever is not in the store is gone.
  void open() {
    engine.reset();
    EngineOptions options;
    options.threads = false;
    options.shards = 2;
    options.seed = 1;
    options.event_sinks = sinks;
    engine = Engine::open({store(), programs, tasks, offers, tokens, clock, nullptr, &programs}, options).value();
    for (auto& [id, event] : unanswered_) hand_in(event);
  }

  FailingStore& store() { return *failing_; }
  bool move() { return engine->run_ready() || engine->commit(); }
  void settle() {
    while (move()) {
    }
  }
  void pass(Duration time) {
    clock.advance_to(clock.now() + time);
    settle();
  }
  void crash_after(int moves) {
    for (int i = 0; i < moves; ++i) move();
    open();
  }

  // --- what clients do

  void begin(DefinitionId definition, const std::string& toy = "", Value input = Value::empty_object()) {
    StartRequest request;
    request.definition = definition;
    request.input = std::move(input);
    if (!toy.empty()) request.correlation = Value::empty_object().with_member("toy", Value::string(toy));
    engine->start(std::move(request), [](Result<Started>) {});
  }
  ExecutionId start(DefinitionId definition, const std::string& toy = "") {
    begin(definition, toy);
    settle();
    return stored(definition).at(0).id;
  }

  static Value event(const std::string& id, const std::string& toy, const std::string& type = "toy.moved") {
    json::ObjectBuilder event;
    event.set("specversion", Value::string("1.0"));
    event.set("id", Value::string(id));
    event.set("source", Value::string("toys"));
    event.set("type", Value::string(type));
    event.set("Toy", Value::string(toy));
    return event.build();
  }
  // Handed in again after a crash, until it is answered: as a client would.
  void publish(const Value& event) {
    unanswered_[std::string(event.find("id")->as_string())] = event;
    hand_in(event);
  }
  void publish(const std::string& id, const std::string& toy, const std::string& type = "toy.moved") {
    publish(event(id, toy, type));
  }
  bool has_answers() const { return unanswered_.empty(); }

  // --- what came of it

  std::vector<store::ExecutionRow> stored(DefinitionId definition) {
    store::ListFilter filter;
    filter.definition = definition;
    filter.limit = 100'000;
    return store().list_executions(filter);
  }
  std::vector<Fact> facts_of(ExecutionId id) {
    std::vector<Fact> facts;
    engine->facts(id, [&](Result<std::vector<Fact>> answer) { facts = std::move(answer).value(); });
    settle();
    return facts;
  }
  // The ids of the events that an execution took, in order.
  std::vector<std::string> taken_by(ExecutionId id) {
    std::vector<std::string> taken;
    for (const Fact& fact : facts_of(id)) {
      const Value* event = fact.kind == FactKind::kOperationEnded ? fact.value.find("event") : nullptr;
      if (event != nullptr) taken.emplace_back(event->find("id")->as_string());
    }
    return taken;
  }
  // Of those that started it.
  std::vector<std::string> started_by(ExecutionId id) {
    std::vector<std::string> found;
    const auto facts = facts_of(id);
    const Value* events = facts.at(0).extra.find("events");
    if (events == nullptr) return found;
    for (const Value& item : events->items())
      found.push_back(std::string(item.find("event")->as_string()) + " " +
                      std::string(item.find("value")->find("id")->as_string()));
    return found;
  }
  // Without those that an event has ended and that are still there.
  size_t waits() {
    std::set<std::string> places, spent;
    std::istringstream lines(store().dump());
    for (std::string line; std::getline(lines, line);) {
      const size_t place = line.find(" definition ");
      if (line.starts_with("subscription ")) places.insert(line.substr(place, line.find(" after") - place));
      if (line.starts_with("spent wait ")) spent.insert(line.substr(place, line.find_last_not_of(' ') + 1 - place));
    }
    return static_cast<size_t>(
        std::ranges::count_if(places, [&](const auto& place) { return !spent.contains(place); }));
  }

  store::MemoryStore memory;
  EventPrograms programs;
  ToyTokens tokens;
  NoTasks tasks;
  Offers offers;
  VirtualClock clock{Timestamp(std::chrono::hours(24))};
  std::vector<std::string> sinks;
  std::unique_ptr<Engine> engine;

 private:
  void open_sqlite() {
    std::string name = (std::filesystem::temp_directory_path() / "pawl-events-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    sqlite_ = store::SqliteStore::open(directory_).value();
    failing_ = std::make_unique<FailingStore>(*sqlite_);
  }
  void hand_in(const Value& event) {
    engine->publish(event, [this, id = std::string(event.find("id")->as_string())](Result<Published> answer) {
      if (answer)
        unanswered_.erase(id);
      else
        refused_ = true;
    });
  }

  std::map<std::string, Value> unanswered_;
  bool refused_ = false;
  std::string directory_;
  std::unique_ptr<store::SqliteStore> sqlite_;
  std::unique_ptr<FailingStore> failing_ = std::make_unique<FailingStore>(memory);
};

}  // namespace pawl::engine
