// The durable engine: many executions, in a store, on shards.
//
// Every call returns at once; its answer comes later, on a shard's thread, and only once everything it tells of is
// durable. An answer must not block. Overload is an answer too: ENGINE_OVERLOADED.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/doubt.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/activities.h"
#include "engine/children.h"
#include "engine/event_desk.h"
#include "engine/event_triggers.h"
#include "engine/programs.h"
#include "engine/retention.h"
#include "engine/task.h"
#include "engine/watchers.h"
#include "engine/writer.h"
#include "kernel/execution.h"
#include "kernel/redrive.h"
#include "kernel/turn.h"
#include "store/store.h"

namespace pawl::engine {

template <typename T>
using Answer = std::move_only_function<void(Result<T>)>;

// Writes and reads the tokens of callbacks. Called on the shards' threads.
class Tokens {
 public:
  virtual ~Tokens() = default;
  virtual std::string mint(ExecutionId execution, OperationId operation, uint32_t attempt) = 0;
};

// An execution that has ended, durably.
struct Closed {
  const store::ExecutionRow& row;
  kernel::Status status;
  const Value& outcome;  // output or {"Error", "Cause"}
};

struct EngineOptions {
  uint32_t shards = 1;
  kernel::Limits limits;
  Duration retention = std::chrono::hours(24 * 90);  // of closed executions; kKeepForever: none is removed
  size_t mailbox_max = 10'000;          // starts that wait in one shard; completions may take as many again
  size_t loaded_max = 10'000;           // executions that one shard keeps in memory while their tasks are out
  bool threads = true;                  // false: nothing moves but by run_ready() and commit()
  bool commits_apart = false;           // always on the writer's thread, also where a shard has nothing else to do
  uint64_t seed = 0;                    // of the randomness in turns; 0: another one each time
  OnDoubt on_doubt = stop_the_process;  // a commit of which nobody knows what became of it, a history that is broken
  std::function<void(const Closed&)> on_closed;         // on a shard's thread: it must not block
  Duration events_keep = std::chrono::seconds(60);      // for waits that begin after an event has arrived
  Duration events_remember = std::chrono::minutes(10);  // so long a second arrival of an event is dropped
  std::vector<std::string> event_sinks;                 // names; each gets every event that an execution produces
  std::function<void()> on_sink_queued;                 // on a shard's thread: something new waits for the sinks
  // For virtual time, with one shard: called with the next due time when nothing else can happen. The clock must then
  // have reached it.
  std::function<void(Timestamp)> advance_clock;
};

// What an engine works with; everything in it is thread-safe and outlives the engine.
struct Borders {
  store::Store& store;
  Programs& programs;
  TaskHandler& tasks;
  Activities& activities;
  Tokens& tokens;
  const Clock& clock;
  Children* children = nullptr;       // null: no execution here waits for another
  EventTriggers* triggers = nullptr;  // null: events start nothing here
};

struct StartRequest {
  DefinitionId definition;
  std::string name;  // empty: the engine gives one
  Value input;
  std::string input_text;
  uint32_t version = 0;  // of the definition, and its alias, where the start names them: told by the execution's row
  std::string alias;
  Value labels;  // null or an object: kept with the execution, handed to its tasks and its descriptions
  // The operation that starts it. Its second start is the first one, whatever has become of that; a name that is taken
  // by the same, still running start of another is waited for.
  std::optional<ChildLink> parent;
  // What events start it, [{"event": the definition's name for one, "value": the CloudEvent}], and what they have in
  // common, {attribute: text}. Null: no event does.
  Value events;
  Value correlation;
  store::EventNumber last_event;  // of those; 0: the last that has arrived. Earlier ones are never offered to it
  // Called with the id and the start time: the Context Object's fixed part.
  std::function<Value(ExecutionId, Timestamp)> make_context;
};

struct Started {
  ExecutionId execution;
  Timestamp started{};
  bool is_new = true;  // false: the same name and input were started before, and it still runs
};

// What an execution is, at one moment.
struct Description {
  store::ExecutionRow row;
  kernel::Status status = kernel::Status::kNotStarted;
  Value input;
  Value input_text;  // as sent; null where it prints the same
  Value labels;      // of the start
  Value outcome;     // output or {"Error", "Cause"}
  std::optional<kernel::RedriveObstacle> not_redrivable;
  bool is_terminated = false;  // it succeeded, and ends what waits for it as well
};

// Events of a history, by their numbers.
struct EventRange {
  EventId from;        // the first of the page; 0: the first of all, or the last of all where it is reversed
  uint32_t count = 0;  // of the page
  bool reverse = false;
};

// The facts that a page of events is made of, and some around them.
struct HistoryPart {
  std::shared_ptr<const kernel::Execution>
      before;                       // the state before the first of these facts; null: they are the first
  std::vector<kernel::Fact> facts;  // those of the page, and of the event after it where there is one
};

class Engine {
 public:
  // Takes the shards of the store and begins with what was under way. Errors: the store's.
  static Result<std::unique_ptr<Engine>> open(const Borders& borders, const EngineOptions& options);
  // Lets running turns end, where it has threads; what is in flight is found again by the next open.
  ~Engine();

  // Errors: EXECUTION_ALREADY_EXISTS, DEFINITION_MISSING, ENGINE_OVERLOADED, the store's. A child that could not be
  // stored is started again: its parent's task is called again then, and needs no answer.
  void start(StartRequest request, Answer<Started> answer);
  // The child that an operation started, as it is stored.
  std::optional<store::ExecutionRow> find_child(const ChildLink& link) const;
  // Error: EXECUTION_NOT_FOUND.
  void describe(ExecutionId id, Answer<Description> answer);
  // What a page of its history takes: as much work as the page has events, whatever came before.
  void history(ExecutionId id, EventRange range, Answer<HistoryPart> answer);
  // Every fact so far.
  void facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer);
  // Ends it with the error given ({"Error", "Cause"}, either may be absent); the time at which it ended. One that is
  // closed stays as it is.
  void stop(ExecutionId id, Value error, Answer<Timestamp> answer);
  // Lets one that closed without success go on where it failed; the time at which it does. A token that the execution
  // knows answers with the time of the redrive that it made. Error: EXECUTION_NOT_REDRIVABLE, whose `what` says why.
  void redrive(ExecutionId id, std::string token, Answer<Timestamp> answer);
  // What an execution's own code asks for, answered by its program. Errors: EXECUTION_NOT_FOUND, the program's.
  void request(ExecutionId id, Value request, Answer<Value> answer);
  // What arrived for an operation. Error: OPERATION_NOT_OPEN where nothing waits for it (any more).
  void complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer);
  // Error: OPERATION_NOT_OPEN.
  void heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer);

  // A worker takes what it was offered; the task is durably its own when the answer comes. Error: OPERATION_NOT_OPEN,
  // also where another worker has it.
  void take_activity(const ActivityOffer& offer, std::string worker, Answer<ActivityTask> answer);

  // Notices begin with the next thing that becomes durable.
  WatchId watch(ExecutionId id, Watchers::Notice notice);
  void unwatch(WatchId watch);

  // Documents are kept for whoever keeps the definitions; durable when the answer comes.
  void put_documents(std::vector<store::Document> documents, Answer<void> answer);

  // Hands in an event, a CloudEvent as structured JSON; it is durable when the answer comes. Errors: EVENT_INVALID,
  // ENGINE_OVERLOADED, the store's.
  void publish(Value event, Answer<Published> answer);
  // What waits for a sink, oldest first, and what it has got.
  std::vector<store::SinkItem> sink_queue(const std::string& sink, store::SinkItemId after, size_t limit) const;
  void remove_sink_items(std::vector<store::SinkItemId> delivered, Answer<void> answer);

  // For a thread that has lent itself (lending.h) and has nothing else to do now. May take as long as a turn and a
  // commit.
  void help();

  const EngineMetrics& metrics() const;
  // Messages that wait, by shard.
  std::vector<size_t> queue_depths() const;

  // --- for whoever drives an engine without threads

  // Lets every shard take what arrived and fell due, and hand in its batch; whether there was anything.
  bool run_ready();
  // Commits what was handed in; whether there was anything.
  bool commit();
  // When run_ready() next has something to do by itself.
  Timestamp next_timer() const;
  // When the next thing happens to an execution by itself; kNever where nothing will.
  Timestamp next_due() const;
  // The state of an execution as it is in memory, durable or not; null where it is not loaded.
  Value dump(ExecutionId id) const;

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace pawl::engine
