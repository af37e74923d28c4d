// A shard: one thread that owns executions and moves messages.
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
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/loaded_execution.h"
#include "engine/writer.h"

namespace pawl::engine {

// An execution's slot is part of its id; slots are dealt out to the shards, which are numbered from 1.
inline constexpr uint64_t kSlots = 4096;
inline constexpr int kSlotBits = 12;
inline ShardId owner_of(ExecutionId id, uint32_t shards) {
  return ShardId(static_cast<uint32_t>(id.number % kSlots % shards) + 1);
}

// What the shards of an engine share. Everything in it is thread-safe.
struct Shared {
  store::Store& store;
  Writer& writer;
  Programs& programs;
  TaskHandler& tasks;
  Tokens& tokens;
  const Clock& clock;
  EngineOptions options;
  std::atomic<uint64_t> last_chunk{0};
  std::atomic<uint64_t> last_sequence{0};
  std::atomic<uint64_t> last_task{0};
};

class Shard;

// Where messages for a shard wait. Outlives it for whoever still holds one: what comes then is dropped.
class Inbox {
 public:
  using Message = std::move_only_function<void(Shard&)>;

  explicit Inbox(size_t ordinary_max) : ordinary_max_(ordinary_max) {}

  // Whether there was room. Urgent messages (completions) always find room, and go first.
  bool post(Message message, bool urgent);
  // Waits so long for messages, and takes some.
  std::vector<Message> take(Duration patience);
  void stop();
  bool is_stopped_and_empty();

 private:
  const size_t ordinary_max_;
  std::mutex mutex_;  // guards the three below
  std::deque<Message> urgent_;
  std::deque<Message> ordinary_;
  bool stopping_ = false;
  std::condition_variable arrived_;
};

class Shard {
 public:
  using Message = Inbox::Message;

  Shard(ShardId id, Epoch epoch, Shared& shared);
  ~Shard();

  bool post(Message message, bool urgent) { return inbox_->post(std::move(message), urgent); }

  // --- for messages, on the shard's thread
  // -------------------------------------------------------------------------------

  void start(ExecutionId id, StartRequest request, Answer<Started> answer);
  void signal(ExecutionId id, kernel::Signal signal, Answer<void> answer);
  void complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer);
  void heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer);
  void stop(ExecutionId id, Value error, Answer<Timestamp> answer);
  void describe(ExecutionId id, Answer<Description> answer);
  void read_facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer);
  void put_documents(std::vector<store::Document> documents, Answer<void> answer);

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
    std::vector<store::NameRow> names;  // as in the batch, which is the writer's once it is handed in
    std::vector<PendingEffect> effects;
    std::vector<Settle> answers;
    bool empty() const { return batch.empty() && touched.empty() && answers.empty(); }
  };

  bool owns(ExecutionId id) const { return owner_of(id, shared_.options.shards) == id_; }
  void run();
  void recover();
  Timestamp next_timer() const;
  void fire_timers();
  void fire(const store::Wake& wake);
  void load_near_timers();
  void remove_if_outdated(const LoadedExecution& loaded, const store::Wake& wake);
  void submit();
  void settle(const store::CommitResult& result);
  void forget(const Gathering& void_ones);

  Result<LoadedExecution*> load(ExecutionId id);
  void take_turn(LoadedExecution& loaded, const kernel::Signal& signal);
  bool is_waiting(ExecutionId id, OperationId operation, uint32_t attempt);
  void release_if_idle(ExecutionId id);
  void evict_beyond_limit();
  void when_durable(Settle settle) { gathering_.answers.push_back(std::move(settle)); }
  template <typename T>
  void answer_when_durable(Answer<T> answer, T value);

  std::optional<Started> find_same_start(uint64_t name_hash, const StartRequest& request, bool& is_taken);
  void perform(const PendingEffect& pending);
  void dispatch(LoadedExecution& loaded, const kernel::Operation& operation);
  void dispatch_lost(LoadedExecution& loaded);
  void cancel(ExecutionId id, OperationId operation);
  void resume(ExecutionId id);

  const ShardId id_;
  const Epoch epoch_;
  Shared& shared_;

  const std::shared_ptr<Inbox> inbox_;

  // The thread's own.
  std::unordered_map<ExecutionId, std::unique_ptr<LoadedExecution>> loaded_;
  std::map<std::pair<ExecutionId, OperationId>, TaskId> dispatched_;
  std::map<std::pair<ExecutionId, OperationId>, Timestamp> heartbeats_;
  std::multimap<uint64_t, ExecutionId> unsaved_names_;
  std::set<store::Wake> timers_;
  store::Wake timers_loaded_;  // up to this one, where there were too many to load at once
  Timestamp timers_until_{};
  Gathering gathering_;
  Gathering in_flight_;  // with the writer
  bool committing_ = false;
  std::unique_ptr<Random> random_;
  std::thread thread_;
};

// A client's name, as the store finds it.
uint64_t hash_name(std::string_view family, std::string_view name);

}  // namespace pawl::engine
