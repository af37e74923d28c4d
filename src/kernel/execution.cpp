#include "kernel/execution.h"

#include <algorithm>

namespace pawl::kernel {

namespace {

constexpr size_t kStaleReadyMax = 64;  // stale entries at the front are dropped in slices of this

Value merge_members(const Value& base, const Value& changes) {
  if (!base.is_object()) return changes;
  json::ObjectBuilder merged(base.size() + changes.size());
  for (const json::Member& member : base.members()) merged.set(member.key, member.value);
  for (const json::Member& member : changes.members()) merged.set(member.key, member.value);
  return merged.build();
}

uint32_t count_of(const Value* number) {
  if (number == nullptr || !number->is_number()) return 0;
  return static_cast<uint32_t>(std::clamp<int64_t>(number->as_integer().value_or(0), 0, UINT32_MAX));
}

}  // namespace

// --- reading
// -------------------------------------------------------------------------------------------------------------

Scope& Execution::mutable_scope(ScopeId id) { return const_cast<Scope&>(scope(id)); }

const Operation* Execution::find_operation(OperationId id) const {
  const auto found = operations_.find(id);
  return found == operations_.end() ? nullptr : &found->second;
}

Operation& Execution::mutable_operation(OperationId id) {
  const auto found = operations_.find(id);
  PAWL_ASSERT(found != operations_.end(), id);
  return found->second;
}

ScopeId Execution::first_ready() const {
  for (; ready_head_ < ready_.size(); ++ready_head_) {
    const Ready& entry = ready_[ready_head_];
    const Scope* scope = find_scope(entry.scope);
    if (scope != nullptr && scope->step != Step::kWait && scope->ticket == entry.ticket) break;
  }
  if (ready_head_ == ready_.size()) {
    ready_.clear();
    ready_head_ = 0;
    return {};
  }
  if (ready_head_ >= kStaleReadyMax && ready_head_ * 2 >= ready_.size()) {
    ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_head_));
    ready_head_ = 0;
  }
  return ready_[ready_head_].scope;
}

Timestamp Execution::next_due() const {
  if (!is_open()) return kNever;
  return due_.empty() ? deadline_ : std::min(deadline_, due_.begin()->first);
}

std::vector<OperationId> Execution::due_operations(Timestamp now) const {
  std::vector<OperationId> found;
  for (const auto& [due, operation] : due_) {
    if (due > now) break;
    found.push_back(operation);
  }
  return found;
}

std::vector<OperationId> Execution::operations_below(ScopeId id) const {
  std::vector<OperationId> found;
  const Scope* top = find_scope(id);
  if (top == nullptr || top->join == nullptr) return found;
  for (const ScopeId child : top->join->children) {
    const Scope* open = find_scope(child);
    if (open == nullptr) continue;
    if (open->operation) found.push_back(open->operation);
    const auto deeper = operations_below(child);
    found.insert(found.end(), deeper.begin(), deeper.end());
  }
  return found;
}

uint64_t Execution::taken_up_to(const EventKey& key) const {
  const Value* number = taken_.find(to_hex(key));
  return number == nullptr ? 0 : static_cast<uint64_t>(number->as_integer().value_or(0));
}

Join::Join() = default;
Join::~Join() = default;

// --- evolving
// ------------------------------------------------------------------------------------------------------------

void Execution::evolve(const Fact& fact) {
  last_fact_ = last_fact_.next();
  last_time_ = fact.time;
  if (fact.event) last_event_ = fact.event;
  switch (fact.kind) {
    case FactKind::kExecutionStarted:
      return start_execution(fact);
    case FactKind::kExecutionSucceeded:
      return close_execution(fact, Status::kSucceeded);
    case FactKind::kExecutionFailed:
      return close_execution(fact, Status::kFailed);
    case FactKind::kExecutionTimedOut:
      return close_execution(fact, Status::kTimedOut);
    case FactKind::kExecutionAborted:
      return close_execution(fact, Status::kAborted);
    case FactKind::kStateEntered:
      return enter_state(fact);
    case FactKind::kStateExited:
      return exit_state(fact);
    case FactKind::kStateAborted:
      return;
    case FactKind::kOperationScheduled:
      return schedule_operation(fact);
    case FactKind::kOperationStarted:
    case FactKind::kOperationSubmitted:
      return start_operation(fact);
    case FactKind::kOperationEnded:
      return end_operation(fact);
    case FactKind::kRetryScheduled:
      return schedule_retry(fact);
    case FactKind::kJoinStarted:
      return start_join(fact);
    case FactKind::kJoinEnded:
      return end_join(fact);
    case FactKind::kScopeOpened:
      return open_scope(fact);
    case FactKind::kScopeClosed:
      return close_scope(fact);
    case FactKind::kExecutionRedriven:
      return redrive(fact);
    case FactKind::kWaiterAdded:
      waiters_.push_back(fact.value);
      return;
    case FactKind::kEntryChanged:
      mutable_ledger().change(fact);
      return settle_ledger();
    case FactKind::kCheckpointTaken:
      return mutable_ledger().take_checkpoint(fact, last_fact_);
    case FactKind::kEventPublished:
      return advance_chain(fact);
  }
  PAWL_ASSERT(false, static_cast<int>(fact.kind));
}

void Execution::make_ready(Scope& scope, Step step) {
  scope.step = step;
  scope.ticket = ++last_ticket_;
  ready_.push_back({scope.ticket, scope.id});
}

void Execution::advance_chain(const Fact& fact) {
  if (fact.event && fact.on_chain) mutable_scope(fact.scope).last_event = fact.event;
}

void Execution::start_execution(const Fact& fact) {
  PAWL_ASSERT(status_ == Status::kNotStarted);
  status_ = Status::kRunning;
  input_ = fact.value;
  if (const Value* context = fact.extra.find("context")) context_ = *context;
  if (const Value* text = fact.extra.find("inputText")) input_text_ = *text;
  if (const Value* labels = fact.extra.find("labels")) labels_ = *labels;
  if (const Value* waiter = fact.extra.find("waiter")) waiters_.push_back(*waiter);
  if (const Value* events = fact.extra.find("events")) start_events_ = *events;
  if (const Value* known = fact.extra.find("correlation"); known != nullptr && known->is_object())
    correlation_ = *known;
  if (const Value* taken = fact.extra.find("taken"); taken != nullptr && taken->is_object()) taken_ = *taken;
  started_ = fact.time;
  deadline_ = fact.due;
  auto root = std::make_unique<Scope>();
  root->id = ScopeId(1);
  root->next = fact.next;
  root->input = fact.value;
  scopes_.push_back(std::move(root));
  make_ready(*scopes_.back(), Step::kEnter);
}

// Everything beneath a terminal fact ends with it, whatever the count. Where that is no success the scopes stay as they
// are, frozen, for a redrive; one that waits for events keeps what its language has noted of those that came.
void Execution::close_execution(const Fact& fact, Status status) {
  status_ = status;
  outcome_ = fact.value;
  const Value* terminate = status == Status::kSucceeded ? fact.extra.find("terminate") : nullptr;
  is_terminated_ = terminate != nullptr && terminate->is_boolean() && terminate->as_boolean();
  for (const auto& [id, operation] : operations_)
    if (operation.kind == OperationKind::kEvent && mutable_scope(operation.scope).operation == id)
      mutable_scope(operation.scope).ended.input = operation.input;
  operations_.clear();
  due_.clear();
  ready_.clear();
  ready_head_ = 0;
  if (status == Status::kSucceeded)
    for (auto& scope : scopes_) scope.reset();
}

void Execution::enter_state(const Fact& fact) {
  Scope& scope = mutable_scope(fact.scope);
  scope.state = fact.state;
  scope.next = {};
  scope.step = Step::kWait;
  scope.input = fact.value;
  scope.entered = fact.time;
  scope.entered_event = fact.event;
  scope.attempt = 0;
  scope.retries.clear();
  advance_chain(fact);
}

void Execution::exit_state(const Fact& fact) {
  Scope& scope = mutable_scope(fact.scope);
  scope.state = {};
  scope.next = fact.next;
  scope.input = fact.value;
  drop_children(scope);
  if (scope.ended.what != Ended::What::kNothing) scope.ended = {};
  if (!scope.parent) start_events_ = {};
  if (!fact.extra.is_null()) scope.variables = merge_members(scope.variables, fact.extra);
  advance_chain(fact);
  if (fact.next)
    make_ready(scope, Step::kEnter);
  else
    scope.step = Step::kWait;
}

Operation& Execution::add_operation(const Fact& fact, OperationKind kind) {
  Operation& operation = operations_[fact.operation];
  operation.id = fact.operation;
  operation.scope = fact.scope;
  operation.state = fact.state;
  operation.kind = kind;
  operation.attempt = scope(fact.scope).attempt;
  operation.begins_silently = !fact.event;
  operation.input = fact.value;
  last_operation_ = fact.operation;
  return operation;
}

void Execution::set_due(Operation& operation, Timestamp due) {
  if (operation.due != kNever) due_.erase({operation.due, operation.id});
  operation.due = due;
  if (due != kNever) due_.insert({due, operation.id});
}

// --- the ledger

Ledger& Execution::mutable_ledger() {
  if (ledger_ == nullptr) ledger_ = std::make_unique<Ledger>();
  return *ledger_;
}

// Nobody waits for the operations of entries that are gone.
void Execution::settle_ledger() {
  for (const OperationId id : ledger_->take_abandoned()) drop_operation(id);
}

// An entry waits beside the scope, which waits for the code that is running, or for nothing.
void Execution::schedule_for_entry(const Fact& fact, const Value& entry) {
  Operation& operation = add_operation(fact, fact.operation_kind);
  operation.timeout_s = fact.number;
  operation.heartbeat_s = fact.limit;
  set_due(operation, fact.due);
  mutable_ledger().wait_for(entry, fact.operation);
}

// The code is told: at once where it does not run, in the answer to its next checkpoint where it does.
void Execution::end_for_entry(const Entry& entry, const Fact& fact) {
  mutable_ledger().end(entry, fact);
  settle_ledger();
  drop_operation(fact.operation);
  advance_chain(fact);
  Scope& scope = mutable_scope(fact.scope);
  if (!scope.operation && scope.step == Step::kWait) make_ready(scope, Step::kRun);
}

void Execution::schedule_operation(const Fact& fact) {
  if (const Value* entry = fact.extra.find("entry")) return schedule_for_entry(fact, *entry);
  if (ledger_ != nullptr) ledger_->begin_invocation();
  Operation& operation = add_operation(fact, fact.operation_kind);
  operation.timeout_s = fact.number;
  operation.heartbeat_s = fact.limit;
  set_due(operation, fact.due);
  Scope& scope = mutable_scope(fact.scope);
  scope.operation = fact.operation;
  scope.ended = {};
  advance_chain(fact);
  const bool engine_starts_it = fact.operation_kind == OperationKind::kTask ||
                                fact.operation_kind == OperationKind::kCallback ||
                                fact.operation_kind == OperationKind::kChild;
  if (engine_starts_it)
    make_ready(scope, Step::kStart);
  else
    scope.step = Step::kWait;
}

void Execution::start_operation(const Fact& fact) {
  Operation& operation = mutable_operation(fact.operation);
  if (fact.kind == FactKind::kOperationStarted) {
    operation.phase = Operation::Phase::kStarted;
    operation.started = fact.time;
    set_due(operation, fact.due);
  } else {
    operation.phase = Operation::Phase::kSubmitted;
  }
  const bool is_of_scope = mutable_scope(fact.scope).operation == fact.operation;
  if (is_of_scope) mutable_scope(fact.scope).step = Step::kWait;
  advance_chain(fact);
}

void Execution::drop_operation(OperationId id) {
  const auto found = operations_.find(id);
  if (found == operations_.end()) return;
  set_due(found->second, kNever);
  operations_.erase(found);
}

namespace {

// Attributes that the filter left open and the event has, added to what is known.
Value learn(const Value& correlation, const EventFilter& filter, const Value& event) {
  Value known = correlation;
  for (const EventAttribute& attribute : filter.attributes) {
    if (attribute.value || known.find(attribute.name) != nullptr) continue;
    if (const auto text = attribute_of(event, attribute.name))
      known = known.with_member(attribute.name, Value::string(*text));
  }
  return known;
}

// The filter that a later wait for the same event will have.
EventFilter fix(EventFilter filter, const Value& correlation) {
  for (EventAttribute& attribute : filter.attributes) {
    const Value* known = correlation.find(attribute.name);
    if (!attribute.value && known != nullptr && known->is_string()) attribute.value = known->as_string();
  }
  return filter;
}

}  // namespace

void Execution::mark_taken(const EventKey& key, const Value& number) {
  const auto count = number.as_integer();
  if (count && static_cast<uint64_t>(*count) > taken_up_to(key)) taken_ = taken_.with_member(to_hex(key), number);
}

void Execution::take_event(const Value& operation_input, const Value& taken) {
  const Value* filters = operation_input.find("filters");
  const Value* which = taken.find("filter");
  const Value* event = taken.find("event");
  if (filters == nullptr || !filters->is_array() || which == nullptr || event == nullptr) return;
  const auto index = which->is_number() ? which->as_integer() : std::nullopt;
  if (!index || *index < 0 || static_cast<size_t>(*index) >= filters->size()) return;
  const auto filter = EventFilter::from_value(filters->at(static_cast<size_t>(*index)));
  if (!filter) return;
  correlation_ = learn(correlation_, *filter, *event);
  const Value* number = taken.find("number");
  if (number == nullptr || !number->is_number()) return;
  mark_taken(key_of(*filter), *number);
  mark_taken(key_of(fix(*filter, correlation_)), *number);
}

void Execution::end_operation(const Fact& fact) {
  const Entry* entry = ledger_ == nullptr ? nullptr : ledger_->find_waiting(fact.operation);
  if (entry != nullptr) return end_for_entry(*entry, fact);
  Scope& scope = mutable_scope(fact.scope);
  const Operation& operation = mutable_operation(fact.operation);
  scope.ended = {Ended::What::kOperation, fact.outcome, operation.kind, fact.value};
  if (operation.is_remembered()) {
    scope.ended.input = operation.input;
    scope.ended.due = operation.due;
  }
  const bool took_event = operation.kind == OperationKind::kEvent && fact.outcome == Outcome::kSucceeded;
  if (took_event) take_event(operation.input, fact.value);
  scope.operation = {};
  drop_operation(fact.operation);
  advance_chain(fact);
  make_ready(scope, Step::kResume);
}

void Execution::schedule_retry(const Fact& fact) {
  Scope& scope = mutable_scope(fact.scope);
  ++scope.attempt;
  if (scope.retries.size() <= fact.number) scope.retries.resize(fact.number + 1);
  ++scope.retries[fact.number];
  drop_children(scope);
  scope.ended = {};
  scope.operation = fact.operation;
  scope.step = Step::kWait;
  set_due(add_operation(fact, OperationKind::kRetryDelay), fact.due);
}

void Execution::start_join(const Fact& fact) {
  Scope& scope = mutable_scope(fact.scope);
  auto join = std::make_unique<Join>();
  join->state = fact.state;
  join->total = fact.number;
  join->at_once = fact.limit;
  join->items = fact.value;
  join->start_event = fact.event;
  join->tolerated = fact.extra.is_number() ? count_of(&fact.extra) : count_of(fact.extra.find("tolerated"));
  join->needed = count_of(fact.extra.find("needed"));
  scope.join = std::move(join);
  scope.ended = {};
  advance_chain(fact);
  if (fact.number != 0) return make_ready(scope, Step::kOpen);
  scope.ended.what = Ended::What::kJoin;
  make_ready(scope, Step::kResume);
}

void Execution::open_scope(const Fact& fact) {
  Scope& parent = mutable_scope(fact.parent);
  Join& join = *parent.join;
  auto child = std::make_unique<Scope>();
  child->id = fact.scope;
  child->parent = fact.parent;
  child->index = fact.number;
  child->next = fact.next;
  child->input = fact.value;
  child->last_event = fact.event ? fact.event : fact.previous_event;
  PAWL_ASSERT(fact.scope.number == scopes_.size() + 1, fact.scope, scopes_.size());
  scopes_.push_back(std::move(child));
  ++join.opened;
  ++join.running;
  if (join.children.size() <= fact.number) {
    join.children.resize(fact.number + 1);
    join.results.resize(fact.number + 1);
  }
  join.children[fact.number] = fact.scope;
  if (!join.may_open()) parent.step = Step::kWait;
  make_ready(*scopes_.back(), Step::kEnter);
}

void Execution::drop_children(Scope& scope) {
  if (scope.join == nullptr) return;
  for (const ScopeId id : scope.join->children) {
    if (!id || scopes_[id.number - 1] == nullptr) continue;
    Scope& child = *scopes_[id.number - 1];
    drop_children(child);
    if (child.operation) drop_operation(child.operation);
    scopes_[id.number - 1].reset();
  }
  scope.join.reset();
}

void Execution::close_scope(const Fact& fact) {
  Scope& closing = mutable_scope(fact.scope);
  Scope& parent = mutable_scope(closing.parent);
  Join& join = *parent.join;
  const bool succeeded = fact.outcome == Outcome::kSucceeded;
  join.children[closing.index] = {};
  join.results[closing.index] = fact.value;
  --join.running;
  if (fact.outcome != Outcome::kAborted) ++(succeeded ? join.succeeded : join.failed);
  if (fact.outcome != Outcome::kAborted)
    parent.last_event = fact.event && fact.on_chain ? fact.event : closing.last_event;
  if (succeeded) join.start_event = closing.last_event;
  auto closed = stop_scope(fact.scope);
  if (!succeeded) join.stopped.push_back(std::move(closed));

  const bool failed_for_good = !succeeded && join.failed > join.tolerated;
  if (failed_for_good || join.is_complete()) {
    const bool first_to_end_it = parent.ended.what == Ended::What::kNothing;
    if (first_to_end_it) parent.ended = {Ended::What::kJoin, fact.outcome, {}, succeeded ? Value() : fact.value};
    if (first_to_end_it) make_ready(parent, Step::kResume);
  } else {
    if (fact.outcome != Outcome::kAborted) resume_waiting(join);
    if (join.may_open() && parent.step == Step::kWait) make_ready(parent, Step::kOpen);
  }
}

// A join that failed keeps what its children came to, until its state is left: a redrive goes on with it.
void Execution::end_join(const Fact& fact) {
  Scope& scope = mutable_scope(fact.scope);
  if (fact.outcome == Outcome::kSucceeded)
    drop_children(scope);
  else
    stop_children(scope);
  advance_chain(fact);
}

}  // namespace pawl::kernel
