#include "engine/engine.h"

#include "base/assert.h"
#include "engine/shard.h"

namespace pawl::engine {

struct Engine::State {
  State(store::Store& store, Programs& programs, TaskHandler& tasks, Tokens& tokens, const Clock& clock,
        const EngineOptions& options)
      : writer(store), shared{store, writer, programs, tasks, tokens, clock, options, {}, {}, {}} {}

  Shard& owner_of(ExecutionId id) { return *shards[engine::owner_of(id, shared.options.shards).number - 1]; }

  // A named execution's slot follows from its name, so that one shard judges whether the name is taken.
  ExecutionId next_execution(const StartRequest& request) {
    const uint64_t sequence = ++shared.last_sequence;
    const uint64_t slot =
        request.name.empty() ? sequence : hash_name(shared.programs.family_of(request.definition), request.name);
    return ExecutionId(sequence << kSlotBits | slot % kSlots);
  }

  Writer writer;
  Shared shared;
  std::vector<std::unique_ptr<Shard>> shards;
};

Engine::Engine(std::unique_ptr<State> state) : state_(std::move(state)) {}

Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(store::Store& store, Programs& programs, TaskHandler& tasks,
                                             Tokens& tokens, const Clock& clock, const EngineOptions& options) {
  std::vector<std::pair<ShardId, Epoch>> taken;
  PAWL_ASSERT(options.shards > 0);
  for (uint32_t i = 1; i <= options.shards; ++i) {
    PAWL_TRY(const Epoch epoch, store.acquire(ShardId(i)));
    taken.emplace_back(ShardId(i), epoch);
  }
  auto state = std::make_unique<State>(store, programs, tasks, tokens, clock, options);
  state->shared.last_chunk = store.last_chunk().number;
  state->shared.last_sequence = store.last_execution().number >> kSlotBits;
  for (const auto& [shard, epoch] : taken)
    state->shards.push_back(std::make_unique<Shard>(shard, epoch, state->shared));
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

void Engine::start(StartRequest request, Answer<Started> answer) {
  const ExecutionId id = state_->next_execution(request);
  auto shared_answer = std::make_shared<Answer<Started>>(std::move(answer));
  const bool has_room = state_->owner_of(id).post(
      [id, request = std::move(request), shared_answer](Shard& shard) mutable {
        shard.start(id, std::move(request), std::move(*shared_answer));
      },
      false);
  if (!has_room)
    (*shared_answer)(
        fail("ENGINE_OVERLOADED", "More executions are being started than can be.", "Try again in a moment."));
}

void Engine::describe(ExecutionId id, Answer<Description> answer) {
  state_->owner_of(id).post(
      [id, answer = std::move(answer)](Shard& shard) mutable { shard.describe(id, std::move(answer)); }, true);
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

void Engine::put_documents(std::vector<store::Document> documents, Answer<void> answer) {
  state_->shards.front()->post(
      [documents = std::move(documents), answer = std::move(answer)](Shard& shard) mutable {
        shard.put_documents(std::move(documents), std::move(answer));
      },
      true);
}

WriterStatistics Engine::statistics() const { return state_->writer.statistics(); }

}  // namespace pawl::engine
