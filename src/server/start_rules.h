// What starts executions of the server's definitions besides a direct start: events and schedules, by definition.
//
// Follows the catalog: whoever applies a change tells it. Any thread may read; a shard's thread does for every event.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/start_window.h"
#include "engine/event_triggers.h"
#include "kernel/start_rule.h"
#include "server/catalog.h"

namespace pawl::server {

// Of one current definition. Immutable.
struct Starter {
  std::string name;
  bool enabled = true;  // false: it takes no executions
  DefinitionId definition;
  std::string family;
  kernel::StartRule rule;
  api::StartWindow window;
};

using StarterPointer = std::shared_ptr<const Starter>;

class StartRules final : public engine::EventTriggers {
 public:
  explicit StartRules(const Catalog& catalog) : catalog_(catalog) {}

  // Reads every definition of the catalog.
  void load();
  // The definition has changed: it was deployed, removed, enabled or disabled.
  void follow(const std::string& name);

  // Null where nothing but a direct start starts it.
  StarterPointer find(std::string_view name) const;
  std::vector<StarterPointer> list() const;  // by name

  std::vector<engine::EventTrigger> triggers_of(std::string_view source, std::string_view type, Timestamp at) override;

 private:
  StarterPointer make(const std::string& name) const;
  void file(const StarterPointer& starter);
  void unfile(std::string_view name);

  const Catalog& catalog_;
  mutable std::shared_mutex mutex_;  // guards the two below
  std::map<std::string, StarterPointer, std::less<>> starters_;
  // By source and type of the events that start them; either is empty where any will do.
  std::multimap<std::pair<std::string, std::string>, StarterPointer, std::less<>> by_event_;
};

}  // namespace pawl::server
