#include "engine/event_desk.h"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/shard.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::engine {

using kernel::EventShape;
using store::EventRow;
using store::SubscriptionRow;

namespace {

constexpr size_t kMarksAtOnce = 10'000;  // read when the desk opens
constexpr size_t kOfferedAtOnce = 100;   // stored events in one step, after a restart
constexpr size_t kStepsAtOnce = 100;     // for one commit
constexpr size_t kExpiredWithEach = 4;   // old events for each that arrives: more than come in
constexpr EventNumber kAll{UINT64_MAX};

std::optional<ArrivedEvent> read_event(const EventRow& row) {
  auto value = json::parse(row.body, {.depth_max = json::kDepthCeiling});
  if (!value) return std::nullopt;
  return ArrivedEvent{row.number, row.received, *std::move(value), row.body};
}

}  // namespace

EventDesk::EventDesk(Shared& shared)
    : shared_(shared), index_(shared.options.events_keep, shared.options.events_remember), starts_(shared) {}

// --- opening

void EventDesk::open() {
  for (const store::Document& document : shared_.borders.store.documents(kShapeDocuments)) {
    const auto shape = read_shape(document);
    if (!shape) continue;
    index_.add_shape(*shape);
    shared_.shapes.add(*shape);
  }
  spent_.load(shared_.borders.store);
  EventNumber last;
  for (bool has_more = true; has_more;) {
    const auto page = shared_.borders.store.events(last, kMarksAtOnce, store::Store::Bodies::kWithout);
    for (const EventRow& row : page) index_.remember(row.number, row.identity, row.received);
    has_more = page.size() == kMarksAtOnce;
    if (!page.empty()) last = page.back().number;
  }
  last_offered_ = {};
  offered_until_ = last;
}

// What a crash came between: an event that not all were told of, a wait that was not looked up.
void EventDesk::offer_stored(DeskOutput& out) {
  const auto page = shared_.borders.store.events(last_offered_, kOfferedAtOnce, store::Store::Bodies::kWith);
  const Timestamp now = shared_.borders.clock.now();
  for (const EventRow& row : page) {
    if (row.number > offered_until_) break;
    last_offered_ = row.number;
    auto event = read_event(row);
    if (!event) continue;
    const std::vector<EventKey> keys = index_.keys_of(event->value);
    if (index_.is_keeping(row.received, now)) index_.keep(row.number, row.received, event->value, keys);
    route({*std::move(event), keys, 0, {}, 0, row.is_decided, row.is_decided, !row.is_decided}, out);
    if (!routings_.empty() && routings_.front().event.number == row.number) return;  // the others come after it
  }
  if (page.empty() || page.back().number >= offered_until_) last_offered_ = offered_until_;
}

void EventDesk::go_on(DeskOutput& out) {
  const size_t before = out.sent.size();
  for (size_t i = 0; i < kStepsAtOnce && is_routing() && out.sent.size() - before < kFanOutMax; ++i) take_step(out);
  if (spent_.must_sweep()) sweep(out);
}

// What was stored goes before what arrived since.
void EventDesk::take_step(DeskOutput& out) {
  const bool offers_first = routings_.empty() || routings_.front().event.number > offered_until_;
  if (is_offering() && offers_first) return offer_stored(out);
  Routing routing = std::move(routings_.front());
  routings_.pop_front();
  route(std::move(routing), out);
}

// --- events

Published EventDesk::receive(const Value& event, DeskOutput& out) {
  const EventKey identity = identity_of(event);
  if (const auto known = index_.find(identity)) {
    shared_.metrics.events_duplicate.add();
    return {*known, true};
  }
  const EventNumber number(++shared_.last_event);
  const Timestamp now = shared_.borders.clock.now();
  const bool must_wait = is_routing();
  Routing routing{{number, now, event, json::print(event)}, index_.keys_of(event), 0, {}, 0, false, !must_wait, true};
  index_.remember(number, identity, now);
  index_.keep(number, now, event, routing.keys);
  gathering_.events[number] = routing.event;
  out.batch.received.push_back({number, identity, now, !must_wait, routing.event.text});
  shared_.metrics.events_received.add();
  if (must_wait)
    routings_.push_back(std::move(routing));
  else
    route(std::move(routing), out);
  expire(kExpiredWithEach, out);
  return {number, false};
}

// As far as one step goes; the rest is put in front of the others.
void EventDesk::route(Routing routing, DeskOutput& out) {
  std::set<DefinitionId> definitions;
  const bool has_told_all = tell_waiters(routing, definitions, out);
  if (!routing.is_decided) decide_starts(routing, has_told_all, std::move(definitions), out);
  if (!has_told_all) routings_.push_front(std::move(routing));
}

void EventDesk::decide_starts(Routing& routing, bool has_told_all, std::set<DefinitionId> definitions,
                              DeskOutput& out) {
  if (!has_told_all)
    for (const EventKey& key : routing.keys)
      for (const DefinitionId definition : shared_.borders.store.subscribed_definitions(key))
        definitions.insert(definition);
  std::set<std::string> reached;
  for (const DefinitionId definition : definitions) reached.insert(shared_.borders.programs.family_of(definition));
  starts_.decide(routing.event, reached, out);
  routing.is_decided = true;
  if (!routing.is_stored_decided) out.batch.decided.push_back(routing.event.number);
}

bool EventDesk::tell_waiters(Routing& routing, std::set<DefinitionId>& definitions, DeskOutput& out) {
  const std::vector<SubscriptionRow> waiters = next_waiters(routing, out);
  std::map<std::pair<ExecutionId, OperationId>, const SubscriptionRow*> first;  // of an operation's filters
  for (const SubscriptionRow& waiter : waiters) {
    definitions.insert(waiter.definition);
    const SubscriptionRow*& chosen = first[{waiter.execution, waiter.operation}];
    if (chosen == nullptr || waiter.filter < chosen->filter) chosen = &waiter;
  }
  const bool is_alone = routing.seen == 1 && routing.is_fresh;
  for (const SubscriptionRow& waiter : waiters) {
    if (is_alone)
      spend(waiter, routing.event.number, out);
    else
      remove(waiter, out);
  }
  for (const auto& [operation, waiter] : first) tell(*waiter, routing.event, out);
  return routing.key == routing.keys.size();
}

// Spent waits that it comes across are removed: they would be in the way again.
std::vector<SubscriptionRow> EventDesk::next_waiters(Routing& routing, DeskOutput& out) {
  const size_t bytes = std::max<size_t>(routing.event.text.size(), 1);
  const size_t limit = std::clamp<size_t>(kFanOutBytesMax / bytes, 1, kFanOutMax);
  std::vector<SubscriptionRow> waiters;
  while (routing.key < routing.keys.size() && waiters.size() < limit) {
    const size_t wanted = limit - waiters.size();
    const auto page = shared_.borders.store.subscriptions(routing.keys[routing.key], routing.last, wanted);
    routing.seen += page.size();
    for (const SubscriptionRow& wait : page) {
      if (spent_.has(wait)) remove(wait, out);
      if (!is_removed(wait) && (routing.is_fresh || is_for(wait, routing.event.number, routing.event.received)))
        waiters.push_back(wait);
    }
    if (page.size() < wanted)
      ++routing.key;
    else
      routing.last = page.back();
  }
  return waiters;
}

void EventDesk::spend(const SubscriptionRow& wait, EventNumber event, DeskOutput& out) {
  spent_.add({event, wait});
  out.batch.spent.push_back({event, wait});
}

void EventDesk::sweep(DeskOutput& out) {
  for (const SubscriptionRow& wait : spent_.take_some(out.batch.swept)) remove(wait, out);
}

void EventDesk::remove(const SubscriptionRow& wait, DeskOutput& out) {
  spent_.drop(wait);
  gathering_.removed.insert(wait);
  out.batch.unsubscribed.push_back(wait);
}

void EventDesk::tell(const SubscriptionRow& waiter, const ArrivedEvent& event, DeskOutput& out) {
  send(shared_, waiter.execution, encode_arrived(waiter, event.number, event.text), out);
  shared_.metrics.events_matched.add();
}

bool EventDesk::is_removed(const SubscriptionRow& wait) const {
  return spent_.has(wait) || gathering_.removed.contains(wait) || in_flight_.removed.contains(wait);
}

// --- waits

// Whether a wait may have an event that was there before it was looked at.
bool EventDesk::is_for(const SubscriptionRow& wait, EventNumber number, Timestamp received) const {
  const bool came_later = wait.known < number;
  return wait.after < number && (came_later || index_.is_in_time(received, wait.made));
}

void EventDesk::look(const std::vector<SubscriptionRow>& waits, const std::vector<EventShape>& shapes,
                     DeskOutput& out) {
  for (const EventShape& shape : shapes) learn(shape);
  for (size_t begin = 0; begin < waits.size();) {
    const auto is_other = [&](const SubscriptionRow& wait) {
      return wait.execution != waits[begin].execution || wait.operation != waits[begin].operation;
    };
    const auto end = std::find_if(waits.begin() + static_cast<std::ptrdiff_t>(begin), waits.end(), is_other);
    const auto count = static_cast<size_t>(end - waits.begin()) - begin;
    look_for(std::span(waits).subspan(begin, count), out);
    begin += count;
  }
}

// The earliest event for any filter of an operation.
void EventDesk::look_for(std::span<const SubscriptionRow> operation, DeskOutput& out) {
  const SubscriptionRow* chosen = nullptr;
  EventNumber earliest = kAll;
  for (const SubscriptionRow& wait : operation) {
    for (const auto& [number, received] : index_.kept_under(wait.key, wait.after)) {
      if (number >= earliest || !is_for(wait, number, received)) continue;
      earliest = number;
      chosen = &wait;
    }
  }
  if (chosen == nullptr || is_removed(*chosen) || !shared_.borders.store.has_subscription(*chosen)) return;
  const auto event = find_event(earliest);
  if (!event) return;
  remove(*chosen, out);
  tell(*chosen, *event, out);
}

// Events that are kept may be for waits of the new shape.
void EventDesk::learn(const EventShape& shape) {
  if (index_.has_shape(shape)) return;
  index_.add_shape(shape);
  for (const EventNumber number : index_.kept_for(shape)) {
    const auto event = find_event(number);
    const auto key = event ? kernel::key_of(event->value, shape) : std::nullopt;
    if (key) index_.add_key(number, *key);
  }
}

std::optional<ArrivedEvent> EventDesk::find_event(EventNumber number) const {
  for (const Overlay* overlay : {&gathering_, &in_flight_})
    if (const auto found = overlay->events.find(number); found != overlay->events.end()) return found->second;
  const auto row = shared_.borders.store.find_event(number);
  return row ? read_event(*row) : std::nullopt;
}

// --- time and commits

bool EventDesk::expire(size_t count, DeskOutput& out) {
  EventNumber until = routings_.empty() ? kAll : routings_.front().event.number;
  if (last_offered_ < offered_until_) until = std::min(until, last_offered_.next());
  const EventNumber last = index_.expire(shared_.borders.clock.now(), until, count);
  if (last) out.batch.forgotten = std::max(out.batch.forgotten, last);
  shared_.metrics.events_kept.set(static_cast<int64_t>(index_.kept()));
  return bool(last);
}

void EventDesk::submit() {
  in_flight_ = std::exchange(gathering_, {});
  starts_.submit();
}

void EventDesk::settle() {
  in_flight_ = {};
  starts_.settle();
}

void EventDesk::roll_back() {
  gathering_ = {};
  in_flight_ = {};
  starts_.roll_back();
  routings_.clear();
  index_.clear();
  open();
}

}  // namespace pawl::engine
