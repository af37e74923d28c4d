// Waits for events, events, partial sets and the queues of sinks, in memory.
#include "store/dump.h"
#include "store/memory/memory_store.h"

namespace pawl::store {

void MemoryStore::apply_events(const Batch& batch) {
  for (const SubscriptionRow& row : batch.subscribed) subscriptions_.insert(row);
  for (const SubscriptionRow& row : batch.unsubscribed) subscriptions_.erase(row);
  for (const SpentWait& spent : batch.spent) spent_[spent.event] = spent.wait;
  spent_.erase(spent_.begin(), spent_.upper_bound(batch.swept));
  for (const EventRow& row : batch.received) {
    events_[row.number] = row;
    last_event_ = std::max(last_event_, row.number);
  }
  for (const EventNumber number : batch.decided)
    if (const auto found = events_.find(number); found != events_.end()) found->second.is_decided = true;
  events_.erase(events_.begin(), events_.upper_bound(batch.forgotten));
  for (const PartialSetRow& row : batch.gathered) partial_sets_[row.id] = row;
  for (const EventNumber id : batch.scattered) partial_sets_.erase(id);
  for (const SinkItem& item : batch.queued) sink_items_[item.id] = item;
  for (const SinkItemId id : batch.delivered) sink_items_.erase(id);
}

std::vector<SubscriptionRow> MemoryStore::subscriptions(const EventKey& key, const SubscriptionRow& after,
                                                        size_t limit) const {
  const std::lock_guard lock(mutex_);
  SubscriptionRow first;
  first.key = key;
  std::vector<SubscriptionRow> found;
  auto at = after.key == key ? subscriptions_.upper_bound(after) : subscriptions_.lower_bound(first);
  for (; at != subscriptions_.end() && at->key == key && found.size() < limit; ++at) found.push_back(*at);
  return found;
}

bool MemoryStore::has_subscription(const SubscriptionRow& row) const {
  const std::lock_guard lock(mutex_);
  return subscriptions_.contains(row);
}

std::vector<SpentWait> MemoryStore::spent_waits(EventNumber after, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<SpentWait> found;
  for (auto at = spent_.upper_bound(after); at != spent_.end() && found.size() < limit; ++at)
    found.push_back({at->first, at->second});
  return found;
}

std::vector<DefinitionId> MemoryStore::subscribed_definitions(const EventKey& key) const {
  const std::lock_guard lock(mutex_);
  SubscriptionRow first;
  first.key = key;
  std::vector<DefinitionId> found;
  for (auto at = subscriptions_.lower_bound(first); at != subscriptions_.end() && at->key == key; ++at)
    if (found.empty() || found.back() != at->definition) found.push_back(at->definition);
  return found;
}

std::vector<EventRow> MemoryStore::events(EventNumber after, size_t limit, Bodies bodies) const {
  const std::lock_guard lock(mutex_);
  std::vector<EventRow> found;
  for (auto at = events_.upper_bound(after); at != events_.end() && found.size() < limit; ++at) {
    found.push_back(at->second);
    if (bodies == Bodies::kWithout) found.back().body.clear();
  }
  return found;
}

std::optional<EventRow> MemoryStore::find_event(EventNumber number) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(number);
  return found == events_.end() ? std::nullopt : std::optional(found->second);
}

EventNumber MemoryStore::last_event() const {
  const std::lock_guard lock(mutex_);
  return last_event_;
}

std::vector<PartialSetRow> MemoryStore::partial_sets(const EventKey& key) const {
  const std::lock_guard lock(mutex_);
  std::vector<PartialSetRow> found;
  for (const auto& [id, row] : partial_sets_)
    if (row.key == key) found.push_back(row);
  return found;
}

std::optional<PartialSetRow> MemoryStore::find_partial_set(EventNumber id) const {
  const std::lock_guard lock(mutex_);
  const auto found = partial_sets_.find(id);
  return found == partial_sets_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<SinkItem> MemoryStore::sink_queue(const std::string& sink, SinkItemId after, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<SinkItem> found;
  for (auto at = sink_items_.upper_bound(after); at != sink_items_.end() && found.size() < limit; ++at)
    if (at->second.sink == sink) found.push_back(at->second);
  return found;
}

SinkItemId MemoryStore::last_sink_item() const {
  const std::lock_guard lock(mutex_);
  return sink_items_.empty() ? SinkItemId() : sink_items_.rbegin()->first;
}

void MemoryStore::dump_events(Dump& dump) const {
  for (const SubscriptionRow& row : subscriptions_) dump.add(row);
  for (const auto& [number, wait] : spent_) dump.add(SpentWait{number, wait});
  for (const auto& [number, row] : events_) dump.add(row);
  for (const auto& [id, row] : partial_sets_) dump.add(row);
  for (const auto& [id, item] : sink_items_) dump.add(item);
}

}  // namespace pawl::store
