#include "api/bench_programs.h"

#include <algorithm>

#include "api/machine.h"

namespace pawl::api {

using store::DefinitionId;

BenchPrograms::BenchPrograms(BenchDefinition first, const BenchOptions& options, Timestamp begun)
    : options_(options), begun_(begun) {
  add(std::move(first));
}

void BenchPrograms::add(BenchDefinition definition) {
  Result<StartWindow> window = StartWindow::of(definition.program->start_rule(), begun_);
  entries_.push_back({std::move(definition), std::move(window)});
}

Result<void> BenchPrograms::check() const {
  const Result<StartWindow>& window = entries_.front().window;
  if (!window) return std::unexpected(window.error());
  return {};
}

const BenchPrograms::Entry* BenchPrograms::find_entry(DefinitionId definition) const {
  const bool is_known = definition && definition.number <= entries_.size();
  return is_known ? &entries_[definition.number - 1] : nullptr;
}

std::shared_ptr<const kernel::Program> BenchPrograms::find(DefinitionId definition) {
  const Entry* entry = find_entry(definition);
  return entry == nullptr ? nullptr : entry->definition.program;
}

std::string BenchPrograms::name_of(DefinitionId definition) {
  const Entry* entry = find_entry(definition);
  return entry == nullptr ? std::string() : entry->definition.name;
}

std::optional<DefinitionId> BenchPrograms::find_named(std::string_view name) {
  for (size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].definition.name == name) return DefinitionId(i + 1);
  if (!options_.find_definition) return std::nullopt;
  auto program = options_.find_definition(name);
  if (program == nullptr) return std::nullopt;
  add({std::string(name), std::move(program)});
  return DefinitionId(entries_.size());
}

Value BenchPrograms::make_context(DefinitionId definition, ExecutionId execution, const std::string& name,
                                  const Value& input, Timestamp started) {
  ExecutionSetup setup;
  setup.input = input;
  setup.execution_name = name.empty() ? std::to_string(execution.number) : name;
  setup.machine_name = name_of(definition);
  if (definition == kFirst) setup.context = options_.context;
  return api::make_context(setup, started);
}

bool BenchPrograms::may_start(DefinitionId definition, Timestamp now) {
  const Entry* entry = find_entry(definition);
  return entry != nullptr && entry->window && entry->window->is_open(now);
}

std::vector<engine::EventTrigger> BenchPrograms::triggers_of(std::string_view source, std::string_view type,
                                                             Timestamp at) {
  const kernel::StartRule rule = entries_.front().definition.program->start_rule();
  const bool is_meant = std::ranges::any_of(rule.events, [&](const kernel::EventFilter& filter) {
    return (filter.source.empty() || filter.source == source) && (filter.type.empty() || filter.type == type);
  });
  if (!is_meant || !may_start(kFirst, at)) return {};
  return {{kFirst, family_of(kFirst), rule}};
}

}  // namespace pawl::api
