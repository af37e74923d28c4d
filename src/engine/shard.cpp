#include "engine/shard.h"

#include "base/fnv.h"

namespace pawl::engine {

using kernel::Effect;
using kernel::Signal;

namespace {

// What a turn asks of the world, for one execution.
class Services final : public kernel::TurnServices {
 public:
  Services(ExecutionId execution, Shared& shared, Random& random, const Shard& shard)
      : execution_(execution), shared_(shared), random_(random), shard_(shard) {}

  Timestamp now() const override { return shared_.borders.clock.now(); }
  Random& random() override { return random_; }
  std::string task_token(OperationId operation, uint32_t attempt) override {
    return shared_.borders.tokens.mint(execution_, operation, attempt);
  }
  Timestamp last_heartbeat(OperationId operation) const override { return shard_.last_beat(execution_, operation); }
  bool has_activity(std::string_view resource) const override { return shared_.borders.activities.exists(resource); }

 private:
  ExecutionId execution_;
  Shared& shared_;
  Random& random_;
  const Shard& shard_;
};

// Whether an execution is there and cannot be read. One that is missing, or whose definition is, is no doubt.
bool is_doubt(const Error& error) { return error.code != "EXECUTION_NOT_FOUND" && error.code != "DEFINITION_MISSING"; }

}  // namespace

uint64_t hash_name(std::string_view family, std::string_view name) {
  constexpr std::string_view kEnd = "\xff";  // in no text: what comes after it is another one
  const uint64_t hash = hash_fnv(kEnd, hash_fnv(name, hash_fnv(kEnd, hash_fnv(family))));
  return hash >> 1;  // SQLite's integers are signed
}

Shard::Shard(ShardId id, Epoch epoch, Shared& shared)
    : id_(id),
      epoch_(epoch),
      shared_(shared),
      opened_(shared.borders.clock.now()),
      inbox_(shared.inboxes[id.number - 1]),
      random_(std::make_unique<SeededRandom>(shared.options.seed == 0 ? entropy_seed() : shared.options.seed)) {
  if (id == kDeskShard) post([](Shard& shard) { shard.open_desk(); }, true);
  post([](Shard& shard) { shard.recover_after(ExecutionId()); }, true);
  post([](Shard& shard) { shard.deliver_stored(store::MessageId(), Whose::kOwn); }, true);
  if (shared.options.threads) thread_ = std::thread([this] { run(); });
}

Shard::~Shard() {
  inbox_->stop();
  if (thread_.joinable()) thread_.join();
  for (const auto& [operation, out] : dispatched_) shared_.borders.tasks.cancel(out.task);
}

void Shard::run() {
  std::unique_lock moving(moving_);
  load_near_timers();
  for (;;) {
    if (shared_.options.advance_clock) advance_clock_if_idle();
    rest(moving);
    move();
    if (!committing_ && gathering_.empty() && inbox_->is_stopped_and_empty()) return;
  }
}

// No longer than until the next thing to do. Others may move the shard meanwhile.
void Shard::rest(std::unique_lock<std::mutex>& moving) {
  resting_until_ = next_timer();
  const Duration patience = resting_until_ - now();
  if (must_submit() || patience <= Duration(0)) return;
  moving.unlock();
  inbox_->wait(patience);
  moving.lock();
}

void Shard::help() {
  {
    const std::unique_lock moving(moving_, std::try_to_lock);
    const size_t waiting = inbox_->size();
    if (waiting == 0) return;
    if (moving && waiting == 1 && !committing_) {
      move();
      if (!must_submit() && next_timer() >= resting_until_) return;
    }
  }
  inbox_->wake();
}

bool Shard::move() {
  std::vector<Message> messages = inbox_->take();
  for (Message& message : messages) message(*this);
  const bool has_fired = fire_timers();
  evict_beyond_limit();
  if (!committing_ && has_desk_work()) go_on_with_events();
  const bool has_batch = !committing_ && !gathering_.empty();
  if (has_batch) submit();
  return !messages.empty() || has_fired || has_batch;
}

void Shard::advance_clock_if_idle() {
  const bool is_idle = !committing_ && gathering_.empty() && inbox_->is_empty() && !has_desk_work();
  if (!is_idle) return;
  for (const auto& [operation, out] : dispatched_)
    if (out.answers) return;
  const Timestamp next = next_due();
  if (next != kNever && next > now()) shared_.options.advance_clock(next);
}

// A stored wake that is due already is that of an execution in memory, whose own timer counts.
Timestamp Shard::next_due() const {
  const Timestamp stored = shared_.borders.store.next_wake();
  if (!timers_.empty() && (stored <= now() || timers_.begin()->due < stored)) return timers_.begin()->due;
  return stored;
}

// --- loading and turns

Result<LoadedExecution*> Shard::load(ExecutionId id) {
  const auto found = loaded_.find(id);
  if (found != loaded_.end()) return found->second.get();
  auto fresh = LoadedExecution::load(id, shared_.borders.store, shared_.borders.programs);
  if (!fresh && is_doubt(fresh.error())) shared_.options.on_doubt(fresh.error());
  if (!fresh) return std::unexpected(fresh.error());
  return loaded_.emplace(id, *std::move(fresh)).first->second.get();
}

Value Shard::dump(ExecutionId id) const {
  const auto found = loaded_.find(id);
  return found == loaded_.end() ? Value() : found->second->execution().dump();
}

std::optional<Result<Value>> Shard::take_turn(LoadedExecution& loaded, const Signal& signal) {
  const ExecutionId id = loaded.row().id;
  const size_t before = loaded.unsaved().size();
  std::vector<Effect> effects;
  Services services(id, shared_, *random_, *this);
  kernel::Turn turn(loaded.execution(), services, shared_.options.limits, loaded.unsaved(), effects);
  const bool was_cut = kernel::decide(loaded.program(), signal, turn) == kernel::TurnEnd::kCut;
  loaded.set_unfinished(was_cut);
  if (loaded.unsaved().size() != before) gathering_.touched.insert(id);
  for (size_t i = before; i < loaded.unsaved().size(); ++i)
    if (loaded.unsaved()[i].kind == kernel::FactKind::kEventPublished) publish_produced(id, loaded.unsaved()[i]);
  for (const Effect& effect : effects) {
    gathering_.effects.push_back({id, effect});
    if (effect.kind == kernel::EffectKind::kClosed) tell_waiters(loaded);
    if (effect.kind == kernel::EffectKind::kCancelChild)
      send(id, {ChildMessage::Kind::kStop, effect.operation, effect.attempt, {}});
  }
  if (was_cut) post([id](Shard& shard) { shard.resume(id); }, true);
  return turn.take_answer();
}

void Shard::resume(ExecutionId id) {
  auto loaded = load(id);
  if (!loaded) return;
  Signal more;
  more.kind = kernel::SignalKind::kContinue;
  take_turn(**loaded, more);
  release_if_idle(id);
}

// --- memory

void Shard::release_if_idle(ExecutionId id) {
  const auto found = loaded_.find(id);
  if (found == loaded_.end() || gathering_.touched.contains(id) || in_flight_.touched.contains(id)) return;
  const LoadedExecution& loaded = *found->second;
  if (loaded.execution().is_open()) {
    const Timestamp look = next_look(loaded);
    if (look != kNever && look <= timers_until_) timers_.insert({look, id});
    if (loaded.is_busy()) return;
  }
  loaded_.erase(found);
}

void Shard::evict_beyond_limit() {
  for (auto at = loaded_.begin(); at != loaded_.end() && loaded_.size() > shared_.options.loaded_max;) {
    const bool is_busy = !at->second->unsaved().empty() || gathering_.touched.contains(at->first) || committing_;
    at = is_busy ? std::next(at) : loaded_.erase(at);
  }
}

}  // namespace pawl::engine
