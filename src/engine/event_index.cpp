#include "engine/event_index.h"

#include <algorithm>

namespace pawl::engine {

using kernel::EventShape;

namespace {

// A wait is looked at some time after it began, once it is durable; an event is not let go of before.
constexpr Duration kLookingMax{30'000};

std::string text_of(const Value& event, std::string_view name) {
  const Value* found = event.find(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

template <typename T>
bool has(const std::vector<T>& list, const T& item) {
  return std::ranges::find(list, item) != list.end();
}

size_t hash_of(const std::string& text) { return std::hash<std::string>{}(text); }

}  // namespace

bool is_identified(const Value& event) {
  return event.is_object() && !text_of(event, "source").empty() && !text_of(event, "id").empty() &&
         !text_of(event, "type").empty();
}

EventKey identity_of(const Value& event) {
  kernel::EventFilter pair;
  pair.source = text_of(event, "source");
  pair.type = text_of(event, "id");
  return kernel::key_of(pair);
}

// --- shapes

bool EventIndex::has_shape(const EventShape& shape) const {
  const auto found = shapes_.find({shape.source, shape.type});
  return found != shapes_.end() && has(found->second, shape);
}

void EventIndex::add_shape(const EventShape& shape) {
  if (!has_shape(shape)) shapes_[{shape.source, shape.type}].push_back(shape);
}

std::vector<EventKey> EventIndex::keys_of(const Value& event) const {
  std::vector<EventKey> keys;
  const std::string source = text_of(event, "source");
  const std::string type = text_of(event, "type");
  for (const auto& topic :
       {std::pair(source, type), std::pair(std::string(), type), std::pair(source, std::string())}) {
    const auto found = shapes_.find(topic);
    if (found == shapes_.end()) continue;
    for (const EventShape& shape : found->second)
      if (const auto key = kernel::key_of(event, shape)) keys.push_back(*key);
  }
  return keys;
}

// --- identities

std::optional<EventNumber> EventIndex::find(const EventKey& identity) const {
  const auto found = identities_.find(identity);
  return found == identities_.end() ? std::nullopt : std::optional(found->second);
}

void EventIndex::remember(EventNumber number, const EventKey& identity, Timestamp received) {
  remembered_.push_back({number, identity, received});
  identities_[identity] = number;
}

// --- kept events

void EventIndex::keep(EventNumber number, Timestamp received, const Value& event, const std::vector<EventKey>& keys) {
  Kept kept{received, hash_of(text_of(event, "source")), hash_of(text_of(event, "type")), {}};
  if (!kept_.emplace(number, std::move(kept)).second) return;
  for (const EventKey& key : keys) add_key(number, key);
  if (kept_.size() > kEventsKeptMax) drop_oldest_kept();
}

void EventIndex::add_key(EventNumber number, const EventKey& key) {
  const auto found = kept_.find(number);
  if (found == kept_.end() || has(found->second.keys, key)) return;
  found->second.keys.push_back(key);
  std::vector<EventNumber>& numbers = by_key_[key];
  numbers.insert(std::ranges::upper_bound(numbers, number), number);
}

std::vector<std::pair<EventNumber, Timestamp>> EventIndex::kept_under(const EventKey& key, EventNumber after) const {
  std::vector<std::pair<EventNumber, Timestamp>> found;
  const auto numbers = by_key_.find(key);
  if (numbers == by_key_.end()) return found;
  for (auto at = std::ranges::upper_bound(numbers->second, after); at != numbers->second.end(); ++at)
    found.emplace_back(*at, kept_.at(*at).received);
  return found;
}

std::vector<EventNumber> EventIndex::kept_for(const EventShape& shape) const {
  std::vector<EventNumber> found;
  for (const auto& [number, kept] : kept_) {
    const bool has_source = shape.source.empty() || kept.source == hash_of(shape.source);
    const bool has_type = shape.type.empty() || kept.type == hash_of(shape.type);
    if (has_source && has_type) found.push_back(number);
  }
  return found;
}

void EventIndex::drop_oldest_kept() {
  const auto oldest = kept_.begin();
  for (const EventKey& key : oldest->second.keys) {
    const auto numbers = by_key_.find(key);
    std::erase(numbers->second, oldest->first);
    if (numbers->second.empty()) by_key_.erase(numbers);
  }
  kept_.erase(oldest);
}

// --- time

Timestamp EventIndex::kept_until(Timestamp received) const { return received + keep_ + kLookingMax; }

Timestamp EventIndex::remembered_until(Timestamp received) const {
  return std::max(received + remember_, kept_until(received));
}

EventNumber EventIndex::expire(Timestamp now, EventNumber until, size_t count) {
  for (size_t i = 0; i < count && !kept_.empty() && !is_keeping(kept_.begin()->second.received, now); ++i)
    drop_oldest_kept();
  EventNumber last;
  for (size_t i = 0; i < count && !remembered_.empty(); ++i) {
    const Remembered& oldest = remembered_.front();
    const bool is_over = remembered_until(oldest.received) <= now || remembered_.size() > kEventsRememberedMax;
    if (!is_over || oldest.number >= until) break;
    last = oldest.number;
    if (find(oldest.identity) == oldest.number) identities_.erase(oldest.identity);
    remembered_.pop_front();
  }
  return last;
}

void EventIndex::clear() {
  kept_.clear();
  by_key_.clear();
  remembered_.clear();
  identities_.clear();
}

}  // namespace pawl::engine
