// Facts: what happened, numbered within an execution, stored, never changed. One list of kinds serves every language.
//
// A fact holds values, never expressions: folding facts evaluates nothing, so an upgrade cannot change the past. A fact
// that users see in a history carries its event id and the id of the event before it on its chain, given when it was
// decided.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.h"
#include "base/time.h"
#include "json/value.h"

namespace pawl::kernel {

using json::Value;

// The numbers are stored: a kind is never renumbered and its meaning never changes.
enum class FactKind : uint8_t {
  kExecutionStarted = 1,    // value: input; extra: {"context", "inputText", "labels", "waiter", and of one that events
                            // started "events", "correlation", "taken"}; due: the execution's deadline; next: first
                            // state
  kExecutionSucceeded = 2,  // value: output; extra: {"terminate": true} where it ends what waits for it as well
  kExecutionFailed = 3,     // value: the error, {"Error", "Cause"}
  kExecutionTimedOut = 4,   // value: the error
  kExecutionAborted = 5,    // value: the error, given by whoever stopped it
  kStateEntered = 6,        // scope, state; value: its input
  kStateExited = 7,   // scope, state, next (0: the scope ends); value: its output; extra: the variables it assigned
  kStateAborted = 8,  // scope, state: it was left because of a failure elsewhere; changes nothing, shows in histories
  kOperationScheduled = 9,  // scope, state, operation, operation_kind; value: its input; number: timeout, limit:
                            // heartbeat (s); extra: credentials, or {"entry": of the ledger}. Of an event: value:
                            // {"filters": […]}; due: when it gives up
  kOperationStarted = 10,    // operation; due: when it times out; value: the worker's name, where known. Of an event:
                             // only what changes its due time
  kOperationSubmitted = 11,  // operation; value: what the far side answered to the request
  kOperationEnded = 12,      // operation, outcome; value: its result or error. Of an event: {"filter": which, from 0,
                             // "event": the CloudEvent, "number": the engine's for it}
  kRetryScheduled = 13,      // scope, state, operation; number: the retrier; due: when to try again
  kJoinStarted = 14,        // scope, state; number: children in all; limit: at once (0: all); value: what they work on;
                            // extra: failures tolerated, or {"tolerated", "needed": successes that end it; 0: all}
  kJoinEnded = 15,          // scope, state, outcome; closes every child that is still open
  kScopeOpened = 16,        // scope (new), parent, next; number: which child of the join; value: its input
  kScopeClosed = 17,        // scope, outcome; value: its output or error
  kExecutionRedriven = 18,  // number: how often so far; value: the client's token, where it gave one; due: the
                            // execution's new deadline; extra: {"context"}
  kWaiterAdded = 19,        // value: who else is told when the execution ends
  kEventPublished = 20,     // scope, state; value: the CloudEvent
  kEntryChanged = 21,     // of the ledger; value: its id, or of a new one {"id", "type", "parent", "name", "subType"};
                          // number: its status; limit: finished attempts; due: of its next attempt, of its end;
                          // extra: {"result" or "error", "keepsChildren", "token"}
  kCheckpointTaken = 22,  // number: of the next checkpoint; value: {"client", "digest"} of this one
};

enum class Outcome : uint8_t { kSucceeded = 1, kFailed = 2, kTimedOut = 3, kHeartbeatTimedOut = 4, kAborted = 5 };

// What an execution waits for from outside.
enum class OperationKind : uint8_t {
  kTask = 1,      // the engine calls something and gets its answer
  kCallback = 2,  // the engine calls something; the answer comes later, by token
  kActivity = 3,  // a worker asks for it
  kTimer = 4,     // time itself
  kRetryDelay = 5,
  kChild = 6,    // another execution, which the engine starts; the answer is how it ends
  kEvent = 7,    // an event from outside that passes a filter
  kPromise = 8,  // an answer that somebody gives by token; nobody is asked for it
};

std::string_view name_of(FactKind kind);       // "StateEntered"
std::string_view name_of(Outcome outcome);     // "succeeded"
std::string_view name_of(OperationKind kind);  // "task"

struct Fact {
  FactKind kind = FactKind::kExecutionStarted;
  Outcome outcome = Outcome::kSucceeded;
  OperationKind operation_kind = OperationKind::kTask;
  bool on_chain = true;  // the scope's next event follows this one; else it follows the one before
  ScopeId scope;
  ScopeId parent;
  StateOrdinal state;
  StateOrdinal next;
  OperationId operation;
  uint32_t number = 0;
  uint32_t limit = 0;
  EventId event;  // 0: not shown
  EventId previous_event;
  Timestamp time{};
  Timestamp due = kNever;
  Value value;
  Value extra;
};

bool is_terminal(FactKind kind);

}  // namespace pawl::kernel
