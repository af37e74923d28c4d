// What the desk knows by heart of the events that arrived: which were there before, and under which keys those that are
// kept are found. Their bodies are in the store.
//
// Two lengths of time count: a kept event is offered to waits that begin later; a remembered one is not let in again.
// Nothing here happens by itself: expire() is called now and then. Belongs to one thread.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "kernel/event_filter.h"
#include "store/rows.h"

namespace pawl::engine {

using json::Value;
using kernel::EventKey;
using store::EventNumber;

// Beyond these the oldest are let go of early.
inline constexpr size_t kEventsKeptMax = 1'000'000;
inline constexpr size_t kEventsRememberedMax = 4'000'000;

class EventIndex {
 public:
  EventIndex(Duration keep, Duration remember) : keep_(keep), remember_(remember) {}

  // --- shapes

  bool has_shape(const kernel::EventShape& shape) const;
  void add_shape(const kernel::EventShape& shape);
  // Under which those are filed who wait for it.
  std::vector<EventKey> keys_of(const Value& event) const;

  // --- identities

  std::optional<EventNumber> find(const EventKey& identity) const;
  // In the order of numbers.
  void remember(EventNumber number, const EventKey& identity, Timestamp received);

  // --- kept events

  bool is_keeping(Timestamp received, Timestamp now) const { return kept_until(received) > now; }
  void keep(EventNumber number, Timestamp received, const Value& event, const std::vector<EventKey>& keys);
  // Those filed under the key, after that one, oldest first, and when they were received.
  std::vector<std::pair<EventNumber, Timestamp>> kept_under(const EventKey& key, EventNumber after) const;
  // Those that a filter of this shape might be for.
  std::vector<EventNumber> kept_for(const kernel::EventShape& shape) const;
  void add_key(EventNumber number, const EventKey& key);
  size_t kept() const { return kept_.size(); }

  // Whether a wait that began then may have an event that was received before.
  bool is_in_time(Timestamp received, Timestamp wait_began) const { return wait_began - received <= keep_; }

  // Lets go of a few whose time has come, but not of those from `until` on. The last one that nothing remembers any
  // more; 0: there is none new.
  EventNumber expire(Timestamp now, EventNumber until, size_t count);
  void clear();

 private:
  struct Kept {
    Timestamp received{};
    size_t source = 0;  // hashes
    size_t type = 0;
    std::vector<EventKey> keys;
  };
  struct Remembered {
    EventNumber number;
    EventKey identity;
    Timestamp received{};
  };
  struct Hash {
    size_t operator()(const EventKey& key) const { return key.high ^ key.low; }
  };

  Timestamp kept_until(Timestamp received) const;
  Timestamp remembered_until(Timestamp received) const;
  void drop_oldest_kept();

  const Duration keep_;
  const Duration remember_;
  std::map<std::pair<std::string, std::string>, std::vector<kernel::EventShape>> shapes_;  // by source and type
  std::map<EventNumber, Kept> kept_;
  std::unordered_map<EventKey, std::vector<EventNumber>, Hash> by_key_;  // each list in order
  std::deque<Remembered> remembered_;
  std::unordered_map<EventKey, EventNumber, Hash> identities_;
};

// Whether it has what the desk needs: a source, an id and a type.
bool is_identified(const Value& event);
// Of its source and id.
EventKey identity_of(const Value& event);

}  // namespace pawl::engine
