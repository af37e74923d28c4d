#include "server/start_rules.h"

#include <mutex>
#include <set>

namespace pawl::server {

namespace {

constexpr size_t kListedAtOnce = 1'000;

}  // namespace

void StartRules::load() {
  std::string after;
  for (;;) {
    const auto page = catalog_.list_machines(after, kListedAtOnce);
    for (const MachinePointer& machine : page) follow(machine->name);
    if (page.size() < kListedAtOnce) return;
    after = page.back()->name;
  }
}

// ASL has no such starts: only other languages are compiled for it.
StarterPointer StartRules::make(const std::string& name) const {
  const MachinePointer machine = catalog_.find_machine(name);
  if (machine == nullptr) return nullptr;
  const RevisionPointer revision = catalog_.find_revision(machine->current);
  if (revision->language == api::name_of(api::Language::kAsl)) return nullptr;
  const auto code = catalog_.find_compiled(machine->current);
  if (code == nullptr) return nullptr;
  kernel::StartRule rule = code->program->start_rule();
  if (!rule.is_event_started() && !rule.is_scheduled()) return nullptr;
  auto window = api::StartWindow::of(rule, revision->made);
  if (!window) return nullptr;  // lint has refused it before
  return std::make_shared<const Starter>(name, !machine->disabled, machine->current,
                                         std::to_string(machine->family.number), std::move(rule), *std::move(window));
}

void StartRules::follow(const std::string& name) {
  StarterPointer made = make(name);
  const std::lock_guard lock(mutex_);
  unfile(name);
  if (made != nullptr) file(made);
}

void StartRules::file(const StarterPointer& starter) {
  starters_[starter->name] = starter;
  std::set<std::pair<std::string, std::string>> kinds;
  for (const kernel::EventFilter& filter : starter->rule.events) kinds.emplace(filter.source, filter.type);
  for (const auto& kind : kinds) by_event_.emplace(kind, starter);
}

void StartRules::unfile(std::string_view name) {
  const auto found = starters_.find(name);
  if (found == starters_.end()) return;
  std::erase_if(by_event_, [&](const auto& entry) { return entry.second == found->second; });
  starters_.erase(found);
}

StarterPointer StartRules::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = starters_.find(name);
  return found == starters_.end() ? nullptr : found->second;
}

std::vector<StarterPointer> StartRules::list() const {
  const std::shared_lock lock(mutex_);
  std::vector<StarterPointer> listed;
  for (const auto& [name, starter] : starters_) listed.push_back(starter);
  return listed;
}

// One that several of its filters let in is told once.
std::vector<engine::EventTrigger> StartRules::triggers_of(std::string_view source, std::string_view type,
                                                          Timestamp at) {
  const std::shared_lock lock(mutex_);
  if (by_event_.empty()) return {};
  std::map<std::string_view, const Starter*> found;
  const std::string any;
  for (const auto& kind : {std::pair(std::string(source), std::string(type)), std::pair(any, std::string(type)),
                           std::pair(std::string(source), any)}) {
    const auto [begin, end] = by_event_.equal_range(kind);
    for (auto entry = begin; entry != end; ++entry)
      if (entry->second->enabled && entry->second->window.is_open(at))
        found.emplace(entry->second->name, entry->second.get());
  }
  std::vector<engine::EventTrigger> triggers;
  for (const auto& [name, starter] : found) triggers.push_back({starter->definition, starter->family, starter->rule});
  return triggers;
}

}  // namespace pawl::server
