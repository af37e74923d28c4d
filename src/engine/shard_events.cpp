// A shard's part in events: it hosts the desk, or tells it, and brings executions what came for them.
#include "engine/event_messages.h"
#include "engine/shard.h"
#include "json/print.h"

namespace pawl::engine {

using kernel::Operation;
using kernel::OperationKind;
using kernel::Signal;
using kernel::SignalKind;

namespace {

constexpr size_t kExpiredAtOnce = 1'000;

Signal arrival(const EventMessage& arrived) {
  json::ObjectBuilder value(3);
  value.set("filter", Value::integer(arrived.filter));
  value.set("event", arrived.event);
  value.set("number", Value::integer(static_cast<int64_t>(arrived.number.number)));
  Signal signal;
  signal.kind = SignalKind::kOperationEnded;
  signal.operation = arrived.operation;
  signal.value = value.build();
  return signal;
}

}  // namespace

// --- the desk

void Shard::open_desk() {
  desk_ = std::make_unique<EventDesk>(shared_);
  desk_->open();
}

void Shard::go_on_with_events() {
  DeskOutput out = desk_output();
  desk_->go_on(out);
}

void Shard::publish(const Value& event, Answer<Published> answer) {
  DeskOutput out = desk_output();
  answer_when_durable(std::move(answer), desk_->receive(event, out));
}

void Shard::look_for_events(const std::vector<store::SubscriptionRow>& waits,
                            const std::vector<kernel::EventShape>& shapes) {
  DeskOutput out = desk_output();
  desk_->look(waits, shapes, out);
}

// Where a step of it is void, the whole is done again by the next tick.
void Shard::expire_events() {
  if (desk_ == nullptr) return;
  DeskOutput out = desk_output();
  if (desk_->expire(kExpiredAtOnce, out)) post([](Shard& shard) { shard.expire_events(); }, true);
}

// Among what the batch touches, so that it is looked at again if the commit is void.
void Shard::give_up_partial_set(const store::Wake& wake) {
  gathering_.touched.insert(wake.execution);
  DeskOutput out = desk_output();
  desk_->give_up(wake, out);
}

// --- commits

// A shape goes with every wait that has it, until it is known to be stored.
void Shard::submit_events() {
  if (desk_ != nullptr) desk_->submit();
  for (const store::Wake& wake : in_flight_.batch.retention)
    if (is_partial_set(wake.execution) && wake.due <= timers_until_) timers_.insert(wake);
  in_flight_.subscribed = in_flight_.batch.subscribed;
  std::erase_if(in_flight_.shapes, [&](const kernel::EventShape& shape) { return shared_.shapes.has(shape); });
  for (const kernel::EventShape& shape : in_flight_.shapes) in_flight_.batch.documents.push_back(to_document(shape));
}

void Shard::settle_events(const Gathering& done) {
  if (desk_ != nullptr) desk_->settle();
  for (const kernel::EventShape& shape : done.shapes) shared_.shapes.add(shape);
  if (!done.subscribed.empty()) {
    shared_.inboxes.front()->post(
        [waits = done.subscribed, shapes = done.shapes](Shard& shard) { shard.look_for_events(waits, shapes); }, true);
  }
  shared_.metrics.sink_queue.add(done.queued);
  if (done.queued > 0 && shared_.options.on_sink_queued) shared_.options.on_sink_queued();
}

// What is stored is looked at again after a pause.
void Shard::roll_back_events() {
  if (desk_ == nullptr) return;
  desk_->roll_back();
  desk_rests_ = true;
  timers_.insert({now() + kPauseAfterRollback, ExecutionId()});
}

// --- what executions produce

// To the desk as a message: events are numbered where they are matched.
void Shard::publish_produced(ExecutionId id, const kernel::Fact& fact) {
  EventMessage message;
  message.kind = EventMessage::Kind::kPublished;
  message.event = fact.value;
  DeskOutput out = desk_output();
  engine::send(shared_, ExecutionId(), encode(message), out);
  for (const std::string& sink : shared_.options.event_sinks) {
    gathering_.batch.queued.push_back({store::SinkItemId(++shared_.last_sink_item), sink, id, json::print(fact.value)});
    ++gathering_.queued;
  }
  shared_.metrics.events_produced.add();
}

void Shard::remove_sink_items(const std::vector<store::SinkItemId>& delivered, Answer<void> answer) {
  gathering_.batch.delivered.insert(gathering_.batch.delivered.end(), delivered.begin(), delivered.end());
  gathering_.queued -= static_cast<int64_t>(delivered.size());
  answer_when_durable(std::move(answer));
}

// --- messages

void Shard::receive_event(const store::Message& message) {
  auto read = decode_event_message(message.body);
  if (!read) return;  // it stays in the store, where somebody may look at it
  switch (read->kind) {
    case EventMessage::Kind::kPublished: {
      heed(message.id);
      DeskOutput out = desk_output();
      if (is_identified(read->event)) desk_->receive(read->event, out);
      return;
    }
    case EventMessage::Kind::kArrived:
      return take_event(message, *std::move(read));
    case EventMessage::Kind::kStart:
      return take_start(message, *std::move(read));
  }
}

// A wait that is over since the desk looked is no wait: the event is kept for the next one.
void Shard::take_event(const store::Message& message, EventMessage arrived) {
  const ExecutionId id = message.destination;
  const auto loaded = load(id);
  if (!loaded && loaded.error().code != "EXECUTION_NOT_FOUND") return;
  heed(message.id);
  if (!loaded) return;
  const Operation* operation = (*loaded)->execution().find_operation(arrived.operation);
  const bool waits = operation != nullptr && operation->kind == OperationKind::kEvent;
  if (waits) take_turn(**loaded, arrival(arrived));
  release_if_idle(id);
}

// The message names the execution: one that is there already was started by it.
void Shard::take_start(const store::Message& message, EventMessage start) {
  const ExecutionId id = message.destination;
  heed(message.id);
  if (loaded_.contains(id) || shared_.borders.store.find_execution(id)) return;
  StartRequest request;
  request.definition = start.definition;
  request.input = Value::empty_object();
  request.events = std::move(start.events);
  request.correlation = std::move(start.correlation);
  request.last_event = start.number;
  request.make_context = [&programs = shared_.borders.programs, definition = start.definition](ExecutionId execution,
                                                                                               Timestamp started) {
    return programs.make_context(definition, execution, "", Value::empty_object(), started);
  };
  this->start(id, std::move(request), [](Result<Started>) {});
}

}  // namespace pawl::engine
