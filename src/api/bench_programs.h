// The definitions of a workbench: the one that is run, and those that it calls as sub-workflows.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "api/start_window.h"
#include "api/workbench.h"
#include "engine/event_triggers.h"
#include "engine/programs.h"

namespace pawl::api {

// One thread. The first definition is the one that is run; only that one is started by events.
class BenchPrograms final : public engine::Programs, public engine::EventTriggers {
 public:
  BenchPrograms(BenchDefinition first, const BenchOptions& options, Timestamp begun);

  static constexpr store::DefinitionId kFirst{1};
  Result<void> check() const;  // that the schedule of the first can be kept

  std::shared_ptr<const kernel::Program> find(store::DefinitionId definition) override;
  std::string family_of(store::DefinitionId definition) override { return std::to_string(definition.number); }
  std::string name_of(store::DefinitionId definition) override;
  std::optional<store::DefinitionId> find_named(std::string_view name) override;
  Value make_context(store::DefinitionId definition, ExecutionId execution, const std::string& name, const Value& input,
                     Timestamp started) override;
  bool may_start(store::DefinitionId definition, Timestamp now) override;

  std::vector<engine::EventTrigger> triggers_of(std::string_view source, std::string_view type, Timestamp at) override;

 private:
  struct Entry {
    BenchDefinition definition;
    Result<StartWindow> window;
  };
  const Entry* find_entry(store::DefinitionId definition) const;
  void add(BenchDefinition definition);

  const BenchOptions& options_;
  const Timestamp begun_;
  std::deque<Entry> entries_;  // by id - 1; a program that is given out stays where it is
};

}  // namespace pawl::api
