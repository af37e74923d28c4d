// A snapshot is [head, [scope…], [operation…], ledger or null], each part an array in the order in which it is written
// here. Scopes that are closed are not in it: the head holds how many there ever were.
#include "kernel/snapshot.h"

#include <algorithm>
#include <limits>

namespace pawl::kernel {

namespace {

constexpr uint64_t kScopesMax = 1 << 26;  // of one execution, open and closed: what a damaged snapshot may ask for

class Writer {
 public:
  void number(uint64_t value) { items_.push(Value::integer(static_cast<int64_t>(value))); }
  template <typename Tag, typename Number>
  void id(Id<Tag, Number> value) {
    number(value.number);
  }
  template <typename Enum>
  void name(Enum value) {
    number(static_cast<uint64_t>(value));
  }
  void time(Timestamp value) { items_.push(Value::integer(value.time_since_epoch().count())); }
  void value(const Value& value) { items_.push(value); }
  Value build() { return items_.build(); }

 private:
  json::ArrayBuilder items_;
};

// Reads what a Writer wrote. After the first thing that is not as expected, everything is empty and ok() is false.
class Reader {
 public:
  explicit Reader(const Value& source) : source_(source), ok_(source.is_array()) {}

  bool ok() const { return ok_; }
  bool is_read() const { return ok_ && at_ == source_.size(); }

  int64_t integer() {
    const Value found = value();
    if (!found.is_int64()) return fail();
    return *found.as_integer();
  }
  template <typename Number>
  Number number() {
    const int64_t found = integer();
    const bool fits = found >= 0 && static_cast<uint64_t>(found) <= std::numeric_limits<Number>::max();
    return static_cast<Number>(fits ? found : fail());
  }
  template <typename Some>
  Some id() {
    return Some(number<decltype(Some::number)>());
  }
  template <typename Enum>
  Enum name(Enum last) {
    const auto found = number<uint8_t>();
    return static_cast<Enum>(found <= static_cast<uint8_t>(last) ? found : fail());
  }
  Timestamp time() { return Timestamp(Duration(integer())); }
  Value value() {
    if (ok_ && at_ < source_.size()) return source_.at(at_++);
    fail();
    return {};
  }

 private:
  int64_t fail() {
    ok_ = false;
    return 0;
  }

  const Value& source_;
  size_t at_ = 0;
  bool ok_;
};

template <typename Items, typename ToValue>
Value array_of(const Items& items, ToValue to_value) {
  json::ArrayBuilder array;
  for (const auto& item : items) array.push(to_value(item));
  return array.build();
}

// --- joins

Value write(const Scope& scope);
std::unique_ptr<Scope> read_scope(const Value& value);

using Scopes = std::vector<std::unique_ptr<Scope>>;

Value write(const Scopes& scopes) {
  json::ArrayBuilder array;
  for (const auto& scope : scopes)
    if (scope != nullptr) array.push(write(*scope));
  return array.build();
}

bool read(const Value& value, Scopes& scopes) {
  if (!value.is_array()) return false;
  for (const Value& item : value.items()) {
    scopes.push_back(read_scope(item));
    if (scopes.back() == nullptr) return false;
  }
  return true;
}

Value write(const Join& join) {
  Writer out;
  out.id(join.state);
  out.number(join.total);
  out.number(join.at_once);
  out.number(join.opened);
  out.number(join.running);
  out.number(join.succeeded);
  out.number(join.failed);
  out.number(join.tolerated);
  out.number(join.needed);
  out.id(join.start_event);
  out.value(join.items);
  out.value(array_of(join.results, [](const Value& result) { return result; }));
  out.value(array_of(join.children, [](ScopeId child) { return Value::integer(child.number); }));
  out.value(write(join.stopped));
  out.value(write(join.waiting));
  return out.build();
}

std::unique_ptr<Join> read_join(const Value& value) {
  Reader in(value);
  auto join = std::make_unique<Join>();
  join->state = in.id<StateOrdinal>();
  join->total = in.number<uint32_t>();
  join->at_once = in.number<uint32_t>();
  join->opened = in.number<uint32_t>();
  join->running = in.number<uint32_t>();
  join->succeeded = in.number<uint32_t>();
  join->failed = in.number<uint32_t>();
  join->tolerated = in.number<uint32_t>();
  join->needed = in.number<uint32_t>();
  join->start_event = in.id<EventId>();
  join->items = in.value();
  const Value results = in.value();
  const Value children = in.value();
  const bool has_scopes = read(in.value(), join->stopped) && read(in.value(), join->waiting);
  if (!has_scopes || !in.is_read() || !results.is_array()) return nullptr;
  join->results.assign(results.items().begin(), results.items().end());
  Reader ids(children);
  for (size_t i = 0; ids.ok() && i < children.size(); ++i) join->children.push_back(ids.id<ScopeId>());
  return ids.is_read() ? std::move(join) : nullptr;
}

// --- scopes

Value write(const Ended& ended) {
  Writer out;
  out.name(ended.what);
  out.name(ended.outcome);
  out.name(ended.operation_kind);
  out.value(ended.value);
  out.value(ended.input);
  out.time(ended.due);
  return out.build();
}

bool read(const Value& value, Ended& ended) {
  Reader in(value);
  ended.what = in.name(Ended::What::kJoin);
  ended.outcome = in.name(Outcome::kAborted);
  ended.operation_kind = in.name(OperationKind::kPromise);
  ended.value = in.value();
  ended.input = in.value();
  ended.due = in.time();
  return in.is_read();
}

Value write(const Scope& scope) {
  Writer out;
  out.id(scope.id);
  out.id(scope.parent);
  out.number(scope.index);
  out.name(scope.step);
  out.number(scope.ticket);
  out.id(scope.next);
  out.id(scope.state);
  out.value(scope.input);
  out.value(scope.variables);
  out.time(scope.entered);
  out.id(scope.entered_event);
  out.id(scope.last_event);
  out.number(scope.attempt);
  out.value(array_of(scope.retries, [](uint32_t count) { return Value::integer(count); }));
  out.id(scope.operation);
  out.value(write(scope.ended));
  out.value(scope.join == nullptr ? Value() : write(*scope.join));
  return out.build();
}

std::unique_ptr<Scope> read_scope(const Value& value) {
  Reader in(value);
  auto scope = std::make_unique<Scope>();
  scope->id = in.id<ScopeId>();
  scope->parent = in.id<ScopeId>();
  scope->index = in.number<uint32_t>();
  scope->step = in.name(Step::kResume);
  scope->ticket = in.number<uint64_t>();
  scope->next = in.id<StateOrdinal>();
  scope->state = in.id<StateOrdinal>();
  scope->input = in.value();
  scope->variables = in.value();
  scope->entered = in.time();
  scope->entered_event = in.id<EventId>();
  scope->last_event = in.id<EventId>();
  scope->attempt = in.number<uint32_t>();
  const Value retries = in.value();
  Reader counts(retries);
  for (size_t i = 0; counts.ok() && i < retries.size(); ++i) scope->retries.push_back(counts.number<uint32_t>());
  scope->operation = in.id<OperationId>();
  if (!read(in.value(), scope->ended) || !counts.is_read()) return nullptr;
  const Value join = in.value();
  if (!join.is_null()) scope->join = read_join(join);
  const bool has_its_join = join.is_null() || scope->join != nullptr;
  return in.is_read() && has_its_join ? std::move(scope) : nullptr;
}

// --- operations

Value write(const Operation& operation) {
  Writer out;
  out.id(operation.id);
  out.id(operation.scope);
  out.id(operation.state);
  out.name(operation.kind);
  out.name(operation.phase);
  out.number(operation.attempt);
  out.number(operation.timeout_s);
  out.number(operation.heartbeat_s);
  out.time(operation.started);
  out.time(operation.due);
  out.number(operation.begins_silently ? 1 : 0);
  out.value(operation.input);
  return out.build();
}

bool read(const Value& value, Operation& operation) {
  Reader in(value);
  operation.id = in.id<OperationId>();
  operation.scope = in.id<ScopeId>();
  operation.state = in.id<StateOrdinal>();
  operation.kind = in.name(OperationKind::kPromise);
  operation.phase = in.name(Operation::Phase::kSubmitted);
  operation.attempt = in.number<uint32_t>();
  operation.timeout_s = in.number<uint32_t>();
  operation.heartbeat_s = in.number<uint32_t>();
  operation.started = in.time();
  operation.due = in.time();
  operation.begins_silently = in.number<uint8_t>() != 0;
  operation.input = in.value();
  return in.is_read();
}

}  // namespace

// --- redrives

namespace {

Value write(const Redrive& redrive) {
  Writer out;
  out.time(redrive.time);
  out.id(redrive.event);
  out.value(redrive.token);
  return out.build();
}

bool read(const Value& value, std::vector<Redrive>& redrives) {
  if (!value.is_array() || value.size() > kRedrivesRemembered) return false;
  for (const Value& item : value.items()) {
    Reader in(item);
    Redrive redrive;
    redrive.time = in.time();
    redrive.event = in.id<EventId>();
    redrive.token = in.value();
    if (!in.is_read()) return false;
    redrives.push_back(std::move(redrive));
  }
  return true;
}

}  // namespace

// --- the whole

Value Snapshot::head_of(const Execution& execution) {
  Writer out;
  out.name(execution.status_);
  out.value(execution.input_);
  out.value(execution.input_text_);
  out.value(execution.context_);
  out.value(execution.labels_);
  out.value(execution.outcome_);
  out.value(Value::boolean(execution.is_terminated_));
  out.value(execution.start_events_);
  out.value(execution.correlation_);
  out.value(execution.taken_);
  out.value(array_of(execution.waiters_, [](const Value& waiter) { return waiter; }));
  out.time(execution.started_);
  out.time(execution.deadline_);
  out.time(execution.last_time_);
  out.id(execution.last_fact_);
  out.id(execution.last_event_);
  out.id(execution.last_operation_);
  out.number(execution.last_ticket_);
  out.number(execution.redrives_);
  out.value(array_of(execution.latest_redrives_, [](const Redrive& redrive) { return write(redrive); }));
  out.number(execution.scopes_.size());
  return out.build();
}

bool Snapshot::restore_head(const Value& value, Execution& execution) {
  Reader in(value);
  execution.status_ = in.name(Status::kAborted);
  execution.input_ = in.value();
  execution.input_text_ = in.value();
  execution.context_ = in.value();
  execution.labels_ = in.value();
  execution.outcome_ = in.value();
  const Value terminated = in.value();
  execution.start_events_ = in.value();
  execution.correlation_ = in.value();
  execution.taken_ = in.value();
  const Value waiters = in.value();
  execution.started_ = in.time();
  execution.deadline_ = in.time();
  execution.last_time_ = in.time();
  execution.last_fact_ = in.id<FactSeq>();
  execution.last_event_ = in.id<EventId>();
  execution.last_operation_ = in.id<OperationId>();
  execution.last_ticket_ = in.number<uint64_t>();
  execution.redrives_ = in.number<uint32_t>();
  const bool has_redrives = read(in.value(), execution.latest_redrives_);
  const auto scopes = in.number<uint32_t>();
  const bool has_objects = execution.correlation_.is_object() && execution.taken_.is_object();
  if (!has_redrives || !has_objects || !terminated.is_boolean()) return false;
  if (!waiters.is_array() || !in.is_read() || scopes > kScopesMax) return false;
  execution.is_terminated_ = terminated.as_boolean();
  for (const Value& waiter : waiters.items()) execution.waiters_.push_back(waiter);
  execution.scopes_.resize(scopes);
  return true;
}

bool Snapshot::restore_scopes(const Value& value, Execution& execution) {
  if (!value.is_array()) return false;
  for (const Value& item : value.items()) {
    auto scope = read_scope(item);
    if (scope == nullptr || !scope->id || scope->id.number > execution.scopes_.size()) return false;
    execution.scopes_[scope->id.number - 1] = std::move(scope);
  }
  return true;
}

bool Snapshot::restore_operations(const Value& value, Execution& execution) {
  if (!value.is_array()) return false;
  for (const Value& item : value.items()) {
    Operation operation;
    if (!read(item, operation)) return false;
    if (operation.due != kNever) execution.due_.insert({operation.due, operation.id});
    execution.operations_.emplace(operation.id, std::move(operation));
  }
  return true;
}

// The scopes of one that is closed are frozen.
void Snapshot::restore_queue(Execution& execution) {
  if (!execution.is_open()) return;
  for (const auto& scope : execution.scopes_)
    if (scope != nullptr && scope->step != Step::kWait) execution.ready_.push_back({scope->ticket, scope->id});
  std::ranges::sort(execution.ready_, {}, &Execution::Ready::ticket);
}

Value Snapshot::of(const Execution& execution) {
  json::ArrayBuilder parts(4);
  parts.push(head_of(execution));
  parts.push(write(execution.scopes_));
  parts.push(array_of(execution.operations_, [](const auto& entry) { return write(entry.second); }));
  parts.push(execution.ledger_ == nullptr ? Value() : execution.ledger_->dump());
  return parts.build();
}

std::unique_ptr<Execution> Snapshot::restore(const Value& value) {
  if (!value.is_array() || value.size() != 4) return nullptr;
  auto execution = std::make_unique<Execution>();
  const bool restored = restore_head(value.at(0), *execution) && restore_scopes(value.at(1), *execution) &&
                        restore_operations(value.at(2), *execution);
  if (!restored) return nullptr;
  if (!value.at(3).is_null()) execution->ledger_ = Ledger::restore(value.at(3));
  if (!value.at(3).is_null() && execution->ledger_ == nullptr) return nullptr;
  restore_queue(*execution);
  return execution;
}

}  // namespace pawl::kernel
