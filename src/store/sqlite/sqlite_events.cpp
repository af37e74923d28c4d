// Reading of waits for events, events, partial sets and the queues of sinks, from SQLite.
#include "store/sqlite/statements.h"

namespace pawl::store {

SubscriptionRow subscription_from(const Statement& s) {
  SubscriptionRow row;
  row.key = {from_sql(s.integer(0)), from_sql(s.integer(1))};
  row.definition = DefinitionId(from_sql(s.integer(2)));
  row.execution = ExecutionId(from_sql(s.integer(3)));
  row.operation = OperationId(static_cast<uint32_t>(s.integer(4)));
  row.filter = static_cast<uint32_t>(s.integer(5));
  row.after = EventNumber(from_sql(s.integer(6)));
  row.known = EventNumber(from_sql(s.integer(7)));
  row.made = from_ms(s.integer(8));
  return row;
}

SpentWait spent_wait_from(const Statement& s) {
  SpentWait spent;
  spent.event = EventNumber(from_sql(s.integer(0)));
  spent.wait.key = {from_sql(s.integer(1)), from_sql(s.integer(2))};
  spent.wait.definition = DefinitionId(from_sql(s.integer(3)));
  spent.wait.execution = ExecutionId(from_sql(s.integer(4)));
  spent.wait.operation = OperationId(static_cast<uint32_t>(s.integer(5)));
  spent.wait.filter = static_cast<uint32_t>(s.integer(6));
  return spent;
}

EventRow event_from(const Statement& s) {
  return {EventNumber(from_sql(s.integer(0))),
          {from_sql(s.integer(1)), from_sql(s.integer(2))},
          from_ms(s.integer(3)),
          s.integer(4) != 0,
          s.text(5)};
}

PartialSetRow partial_set_from(const Statement& s) {
  return {EventNumber(from_sql(s.integer(0))),
          {from_sql(s.integer(1)), from_sql(s.integer(2))},
          s.is_null(3) ? kNever : from_ms(s.integer(3)),
          s.text(4)};
}

SinkItem sink_item_from(const Statement& s) {
  return {SinkItemId(from_sql(s.integer(0))), s.text(1), ExecutionId(from_sql(s.integer(2))), s.text(3)};
}

namespace {

Statement& bind_key(Statement& s, const EventKey& key) { return s.bind(1, to_sql(key.high)).bind(2, to_sql(key.low)); }

}  // namespace

std::vector<SubscriptionRow> SqliteStore::subscriptions(const EventKey& key, const SubscriptionRow& after,
                                                        size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  const SubscriptionRow begin = after.key == key ? after : SubscriptionRow();
  Statement& s = bind_key(reads_->subscriptions, key);
  s.bind(3, to_sql(begin.definition.number)).bind(4, to_sql(begin.execution.number)).bind(5, begin.operation.number);
  s.bind(6, begin.filter).bind(7, static_cast<int64_t>(limit));
  std::vector<SubscriptionRow> found;
  while (has_row(s)) found.push_back(subscription_from(s));
  s.reset();
  return found;
}

bool SqliteStore::has_subscription(const SubscriptionRow& row) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = bind_key(reads_->has_subscription, row.key);
  s.bind(3, to_sql(row.definition.number)).bind(4, to_sql(row.execution.number)).bind(5, row.operation.number);
  const bool found = has_row(s.bind(6, row.filter));
  s.reset();
  return found;
}

std::vector<SpentWait> SqliteStore::spent_waits(EventNumber after, size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->spent_waits.bind(1, to_sql(after.number)).bind(2, static_cast<int64_t>(limit));
  std::vector<SpentWait> found;
  while (has_row(s)) found.push_back(spent_wait_from(s));
  s.reset();
  return found;
}

std::vector<DefinitionId> SqliteStore::subscribed_definitions(const EventKey& key) const {
  const std::lock_guard lock(reader_mutex_);
  std::vector<DefinitionId> found;
  Statement& s = reads_->next_definition;
  for (DefinitionId last;; last = found.back()) {
    const bool has_more = has_row(bind_key(s, key).bind(3, to_sql(last.number)));
    if (has_more) found.emplace_back(from_sql(s.integer(0)));
    s.reset();
    if (!has_more) return found;
  }
}

std::vector<EventRow> SqliteStore::events(EventNumber after, size_t limit, Bodies bodies) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = bodies == Bodies::kWith ? reads_->events : reads_->event_marks;
  s.bind(1, to_sql(after.number)).bind(2, static_cast<int64_t>(limit));
  std::vector<EventRow> found;
  while (has_row(s)) found.push_back(event_from(s));
  s.reset();
  return found;
}

std::optional<EventRow> SqliteStore::find_event(EventNumber number) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->event.bind(1, to_sql(number.number));
  std::optional<EventRow> found;
  if (has_row(s)) found = event_from(s);
  s.reset();
  return found;
}

EventNumber SqliteStore::last_event() const {
  const std::lock_guard lock(reader_mutex_);
  return EventNumber(single_number(reads_->last_event));
}

std::vector<PartialSetRow> SqliteStore::partial_sets(const EventKey& key) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = bind_key(reads_->partial_sets, key);
  std::vector<PartialSetRow> found;
  while (has_row(s)) found.push_back(partial_set_from(s));
  s.reset();
  return found;
}

std::optional<PartialSetRow> SqliteStore::find_partial_set(EventNumber id) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->partial_set.bind(1, to_sql(id.number));
  std::optional<PartialSetRow> found;
  if (has_row(s)) found = partial_set_from(s);
  s.reset();
  return found;
}

std::vector<SinkItem> SqliteStore::sink_queue(const std::string& sink, SinkItemId after, size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->sink_queue.bind_text(1, sink).bind(2, to_sql(after.number));
  s.bind(3, static_cast<int64_t>(limit));
  std::vector<SinkItem> found;
  while (has_row(s)) found.push_back(sink_item_from(s));
  s.reset();
  return found;
}

SinkItemId SqliteStore::last_sink_item() const {
  const std::lock_guard lock(reader_mutex_);
  return SinkItemId(single_number(reads_->last_sink_item));
}

}  // namespace pawl::store
