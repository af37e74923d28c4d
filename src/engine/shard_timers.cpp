// A shard's timers: the near future in memory, the rest in the store; retention.
#include "engine/shard.h"

namespace pawl::engine {

namespace {

constexpr Duration kNearFuture{10'000};      // timers due within it are in memory
constexpr size_t kTimersAtOnce = 1'000;      // read or fired before messages get their turn again
constexpr size_t kTimersLoadedMax = 50'000;  // in memory

}  // namespace

Timestamp Shard::next_timer() const {
  return timers_.empty() ? timers_until_ : std::min(timers_until_, timers_.begin()->due);
}

Timestamp Shard::last_beat(ExecutionId id, OperationId operation) const {
  const auto found = heartbeats_.find({id, operation});
  return found == heartbeats_.end() ? opened_ : found->second;
}

// When it must be looked at next. A beat since the due time was set puts that off, and is no fact.
Timestamp Shard::next_look(const LoadedExecution& loaded) const {
  const Timestamp due = loaded.execution().next_due();
  if (due > now()) return due;
  Timestamp next = loaded.execution().deadline();
  for (const auto& [id, operation] : loaded.execution().open_operations()) {
    Timestamp look = operation.due;
    if (operation.heartbeat_s != 0)
      look = std::max(look, last_beat(loaded.row().id, id) + Duration(std::chrono::seconds(operation.heartbeat_s)));
    if (operation.timeout_s != 0)
      look = std::min(look, operation.started + Duration(std::chrono::seconds(operation.timeout_s)));
    next = std::min(next, look);
  }
  return next;
}

void Shard::load_near_timers() {
  const Timestamp until = now() + kNearFuture;
  for (;;) {
    const auto page = shared_.borders.store.due(until, timers_loaded_, kTimersAtOnce);
    for (const store::Wake& wake : page)
      if (owns(wake.execution)) timers_.insert(wake);
    if (page.size() < kTimersAtOnce) break;
    timers_loaded_ = page.back();
    if (timers_.size() < kTimersLoadedMax) continue;
    timers_until_ = timers_loaded_.due;
    return;
  }
  timers_loaded_ = {};
  timers_until_ = until;
}

bool Shard::fire_timers() {
  const Timestamp now = this->now();
  size_t fired = 0;
  for (; fired < kTimersAtOnce && !timers_.empty() && timers_.begin()->due <= now; ++fired) {
    const store::Wake wake = *timers_.begin();
    timers_.erase(timers_.begin());
    shared_.metrics.timer_lag.observe(static_cast<uint64_t>(std::chrono::microseconds(now - wake.due).count()));
    fire(wake);
  }
  const bool has_fired_all = timers_.empty() || timers_.begin()->due > now;
  if (timers_until_ <= now && has_fired_all) {
    load_near_timers();
    expire_events();
  }
  const bool has_more = !timers_.empty() && timers_.begin()->due <= now;
  return fired != 0 || has_more;
}

// A wake that is stale, because the execution went on meanwhile, yields no facts.
void Shard::fire(const store::Wake& wake) {
  if (!wake.execution) desk_rests_ = false;
  if (!wake.execution) return deliver_stored(store::MessageId(), Whose::kAll);
  if (is_partial_set(wake.execution)) return give_up_partial_set(wake);
  auto loaded = load(wake.execution);
  if (!loaded) return;
  if ((*loaded)->execution().is_open()) {
    dispatch_lost(**loaded);
    take_turn(**loaded, kernel::Signal{});
  } else {
    remove_if_outdated(**loaded, wake);
  }
  release_if_idle(wake.execution);
}

// Where nothing is removed, no definition's executions are. Of an open one nobody asks.
Duration Shard::retention_of(const LoadedExecution& loaded) const {
  const Duration general = shared_.options.retention;
  if (general == kKeepForever || loaded.execution().is_open()) return general;
  return shared_.borders.programs.retention_of(loaded.row().definition).value_or(general);
}

// The wake of a closed execution is the end of its retention. One that was redriven may have a wake of an earlier end.
void Shard::remove_if_outdated(const LoadedExecution& loaded, const store::Wake& wake) {
  const store::ExecutionRow& row = loaded.row();
  const bool is_stored_as_closed = row.closed != kNever && loaded.is_saved();
  if (!is_stored_as_closed) return;
  const bool is_outdated = wake.due >= retention_end(row.closed, retention_of(loaded));
  if (!is_outdated && row.redrives != 0) gathering_.batch.dropped.push_back(wake);
  if (!is_outdated) return;
  std::vector<uint64_t> names;
  if (!row.name.empty()) names.push_back(hash_name(shared_.borders.programs.family_of(row.definition), row.name));
  for (const Value& waiter : loaded.execution().waiters()) names.push_back(hash_link(read_link(waiter)));
  gathering_.batch.removed.push_back({row.id, std::move(names), wake.due});
}

}  // namespace pawl::engine
