// The state of one execution: the fold of its facts, in every language.
//
// evolve() is the only thing that changes it, and it evaluates nothing: a rebuilt execution needs no definition.
// Deciders read it through const access. One thread owns an execution.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/ids.h"
#include "base/time.h"
#include "kernel/event_filter.h"
#include "kernel/fact.h"
#include "kernel/ledger.h"

namespace pawl::kernel {

enum class Status : uint8_t { kNotStarted, kRunning, kSucceeded, kFailed, kTimedOut, kAborted };

std::string_view name_of(Status status);  // "RUNNING"

// What a scope has to do next.
enum class Step : uint8_t {
  kWait,    // nothing, until something arrives
  kEnter,   // enter the state `next`
  kRun,     // run the state that it is in again, without entering it
  kStart,   // start the operation that it scheduled
  kOpen,    // open children of its join
  kResume,  // look at what it waited for: `ended` says what
};

struct Scope;

// Children that run side by side and come together: a Parallel's branches, a Map's iterations.
struct Join {
  StateOrdinal state;
  uint32_t total = 0;
  uint32_t at_once = 0;  // 0: no limit
  uint32_t opened = 0;
  uint32_t running = 0;
  uint32_t succeeded = 0;
  uint32_t failed = 0;
  uint32_t tolerated = 0;  // failures that do not end the join
  uint32_t needed = 0;     // successes that end it, whatever the others do; 0: all must end
  EventId start_event;     // the event that the next child's first event follows
  Value items;
  std::vector<Value> results;                   // by child; errors where a child failed and that is tolerated
  std::vector<ScopeId> children;                // by child; 0 once closed
  std::vector<std::unique_ptr<Scope>> stopped;  // children that closed without success: a redrive goes on with them
  std::vector<std::unique_ptr<Scope>> waiting;  // redriven children that wait for a place, the last one first

  Join();
  ~Join();
  bool has_room() const { return at_once == 0 || running < at_once; }
  bool may_open() const { return opened < total && waiting.empty() && has_room(); }
  bool is_complete() const { return succeeded + failed == total || (needed != 0 && succeeded >= needed); }
};

// What ended, for a scope that resumes.
struct Ended {
  enum class What : uint8_t { kNothing, kOperation, kJoin };
  What what = What::kNothing;
  Outcome outcome = Outcome::kSucceeded;
  OperationKind operation_kind = OperationKind::kTask;
  Value value;  // result or error
  // Of an event, a timer or a retry's delay: what it was scheduled with and when it would have given up, so that a
  // language can remember.
  Value input{};
  Timestamp due = kNever;
};

// A thread of control inside an execution: the root, a branch, an iteration.
struct Scope {
  ScopeId id;
  ScopeId parent;
  uint32_t index = 0;  // which child of the parent's join
  Step step = Step::kWait;
  uint64_t ticket = 0;  // its place in the queue of ready scopes
  StateOrdinal next;    // to enter
  StateOrdinal state;   // where it is; 0 between states
  Value input;          // of the current state, or of the next
  Value variables;      // assigned in this scope; null or an object
  Timestamp entered{};
  EventId entered_event;
  EventId last_event;             // the end of its chain of events
  uint32_t attempt = 0;           // retries of the current state so far
  std::vector<uint32_t> retries;  // by retrier, for this visit of the state
  OperationId operation;          // that it waits for
  Ended ended;
  std::unique_ptr<Join> join;
};

struct Operation {
  enum class Phase : uint8_t { kScheduled, kStarted, kSubmitted };
  OperationId id;
  ScopeId scope;
  StateOrdinal state;
  OperationKind kind = OperationKind::kTask;
  Phase phase = Phase::kScheduled;
  uint32_t attempt = 0;
  uint32_t timeout_s = 0;    // 0: none
  uint32_t heartbeat_s = 0;  // 0: none
  Timestamp started{};
  Timestamp due = kNever;
  bool begins_silently = false;  // neither its scheduling nor its start shows in a history
  Value input;

  bool is_shown() const { return kind != OperationKind::kTimer && kind != OperationKind::kRetryDelay; }
  // Somebody is asked to do it.
  bool is_called() const { return is_shown() && kind != OperationKind::kEvent && kind != OperationKind::kPromise; }
  bool is_remembered() const { return !is_called(); }  // its input is given back when it ends (Ended::input)
};

// One redrive, as far as it is remembered.
struct Redrive {
  Timestamp time{};
  EventId event;
  Value token;  // the client's; null where it gave none
};
inline constexpr size_t kRedrivesRemembered = 10;

class Execution {
 public:
  Execution() = default;
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  void evolve(const Fact& fact);

  Status status() const { return status_; }
  bool is_open() const { return status_ == Status::kRunning; }
  const Value& input() const { return input_; }
  const Value& input_text() const { return input_text_; }  // as sent, where that differs from how it prints; else null
  const Value& context() const { return context_; }
  const Value& labels() const { return labels_; }        // its starter's own: null or an object, seen by no definition
  const Value& outcome() const { return outcome_; }      // output or error, once closed
  bool is_terminated() const { return is_terminated_; }  // succeeded, and ends what waits for it as well
  const std::vector<Value>& waiters() const { return waiters_; }  // who is told when it ends; the engine's own
  Timestamp started() const { return started_; }
  Timestamp deadline() const { return deadline_; }
  Timestamp last_time() const { return last_time_; }
  FactSeq last_fact() const { return last_fact_; }
  EventId last_event() const { return last_event_; }

  // The events that started it, [{"event": the definition's name for it, "value": the CloudEvent}], until the first
  // state is left; null where none did.
  const Value& start_events() const { return start_events_; }
  // What its events have in common: an object, attribute (lower-case) to text. An event that was taken by a filter that
  // leaves an attribute open settles it.
  const Value& correlation() const { return correlation_; }
  // By key (to_hex) the number of the last event taken, so that one that is kept is not taken twice.
  const Value& taken() const { return taken_; }
  uint64_t taken_up_to(const EventKey& key) const;  // 0: none yet

  // What its own code has recorded; null where it has no code of its own.
  const Ledger* ledger() const { return ledger_.get(); }

  // How often it was redriven, when last (Timestamp{}: never), and the latest redrives, oldest first.
  uint32_t redrives() const { return redrives_; }
  Timestamp last_redriven() const { return latest_redrives_.empty() ? Timestamp{} : latest_redrives_.back().time; }
  const std::vector<Redrive>& latest_redrives() const { return latest_redrives_; }

  const Scope* find_scope(ScopeId id) const {
    return id && id.number <= scopes_.size() ? scopes_[id.number - 1].get() : nullptr;
  }
  const Scope& scope(ScopeId id) const {
    const Scope* found = find_scope(id);
    PAWL_ASSERT(found != nullptr, id);
    return *found;
  }
  const Operation* find_operation(OperationId id) const;
  ScopeId next_scope_id() const { return ScopeId(static_cast<uint32_t>(scopes_.size() + 1)); }
  OperationId next_operation_id() const { return last_operation_.next(); }

  // The scope whose turn it is; 0 where all wait.
  ScopeId first_ready() const;

  // When the earliest timer, timeout or the deadline falls due; kNever where nothing is.
  Timestamp next_due() const;
  // The operations whose due time has come, earliest first.
  std::vector<OperationId> due_operations(Timestamp now) const;
  const std::map<OperationId, Operation>& open_operations() const { return operations_; }
  // The operations below a scope (in its children, not its own).
  std::vector<OperationId> operations_below(ScopeId id) const;

  // The whole state as JSON, for comparing a rebuilt execution with a live one.
  Value dump() const;

 private:
  friend class Snapshot;  // kernel/snapshot.h

  Scope& mutable_scope(ScopeId id);
  void make_ready(Scope& scope, Step step);
  void enter_state(const Fact& fact);
  void exit_state(const Fact& fact);
  void schedule_operation(const Fact& fact);
  void schedule_for_entry(const Fact& fact, const Value& entry);
  void end_for_entry(const Entry& entry, const Fact& fact);
  Ledger& mutable_ledger();
  void settle_ledger();
  void start_operation(const Fact& fact);
  void end_operation(const Fact& fact);
  void take_event(const Value& operation_input, const Value& taken);
  void mark_taken(const EventKey& key, const Value& number);
  void schedule_retry(const Fact& fact);
  void start_join(const Fact& fact);
  void end_join(const Fact& fact);
  void open_scope(const Fact& fact);
  void close_scope(const Fact& fact);
  void start_execution(const Fact& fact);
  void close_execution(const Fact& fact, Status status);
  void advance_chain(const Fact& fact);
  void drop_operation(OperationId id);
  void drop_children(Scope& scope);
  std::unique_ptr<Scope> stop_scope(ScopeId id);
  void stop_children(Scope& scope);
  void redrive(const Fact& fact);
  void thaw(Scope& scope);
  void thaw_children(Scope& scope);
  void resume_waiting(Join& join);
  Operation& add_operation(const Fact& fact, OperationKind kind);
  Operation& mutable_operation(OperationId id);
  void set_due(Operation& operation, Timestamp due);

  Status status_ = Status::kNotStarted;
  Value input_;
  Value input_text_;
  Value context_;
  Value labels_;
  Value outcome_;
  bool is_terminated_ = false;
  Value start_events_;
  Value correlation_ = Value::empty_object();
  Value taken_ = Value::empty_object();
  std::unique_ptr<Ledger> ledger_;
  std::vector<Value> waiters_;
  Timestamp started_{};
  Timestamp deadline_ = kNever;
  Timestamp last_time_{};
  FactSeq last_fact_;
  EventId last_event_;
  OperationId last_operation_;
  uint64_t last_ticket_ = 0;
  uint32_t redrives_ = 0;
  std::vector<Redrive> latest_redrives_;  // at most kRedrivesRemembered

  std::vector<std::unique_ptr<Scope>> scopes_;  // by id - 1; null once closed, but kept by an end without success
  struct Ready {
    uint64_t ticket;
    ScopeId scope;
  };
  mutable std::vector<Ready> ready_;  // in order; entries whose ticket is not their scope's any more are stale
  mutable size_t ready_head_ = 0;

  std::map<OperationId, Operation> operations_;  // open ones
  std::set<std::pair<Timestamp, OperationId>> due_;
};

}  // namespace pawl::kernel
