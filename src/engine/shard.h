// A shard: it owns executions and moves messages, on a thread of its own or on that of whoever drives it.
//
// A message takes a turn of an execution; its facts go into the batch that gathers. When the writer is free the batch
// goes to it, and the next one gathers; when it is durable, effects are performed and answers given. A rolled-back
// commit drops the memory of everything it touched, answers with the error, and the next message loads from the store
// again.
//
// Memory: executions whose tasks are out stay loaded, up to a limit; those that sleep do not. Timers of the near future
// are in memory, the others in the store.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "engine/child_messages.h"
#include "engine/engine.h"
#include "engine/event_shapes.h"
#include "engine/inbox.h"
#include "engine/loaded_execution.h"
#include "engine/writer.h"

namespace pawl::engine {

// An execution's slot is part of its id; slots are dealt out to the shards, which are numbered from 1.
inline constexpr uint64_t kSlots = 4096;
inline constexpr int kSlotBits = 12;
inline constexpr ShardId kDeskShard{1};  // where events are matched: it owns slot 0
inline ShardId owner_of(ExecutionId id, uint32_t shards) {
  return ShardId(static_cast<uint32_t>(id.number % kSlots % shards) + 1);
}

// What the shards of an engine share. Everything in it is thread-safe.
struct Shared {
  Shared(const Borders& given, Writer& with_writer, EngineMetrics& with_metrics, const EngineOptions& with_options)
      : borders(given), writer(with_writer), metrics(with_metrics), options(with_options) {
    for (uint32_t i = 0; i < options.shards; ++i) inboxes.push_back(std::make_shared<Inbox>(options.mailbox_max));
  }

  Inbox& inbox_of(ExecutionId id) { return *inboxes[owner_of(id, options.shards).number - 1]; }

  Borders borders;
  Writer& writer;
  EngineMetrics& metrics;
  EngineOptions options;
  Watchers watchers;
  std::vector<std::shared_ptr<Inbox>> inboxes;  // by shard
  ChildStarts child_starts;
  StoredShapes shapes;
  std::atomic<uint64_t> last_event{0};  // that arrived
  std::atomic<uint64_t> last_sink_item{0};
  std::atomic<uint64_t> last_message{0};
  std::atomic<uint64_t> last_chunk{0};
  std::atomic<uint64_t> last_sequence{0};
  std::atomic<uint64_t> last_task{0};
};

inline constexpr Duration kPauseAfterRollback{1'000};

class Shard {
 public:
  using Message = Inbox::Message;

  Shard(ShardId id, Epoch epoch, Shared& shared);
  ~Shard();

  bool post(Message message, bool urgent) { return inbox_->post(std::move(message), urgent); }

  size_t queue_depth() const { return inbox_->size(); }

  // For a shard without a thread: takes what arrived and fell due; whether there was anything.
  bool run_ready() { return move(); }
  // For a thread that has put a message into the inbox and woken nobody (lending.h): where the shard rests and nothing
  // else has come, it is moved by this thread; else its own is woken.
  void help();
  Timestamp next_timer() const;
  Timestamp next_due() const;        // of anything in the store or in memory that is not due yet
  Value dump(ExecutionId id) const;  // null where it is not in memory

  // --- for messages, on the shard's thread
  // -------------------------------------------------------------------------------

  void start(ExecutionId id, StartRequest request, Answer<Started> answer);
  void signal(ExecutionId id, kernel::Signal signal, Answer<void> answer);
  void complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer);
  void heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer);
  void stop(ExecutionId id, Value error, Answer<Timestamp> answer);
  void redrive(ExecutionId id, std::string token, Answer<Timestamp> answer);
  void request(ExecutionId id, Value request, Answer<Value> answer);
  void describe(ExecutionId id, Answer<Description> answer);
  void read_history(ExecutionId id, EventRange range, Answer<HistoryPart> answer);
  void read_facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer);
  void take_activity(const ActivityOffer& offer, std::string worker, Answer<ActivityTask> answer);
  void put_documents(std::vector<store::Document> documents, Answer<void> answer);

  // --- of events (shard_events.cpp)

  void publish(const Value& event, Answer<Published> answer);
  void look_for_events(const std::vector<store::SubscriptionRow>& waits, const std::vector<kernel::EventShape>& shapes);
  void remove_sink_items(const std::vector<store::SinkItemId>& delivered, Answer<void> answer);

  // Beats are no facts, so those before a restart are forgotten: the interval begins anew with it.
  Timestamp last_beat(ExecutionId id, OperationId operation) const;

  // --- of parents and children (shard_children.cpp)

  void receive(const store::Message& message);
  void stop_child(ExecutionId id, store::MessageId message);
  // The start of a child became durable, was refused, or was lost with its commit.
  void note_child_start(const ChildLink& link, bool was_lost);

 private:
  using Settle = std::move_only_function<void(const store::CommitResult&)>;
  struct PendingEffect {
    ExecutionId execution;
    kernel::Effect effect;
  };
  // What gathers until the next commit.
  struct Gathering {
    store::Batch batch;
    std::set<ExecutionId> touched;
    std::vector<store::NameRow> names;               // as in the batch, which is the writer's once it is handed in
    std::vector<store::Message> sent;                // the same
    bool has_heeded = false;                         // some message
    std::vector<store::SubscriptionRow> subscribed;  // as in the batch
    std::vector<kernel::EventShape> shapes;          // of those, not known to be stored
    int64_t queued = 0;                              // for sinks, less what they got
    std::vector<PendingEffect> effects;
    std::vector<Settle> answers;
    bool empty() const { return batch.empty() && touched.empty() && answers.empty(); }
  };

  // A task that is out.
  struct Dispatched {
    TaskId task;
    bool answers = true;  // false: only a token or a timeout ends it
  };
  using OperationKey = std::pair<ExecutionId, OperationId>;

  Timestamp now() const { return shared_.borders.clock.now(); }
  Duration retention_of(const LoadedExecution& loaded) const;
  bool owns(ExecutionId id) const { return owner_of(id, shared_.options.shards) == id_; }
  void run();
  void rest(std::unique_lock<std::mutex>& moving);
  bool move();
  bool must_submit() const { return !committing_ && (!gathering_.empty() || has_desk_work()); }
  void advance_clock_if_idle();

  Timestamp next_look(const LoadedExecution& loaded) const;
  bool fire_timers();
  void fire(const store::Wake& wake);
  void load_near_timers();
  void remove_if_outdated(const LoadedExecution& loaded, const store::Wake& wake);
  void submit();
  void settle(const store::CommitResult& result);
  void forget(const Gathering& void_ones);

  Result<LoadedExecution*> load(ExecutionId id);
  // What the program answers, where the signal asks for it.
  std::optional<Result<Value>> take_turn(LoadedExecution& loaded, const kernel::Signal& signal);
  std::optional<kernel::RedriveObstacle> obstacle_to_redrive(const LoadedExecution& loaded) const;
  bool is_waiting(ExecutionId id, OperationId operation, uint32_t attempt);
  void forget_beats_when_durable(ExecutionId id, const kernel::Signal& signal);
  void release_if_idle(ExecutionId id);
  void evict_beyond_limit();
  void when_durable(Settle settle) { gathering_.answers.push_back(std::move(settle)); }
  template <typename T>
  void answer_when_durable(Answer<T> answer, T value);
  void answer_when_durable(Answer<void> answer);
  template <typename T>
  void refuse_when_durable(Answer<T> answer, std::unexpected<Error> error);

  std::optional<Started> find_same_start(uint64_t name_hash, const StartRequest& request, bool& is_taken);
  void perform(const PendingEffect& pending);
  void tell_closed(ExecutionId id);
  void perform_on(ExecutionId id, OperationId operation);
  void offer(LoadedExecution& loaded, const kernel::Operation& operation);
  void take_answer(ExecutionId id, OperationId operation, TaskAnswer given);
  bool is_answered_twice(ExecutionId id, OperationId operation);
  void dispatch(LoadedExecution& loaded, const kernel::Operation& operation, bool is_repeated = false);
  void dispatch_lost(LoadedExecution& loaded);
  void cancel(ExecutionId id, OperationId operation);
  void resume(ExecutionId id);
  void recover_after(ExecutionId after);

  Description description_of(const LoadedExecution& loaded) const;
  std::vector<ExecutionId> find_named(uint64_t hash) const;
  void add_name(uint64_t hash, ExecutionId id);
  std::optional<Started> find_own_start(const ChildLink& link);
  void add_waiter(ExecutionId id, const ChildLink& link);
  void tell_waiters(const LoadedExecution& loaded);
  void send(ExecutionId destination, const ChildMessage& message);
  DeskOutput desk_output() { return {gathering_.batch, gathering_.sent}; }
  bool has_desk_work() const { return desk_ != nullptr && !desk_rests_ && desk_->has_more(); }
  void open_desk();
  void go_on_with_events();
  void publish_produced(ExecutionId id, const kernel::Fact& fact);
  void submit_events();
  void settle_events(const Gathering& done);
  void roll_back_events();
  void expire_events();
  void give_up_partial_set(const store::Wake& wake);
  void receive_event(const store::Message& message);
  void take_event(const store::Message& message, EventMessage arrived);
  void take_start(const store::Message& message, EventMessage start);
  void deliver(const store::Message& message);
  // After a rollback messages are delivered to all: one that another shard passed on may have been lost here.
  enum class Whose : uint8_t { kOwn, kAll };
  void deliver_stored(store::MessageId after, Whose whose);
  void heed(store::MessageId message);
  void take_end(const store::Message& message, const ChildMessage& end);
  void take_stop(const store::Message& message, const ChildMessage& stop);

  const ShardId id_;
  const Epoch epoch_;
  Shared& shared_;
  const Timestamp opened_;

  const std::shared_ptr<Inbox> inbox_;

  std::mutex moving_;  // guards everything below, for who moves the shard: its thread, or one that helps
  Timestamp resting_until_{};
  std::unordered_map<ExecutionId, std::unique_ptr<LoadedExecution>> loaded_;
  std::map<OperationKey, Dispatched> dispatched_;
  std::map<OperationKey, Timestamp> heartbeats_;
  std::multimap<uint64_t, ExecutionId> unsaved_names_;
  std::map<OperationKey, store::Message> stops_waiting_;  // for the start of what they stop
  std::set<store::Wake> timers_;
  store::Wake timers_loaded_;  // up to this one, where there were too many to load at once
  Timestamp timers_until_{};
  Gathering gathering_;
  Gathering in_flight_;  // with the writer
  bool committing_ = false;
  std::unique_ptr<EventDesk> desk_;  // the first shard's
  bool desk_rests_ = false;          // after a rollback
  std::unique_ptr<Random> random_;
  std::thread thread_;  // none where the shard is driven
};

template <typename T>
void Shard::answer_when_durable(Answer<T> answer, T value) {
  when_durable([answer = std::move(answer), value = std::move(value)](const store::CommitResult& result) mutable {
    if (result)
      answer(std::move(value));
    else
      answer(std::unexpected(result.error().error));
  });
}

// As it is stored; read on any thread.
std::optional<store::ExecutionRow> find_child(const Borders& borders, const ChildLink& link);

// A client's name, as the store finds it.
uint64_t hash_name(std::string_view family, std::string_view name);

}  // namespace pawl::engine
