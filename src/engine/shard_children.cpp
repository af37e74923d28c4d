// A shard's part in what parents and children tell each other.
//
// A child's end and an order to stop a child are messages: stored with the facts that they follow from, delivered once
// those are durable and again after a restart, removed with the facts that follow from them. What is told twice changes
// nothing the second time, so nothing counts deliveries.
#include <algorithm>

#include "engine/shard.h"

namespace pawl::engine {

namespace {

constexpr size_t kMessagesAtOnce = 100;
constexpr Duration kPauseBeforeRestart{1'000};  // of a start that was lost with its commit

using kernel::Operation;
using kernel::Signal;
using kernel::SignalKind;

bool has_waiter(const LoadedExecution& loaded, const ChildLink& link) {
  return std::ranges::any_of(loaded.execution().waiters(),
                             [&](const Value& waiter) { return read_link(waiter) == link; });
}

}  // namespace

std::optional<store::ExecutionRow> find_child(const Borders& borders, const ChildLink& link) {
  for (const ExecutionId id : borders.store.find_names(hash_link(link))) {
    const auto loaded = LoadedExecution::load(id, borders.store, borders.programs);
    if (loaded && has_waiter(**loaded, link)) return (*loaded)->row();
  }
  return std::nullopt;
}

// --- starting

std::optional<Started> Shard::find_own_start(const ChildLink& link) {
  for (const ExecutionId id : find_named(hash_link(link))) {
    if (!owns(id)) continue;
    const auto loaded = load(id);
    if (!loaded || !has_waiter(**loaded, link)) continue;
    const Started started{id, (*loaded)->row().started, false};
    release_if_idle(id);
    return started;
  }
  return std::nullopt;
}

void Shard::add_waiter(ExecutionId id, const ChildLink& link) {
  const auto loaded = load(id);
  if (!loaded) return;
  Signal signal;
  signal.kind = SignalKind::kWaiterAdded;
  signal.value = to_value(link);
  take_turn(**loaded, signal);
  add_name(hash_link(link), id);
}

// A lost start leaves its operation as it was: it is called again, as after a restart.
void Shard::note_child_start(const ChildLink& link, bool was_lost) {
  if (was_lost) {
    dispatched_.erase({link.parent, link.operation});
    timers_.insert({now() + kPauseBeforeRestart, link.parent});
  }
  const auto stop = stops_waiting_.find({link.parent, link.operation});
  if (stop == stops_waiting_.end()) return;
  const store::Message message = std::move(stop->second);
  stops_waiting_.erase(stop);
  receive(message);
}

// --- sending

void Shard::tell_waiters(const LoadedExecution& loaded) {
  for (const Value& waiter : loaded.execution().waiters()) {
    const ChildLink link = read_link(waiter);
    if (link.form.empty() || shared_.borders.children == nullptr) continue;
    const ChildEnd end = shared_.borders.children->end_of(description_of(loaded), link.form);
    send(link.parent, {ChildMessage::Kind::kEnded, link.operation, link.attempt, end});
  }
}

void Shard::send(ExecutionId destination, const ChildMessage& message) {
  DeskOutput out = desk_output();
  engine::send(shared_, destination, encode(message), out);
}

void Shard::deliver(const store::Message& message) {
  shared_.inbox_of(message.destination).post([message](Shard& shard) { shard.receive(message); }, true);
}

// One page at a time: others are served in between.
void Shard::deliver_stored(store::MessageId after, Whose whose) {
  const auto page = shared_.borders.store.messages(after, kMessagesAtOnce);
  for (const store::Message& message : page)
    if (whose == Whose::kAll || owns(message.destination)) deliver(message);
  if (page.size() < kMessagesAtOnce) return;
  post([last = page.back().id, whose](Shard& shard) { shard.deliver_stored(last, whose); }, true);
}

// --- receiving

void Shard::heed(store::MessageId message) {
  gathering_.batch.heeded.push_back(message);
  gathering_.has_heeded = true;
}

void Shard::receive(const store::Message& message) {
  if (is_event_message(message.body)) return receive_event(message);
  const auto read = decode_child_message(message.body);
  if (!read) return;  // it stays in the store, where somebody may look at it
  switch (read->kind) {
    case ChildMessage::Kind::kEnded:
      return take_end(message, *read);
    case ChildMessage::Kind::kStop:
      return take_stop(message, *read);
  }
}

// After a crash the end may come before the parent knows that the child has started.
void Shard::take_end(const store::Message& message, const ChildMessage& end) {
  const ExecutionId id = message.destination;
  const auto loaded = load(id);
  if (!loaded && loaded.error().code != "EXECUTION_NOT_FOUND") return;
  heed(message.id);
  if (!loaded) return;
  const Operation* operation = (*loaded)->execution().find_operation(end.operation);
  const bool waits = operation != nullptr && operation->attempt == end.attempt;
  if (waits && operation->phase == Operation::Phase::kStarted)
    take_turn(**loaded, to_signal(end.operation, TaskAnswer::submitted(end.end.accepted)));
  if (waits) take_turn(**loaded, to_signal(end.operation, end.end.answer));
  release_if_idle(id);
}

void Shard::take_stop(const store::Message& message, const ChildMessage& stop) {
  const ChildLink link{message.destination, stop.operation, stop.attempt, {}};
  if (shared_.child_starts.has(link)) {
    stops_waiting_[{link.parent, link.operation}] = message;
    return;
  }
  const auto child = find_child(shared_.borders, link);
  if (!child) return heed(message.id);
  shared_.inbox_of(child->id).post(
      [id = child->id, message = message.id](Shard& shard) { shard.stop_child(id, message); }, true);
}

void Shard::stop_child(ExecutionId id, store::MessageId message) {
  const auto loaded = load(id);
  if (!loaded && loaded.error().code != "EXECUTION_NOT_FOUND") return;
  heed(message);
  if (!loaded) return;
  Signal stop;
  stop.kind = SignalKind::kStop;
  stop.value = Value::empty_object();
  take_turn(**loaded, stop);
  release_if_idle(id);
}

}  // namespace pawl::engine
