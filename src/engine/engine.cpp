#include "engine/engine.h"

#include "base/assert.h"
#include "engine/lending.h"
#include "engine/shard.h"

namespace pawl::engine {

struct Engine::State {
  State(const Borders& borders, const EngineOptions& options)
      : writer(borders.store, metrics, options.threads, options.on_doubt), shared(borders, writer, metrics, options) {}

  // The inbox, not the shard: while an engine ends, one shard may start a child on another that is gone already.
  Inbox& owner_of(ExecutionId id) { return shared.inbox_of(id); }

  // A named execution's slot follows from its name, so that one shard judges whether the name is taken.
  // A child without a name is found by its parent's operation instead.
  ExecutionId next_execution(const StartRequest& request) {
    const uint64_t sequence = ++shared.last_sequence;
    uint64_t slot = request.parent ? hash_link(*request.parent) : sequence;
    if (!request.name.empty()) slot = hash_name(shared.borders.programs.family_of(request.definition), request.name);
    return ExecutionId(sequence << kSlotBits | slot % kSlots);
  }

  EngineMetrics metrics;
  Writer writer;
  Shared shared;
  std::vector<std::unique_ptr<Shard>> shards;
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}

Engine::~Engine() = default;

namespace {

int64_t count_sink_items(const store::Store& store, const std::vector<std::string>& sinks) {
  constexpr size_t kAtOnce = 1'000;
  int64_t count = 0;
  for (const std::string& sink : sinks) {
    store::SinkItemId last;
    for (bool has_more = true; has_more;) {
      const auto page = store.sink_queue(sink, last, kAtOnce);
      count += static_cast<int64_t>(page.size());
      has_more = page.size() == kAtOnce;
      if (has_more) last = page.back().id;
    }
  }
  return count;
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const Borders& borders, const EngineOptions& options) {
  std::vector<std::pair<ShardId, Epoch>> taken;
  PAWL_ASSERT(options.shards > 0);
  PAWL_ASSERT(!options.advance_clock || options.shards == 1);
  for (uint32_t i = 1; i <= options.shards; ++i) {
    PAWL_TRY(const Epoch epoch, borders.store.acquire(ShardId(i)));
    taken.emplace_back(ShardId(i), epoch);
  }
  auto state = std::make_unique<State>(borders, options);
  state->shared.last_message = borders.store.last_message().number;
  state->shared.last_chunk = borders.store.last_chunk().number;
  state->metrics.sink_queue.set(count_sink_items(borders.store, options.event_sinks));
  state->shared.last_event = borders.store.last_event().number;
  state->shared.last_sink_item = borders.store.last_sink_item().number;
  state->shared.last_sequence = borders.store.last_execution().number >> kSlotBits;
  for (const auto& [shard, epoch] : taken)
    state->shards.push_back(std::make_unique<Shard>(shard, epoch, state->shared));
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

namespace {

// Tells the parent's shard, too, what became of a child's start.
Answer<Started> reported_to_parent(Shared& shared, const ChildLink& link, Answer<Started> answer) {
  shared.child_starts.begin(link);
  return [&shared, link, answer = std::move(answer)](Result<Started> started) mutable {
    const bool was_lost = !started && started.error().code.starts_with("STORE_");
    answer(std::move(started));
    shared.child_starts.end(link);
    shared.inbox_of(link.parent).post([link, was_lost](Shard& shard) { shard.note_child_start(link, was_lost); }, true);
  };
}

}  // namespace

void Engine::start(StartRequest request, Answer<Started> answer) {
  const ExecutionId id = state_->next_execution(request);
  const bool is_child = request.parent.has_value();
  if (is_child) answer = reported_to_parent(state_->shared, *request.parent, std::move(answer));
  auto shared_answer = std::make_shared<Answer<Started>>(std::move(answer));
  const bool has_room = state_->owner_of(id).post(
      [id, request = std::move(request), shared_answer](Shard& shard) mutable {
        shard.start(id, std::move(request), std::move(*shared_answer));
      },
      is_child);
  if (!has_room)
    (*shared_answer)(
        fail("ENGINE_OVERLOADED", "More executions are being started than can be.", "Try again in a moment."));
}

std::optional<store::ExecutionRow> Engine::find_child(const ChildLink& link) const {
  return engine::find_child(state_->shared.borders, link);
}

void Engine::describe(ExecutionId id, Answer<Description> answer) {
  state_->owner_of(id).post(
      [id, answer = std::move(answer)](Shard& shard) mutable { shard.describe(id, std::move(answer)); }, true);
}

void Engine::history(ExecutionId id, EventRange range, Answer<HistoryPart> answer) {
  state_->owner_of(id).post([id, range, answer = std::move(answer)](
                                Shard& shard) mutable { shard.read_history(id, range, std::move(answer)); },
                            true);
}

void Engine::facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer) {
  state_->owner_of(id).post(
      [id, answer = std::move(answer)](Shard& shard) mutable { shard.read_facts(id, std::move(answer)); }, true);
}

void Engine::stop(ExecutionId id, Value error, Answer<Timestamp> answer) {
  state_->owner_of(id).post([id, error = std::move(error), answer = std::move(answer)](
                                Shard& shard) mutable { shard.stop(id, std::move(error), std::move(answer)); },
                            true);
}

void Engine::redrive(ExecutionId id, std::string token, Answer<Timestamp> answer) {
  state_->owner_of(id).post([id, token = std::move(token), answer = std::move(answer)](
                                Shard& shard) mutable { shard.redrive(id, std::move(token), std::move(answer)); },
                            true);
}

void Engine::request(ExecutionId id, Value request, Answer<Value> answer) {
  state_->owner_of(id).post([id, request = std::move(request), answer = std::move(answer)](
                                Shard& shard) mutable { shard.request(id, std::move(request), std::move(answer)); },
                            true);
}

void Engine::complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer) {
  state_->owner_of(id).post(
      [id, operation, attempt, result = std::move(result), answer = std::move(answer)](Shard& shard) mutable {
        shard.complete(id, operation, attempt, std::move(result), std::move(answer));
      },
      true);
}

void Engine::heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer) {
  state_->owner_of(id).post([id, operation, attempt, answer = std::move(answer)](
                                Shard& shard) mutable { shard.heartbeat(id, operation, attempt, std::move(answer)); },
                            true);
}

void Engine::take_activity(const ActivityOffer& offer, std::string worker, Answer<ActivityTask> answer) {
  state_->owner_of(offer.execution)
      .post([offer, worker = std::move(worker), answer = std::move(answer)](
                Shard& shard) mutable { shard.take_activity(offer, std::move(worker), std::move(answer)); },
            true);
}

WatchId Engine::watch(ExecutionId id, Watchers::Notice notice) {
  return state_->shared.watchers.add(id, std::move(notice));
}

void Engine::unwatch(WatchId watch) { state_->shared.watchers.remove(watch); }

void Engine::put_documents(std::vector<store::Document> documents, Answer<void> answer) {
  state_->shards.front()->post(
      [documents = std::move(documents), answer = std::move(answer)](Shard& shard) mutable {
        shard.put_documents(std::move(documents), std::move(answer));
      },
      true);
}

namespace {

std::unexpected<Error> overloaded() {
  return fail("ENGINE_OVERLOADED", "More is being asked for than can be done.", "Try again in a moment.");
}

}  // namespace

void Engine::publish(Value event, Answer<Published> answer) {
  if (!is_identified(event))
    return answer(fail("EVENT_INVALID", "An event has no id, source or type.", "Give it all three, as texts."));
  auto shared_answer = std::make_shared<Answer<Published>>(std::move(answer));
  const bool has_room = state_->shards.front()->post(
      [event = std::move(event), shared_answer](Shard& shard) { shard.publish(event, std::move(*shared_answer)); },
      false);
  if (!has_room) (*shared_answer)(overloaded());
}

std::vector<store::SinkItem> Engine::sink_queue(const std::string& sink, store::SinkItemId after, size_t limit) const {
  return state_->shared.borders.store.sink_queue(sink, after, limit);
}

void Engine::remove_sink_items(std::vector<store::SinkItemId> delivered, Answer<void> answer) {
  state_->shards.front()->post([delivered = std::move(delivered), answer = std::move(answer)](
                                   Shard& shard) mutable { shard.remove_sink_items(delivered, std::move(answer)); },
                               true);
}

void Engine::help() {
  const Inbox* looked_after = Lending::take_over();
  for (size_t i = 0; looked_after != nullptr && i < state_->shards.size(); ++i)
    if (state_->shared.inboxes[i].get() == looked_after) state_->shards[i]->help();
}

const EngineMetrics& Engine::metrics() const { return state_->metrics; }

std::vector<size_t> Engine::queue_depths() const {
  std::vector<size_t> depths;
  for (const auto& shard : state_->shards) depths.push_back(shard->queue_depth());
  return depths;
}

bool Engine::run_ready() {
  bool has_moved = false;
  for (const auto& shard : state_->shards) has_moved |= shard->run_ready();
  return has_moved;
}

bool Engine::commit() { return state_->writer.commit_gathered(); }

Value Engine::dump(ExecutionId id) const {
  return state_->shards[owner_of(id, static_cast<uint32_t>(state_->shards.size())).number - 1]->dump(id);
}

Timestamp Engine::next_due() const {
  Timestamp next = kNever;
  for (const auto& shard : state_->shards) next = std::min(next, shard->next_due());
  return next;
}

Timestamp Engine::next_timer() const {
  Timestamp next = kNever;
  for (const auto& shard : state_->shards) next = std::min(next, shard->next_timer());
  return next;
}

}  // namespace pawl::engine
