#include "engine/shard.h"

#include <utility>

#include "base/assert.h"
#include "json/print.h"

namespace pawl::engine {

using kernel::Effect;
using kernel::EffectKind;
using kernel::Signal;
using kernel::SignalKind;

namespace {

constexpr Duration kNearFuture{10'000};      // timers due within it are in memory
constexpr size_t kTimersAtOnce = 1'000;      // read or fired before messages get their turn again
constexpr size_t kTimersLoadedMax = 50'000;  // in memory
constexpr size_t kRecoveredAtOnce = 100;
constexpr Duration kPauseAfterRollback{1'000};

// What a turn asks of the world, for one execution.
class Services final : public kernel::TurnServices {
 public:
  Services(ExecutionId execution, Shared& shared, Random& random,
           const std::map<std::pair<ExecutionId, OperationId>, Timestamp>& heartbeats)
      : execution_(execution), shared_(shared), random_(random), heartbeats_(heartbeats) {}

  Timestamp now() const override { return shared_.clock.now(); }
  Random& random() override { return random_; }
  std::string task_token(OperationId operation, uint32_t attempt) override {
    return shared_.tokens.mint(execution_, operation, attempt);
  }
  Timestamp last_heartbeat(OperationId operation) const override {
    const auto found = heartbeats_.find({execution_, operation});
    return found == heartbeats_.end() ? Timestamp{} : found->second;
  }
  bool has_activity(std::string_view) const override { return true; }  // any worker may ask for any activity

 private:
  ExecutionId execution_;
  Shared& shared_;
  Random& random_;
  const std::map<std::pair<ExecutionId, OperationId>, Timestamp>& heartbeats_;
};

Error rolled_back(const store::CommitResult& result) { return result.error().error; }

}  // namespace

// FNV-1a: the hash is stored, so it may not change with the library.
uint64_t hash_name(std::string_view family, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
  };
  mix(family);
  mix(name);
  return hash >> 1;  // SQLite's integers are signed
}

// --- the thread
// ----------------------------------------------------------------------------------------------------------

Shard::Shard(ShardId id, Epoch epoch, Shared& shared)
    : id_(id),
      epoch_(epoch),
      shared_(shared),
      inbox_(std::make_shared<Inbox>(shared.options.mailbox_max)),
      random_(std::make_unique<SeededRandom>(entropy_seed())),
      thread_([this] { run(); }) {}

Shard::~Shard() {
  inbox_->stop();
  thread_.join();
  for (const auto& [operation, task] : dispatched_) shared_.tasks.cancel(task);
}

void Shard::run() {
  recover();
  for (;;) {
    const bool must_submit = !committing_ && !gathering_.empty();
    const Duration patience = must_submit ? Duration(0) : next_timer() - shared_.clock.now();
    for (Message& message : inbox_->take(patience)) message(*this);
    fire_timers();
    evict_beyond_limit();
    if (!committing_ && !gathering_.empty()) submit();
    if (!committing_ && gathering_.empty() && inbox_->is_stopped_and_empty()) return;
  }
}

// --- loading and turns
// ---------------------------------------------------------------------------------------------------

Result<LoadedExecution*> Shard::load(ExecutionId id) {
  const auto found = loaded_.find(id);
  if (found != loaded_.end()) return found->second.get();
  auto fresh = LoadedExecution::load(id, shared_.store, shared_.programs);
  if (!fresh) return std::unexpected(fresh.error());
  return loaded_.emplace(id, *std::move(fresh)).first->second.get();
}

void Shard::take_turn(LoadedExecution& loaded, const Signal& signal) {
  const ExecutionId id = loaded.row().id;
  const size_t before = loaded.unsaved().size();
  std::vector<Effect> effects;
  Services services(id, shared_, *random_, heartbeats_);
  kernel::Turn turn(loaded.execution(), services, shared_.options.limits, loaded.unsaved(), effects);
  const bool was_cut = kernel::decide(loaded.program(), signal, turn) == kernel::TurnEnd::kCut;
  loaded.set_unfinished(was_cut);
  if (loaded.unsaved().size() != before) gathering_.touched.insert(id);
  for (const Effect& effect : effects) gathering_.effects.push_back({id, effect});
  if (was_cut) post([id](Shard& shard) { shard.resume(id); }, true);
}

void Shard::resume(ExecutionId id) {
  auto loaded = load(id);
  if (!loaded) return;
  Signal more;
  more.kind = SignalKind::kContinue;
  take_turn(**loaded, more);
  release_if_idle(id);
}

template <typename T>
void Shard::answer_when_durable(Answer<T> answer, T value) {
  when_durable([answer = std::move(answer), value = std::move(value)](const store::CommitResult& result) mutable {
    if (result)
      answer(std::move(value));
    else
      answer(std::unexpected(rolled_back(result)));
  });
}

// --- messages
// ------------------------------------------------------------------------------------------------------------

// A start with a name that is taken: the same input, still running, is the same start; anything else is refused.
std::optional<Started> Shard::find_same_start(uint64_t name_hash, const StartRequest& request, bool& is_taken) {
  std::vector<ExecutionId> candidates = shared_.store.find_names(name_hash);
  const auto [begin, end] = unsaved_names_.equal_range(name_hash);
  for (auto at = begin; at != end; ++at) candidates.push_back(at->second);
  for (const ExecutionId id : candidates) {
    auto loaded = load(id);
    if (!loaded || (*loaded)->row().name != request.name) continue;
    const bool same_family =
        shared_.programs.family_of((*loaded)->row().definition) == shared_.programs.family_of(request.definition);
    if (!same_family) continue;
    is_taken = true;
    const bool is_same = (*loaded)->execution().is_open() && (*loaded)->execution().input() == request.input;
    const Started started{id, (*loaded)->row().started, false};
    release_if_idle(id);
    if (is_same) return started;
  }
  return std::nullopt;
}

void Shard::start(ExecutionId id, StartRequest request, Answer<Started> answer) {
  auto program = shared_.programs.find(request.definition);
  if (program == nullptr) return answer(fail("DEFINITION_MISSING", "There is no such definition.", "Deploy it first."));
  uint64_t name_hash = 0;
  if (!request.name.empty()) {
    name_hash = hash_name(shared_.programs.family_of(request.definition), request.name);
    bool is_taken = false;
    if (auto same = find_same_start(name_hash, request, is_taken)) return answer_when_durable(std::move(answer), *same);
    if (is_taken) {
      return when_durable([answer = std::move(answer), name = request.name](const store::CommitResult&) mutable {
        answer(
            fail("EXECUTION_ALREADY_EXISTS", "There is an execution '" + name + "' already.", "Give it another name."));
      });
    }
  }
  store::ExecutionRow row;
  row.id = id;
  row.definition = request.definition;
  row.name = request.name;
  row.started = shared_.clock.now();
  auto loaded = std::make_unique<LoadedExecution>(row, std::move(program));
  Signal signal;
  signal.kind = SignalKind::kStart;
  json::ObjectBuilder extra(2);
  if (request.make_context) extra.set("context", request.make_context(id, row.started));
  if (!request.input_text.empty() && request.input_text != json::print(request.input))
    extra.set("inputText", Value::string(request.input_text));
  signal.extra = extra.build();
  signal.value = std::move(request.input);
  take_turn(*loaded, signal);
  loaded_.emplace(id, std::move(loaded));
  if (name_hash != 0) {
    gathering_.batch.names.push_back({name_hash, id});
    gathering_.names.push_back({name_hash, id});
    unsaved_names_.emplace(name_hash, id);
  }
  answer_when_durable(std::move(answer), Started{id, row.started, true});
}

void Shard::signal(ExecutionId id, Signal signal, Answer<void> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  if (signal.kind == SignalKind::kOperationEnded) heartbeats_.erase({id, signal.operation});
  take_turn(**loaded, signal);
  release_if_idle(id);
  when_durable([answer = std::move(answer)](const store::CommitResult& result) mutable {
    if (result)
      answer({});
    else
      answer(std::unexpected(rolled_back(result)));
  });
}

bool Shard::is_waiting(ExecutionId id, OperationId operation, uint32_t attempt) {
  auto loaded = load(id);
  if (!loaded) return false;
  const kernel::Operation* open = (*loaded)->execution().find_operation(operation);
  const bool waits = open != nullptr && open->attempt == attempt;
  if (!waits) release_if_idle(id);
  return waits;
}

namespace {

std::unexpected<Error> not_open() {
  return fail("OPERATION_NOT_OPEN", "Nothing waits for this answer any more.",
              "Nothing to do: it came too late, or twice.");
}

}  // namespace

void Shard::complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer) {
  if (is_waiting(id, operation, attempt)) return signal(id, to_signal(operation, std::move(result)), std::move(answer));
  when_durable([answer = std::move(answer)](const store::CommitResult&) mutable { answer(not_open()); });
}

void Shard::heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer) {
  if (!is_waiting(id, operation, attempt))
    return when_durable([answer = std::move(answer)](const store::CommitResult&) mutable { answer(not_open()); });
  heartbeats_[{id, operation}] = shared_.clock.now();
  release_if_idle(id);
  answer({});
}

void Shard::stop(ExecutionId id, Value error, Answer<Timestamp> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  Signal signal;
  signal.kind = SignalKind::kStop;
  signal.value = std::move(error);
  take_turn(**loaded, signal);
  answer_when_durable(std::move(answer), (*loaded)->execution().last_time());
  release_if_idle(id);
}

void Shard::describe(ExecutionId id, Answer<Description> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  const kernel::Execution& execution = (*loaded)->execution();
  Description description{(*loaded)->row(), execution.status(), execution.input(), execution.input_text(),
                          execution.outcome()};
  if (!execution.is_open()) description.row.closed = execution.last_time();
  answer_when_durable(std::move(answer), std::move(description));
  release_if_idle(id);
}

// What is stored, read once everything that the execution has decided is.
void Shard::read_facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer) {
  when_durable([this, id, answer = std::move(answer)](const store::CommitResult&) mutable {
    const auto row = shared_.store.find_execution(id);
    if (!row) return answer(fail("EXECUTION_NOT_FOUND", "There is no such execution.", "Check its name."));
    const auto live = shared_.store.find_live(id);
    auto chunks = shared_.store.load_chunks(id, live ? live->head : row->head);
    if (!chunks) return answer(std::unexpected(chunks.error()));
    std::vector<kernel::Fact> facts;
    store::ChunkDecoder decoder;
    for (const store::Chunk& chunk : *chunks) {
      auto decoded = decoder.decode(chunk.body);
      if (!decoded) return answer(std::unexpected(decoded.error()));
      facts.insert(facts.end(), std::make_move_iterator(decoded->begin()), std::make_move_iterator(decoded->end()));
    }
    answer(std::move(facts));
  });
}

void Shard::put_documents(std::vector<store::Document> documents, Answer<void> answer) {
  for (store::Document& document : documents) gathering_.batch.documents.push_back(std::move(document));
  when_durable([answer = std::move(answer)](const store::CommitResult& result) mutable {
    if (result)
      answer({});
    else
      answer(std::unexpected(rolled_back(result)));
  });
}

// --- committing
// ----------------------------------------------------------------------------------------------------------

void Shard::submit() {
  in_flight_ = std::exchange(gathering_, Gathering{});
  in_flight_.batch.shard = id_;
  in_flight_.batch.epoch = epoch_;
  const Timestamp retention_end = shared_.clock.now() + shared_.options.retention;
  for (const ExecutionId id : in_flight_.touched) {
    const auto found = loaded_.find(id);
    if (found != loaded_.end() && !found->second->unsaved().empty())
      found->second->save(store::ChunkId(++shared_.last_chunk), retention_end, in_flight_.batch);
  }
  committing_ = true;
  if (in_flight_.batch.empty()) return settle({});
  // The inbox, not the shard: the writer may still be in post() when the shard has taken the message and is gone.
  shared_.writer.submit(std::exchange(in_flight_.batch, {}), [inbox = inbox_](const store::CommitResult& result) {
    inbox->post([result](Shard& shard) { shard.settle(result); }, true);
  });
}

void Shard::settle(const store::CommitResult& result) {
  Gathering done = std::exchange(in_flight_, Gathering{});
  committing_ = false;
  if (result) {
    for (const PendingEffect& pending : done.effects) perform(pending);
  } else {
    Gathering on_top = std::exchange(gathering_, Gathering{});
    forget(done);
    forget(on_top);
    for (Settle& answer : on_top.answers) done.answers.push_back(std::move(answer));
    done.names.insert(done.names.end(), on_top.names.begin(), on_top.names.end());
  }
  for (Settle& answer : done.answers) answer(result);
  for (const store::NameRow& name : done.names) {
    const auto [begin, end] = unsaved_names_.equal_range(name.hash);
    for (auto at = begin; at != end;) at = at->second == name.execution ? unsaved_names_.erase(at) : std::next(at);
  }
  for (const ExecutionId id : done.touched) release_if_idle(id);
}

// Nothing of the commit is there. What is stored is looked at again after a pause: a timer that had fired, a task whose
// result was in it.
void Shard::forget(const Gathering& void_ones) {
  for (const ExecutionId id : void_ones.touched) {
    loaded_.erase(id);
    timers_.insert({shared_.clock.now() + kPauseAfterRollback, id});
  }
}

// --- memory
// --------------------------------------------------------------------------------------------------------------

void Shard::release_if_idle(ExecutionId id) {
  const auto found = loaded_.find(id);
  if (found == loaded_.end() || gathering_.touched.contains(id) || in_flight_.touched.contains(id)) return;
  const LoadedExecution& loaded = *found->second;
  if (loaded.execution().is_open()) {
    const Timestamp due = loaded.execution().next_due();
    if (due != kNever && due <= timers_until_) timers_.insert({due, id});
    if (loaded.needs_attention()) return;
  }
  loaded_.erase(found);
}

void Shard::evict_beyond_limit() {
  for (auto at = loaded_.begin(); at != loaded_.end() && loaded_.size() > shared_.options.loaded_max;) {
    const bool is_busy = !at->second->unsaved().empty() || gathering_.touched.contains(at->first) || committing_;
    at = is_busy ? std::next(at) : loaded_.erase(at);
  }
}

// --- timers
// --------------------------------------------------------------------------------------------------------------

Timestamp Shard::next_timer() const {
  return timers_.empty() ? timers_until_ : std::min(timers_until_, timers_.begin()->due);
}

void Shard::load_near_timers() {
  const Timestamp until = shared_.clock.now() + kNearFuture;
  for (;;) {
    const auto page = shared_.store.due(until, timers_loaded_, kTimersAtOnce);
    for (const store::Wake& wake : page)
      if (owns(wake.execution)) timers_.insert(wake);
    if (page.size() < kTimersAtOnce) break;
    timers_loaded_ = page.back();
    if (timers_.size() < kTimersLoadedMax) continue;
    timers_until_ = timers_loaded_.due;
    return;
  }
  timers_loaded_ = {};
  timers_until_ = until;
}

void Shard::fire_timers() {
  const Timestamp now = shared_.clock.now();
  for (size_t fired = 0; fired < kTimersAtOnce && !timers_.empty() && timers_.begin()->due <= now; ++fired) {
    const store::Wake wake = *timers_.begin();
    timers_.erase(timers_.begin());
    fire(wake);
  }
  const bool has_fired_all = timers_.empty() || timers_.begin()->due > now;
  if (timers_until_ <= now && has_fired_all) load_near_timers();
}

// A wake that is stale, because the execution went on meanwhile, yields no facts.
void Shard::fire(const store::Wake& wake) {
  auto loaded = load(wake.execution);
  if (!loaded) return;
  if ((*loaded)->execution().is_open()) {
    dispatch_lost(**loaded);
    take_turn(**loaded, Signal{});
  } else {
    remove_if_outdated(**loaded, wake);
  }
  release_if_idle(wake.execution);
}

// The wake of a closed execution is the end of its retention.
void Shard::remove_if_outdated(const LoadedExecution& loaded, const store::Wake& wake) {
  const store::ExecutionRow& row = loaded.row();
  const bool is_stored_as_closed = row.closed != kNever && loaded.is_saved();
  if (!is_stored_as_closed || wake.due < row.closed + shared_.options.retention) return;
  const uint64_t name_hash = row.name.empty() ? 0 : hash_name(shared_.programs.family_of(row.definition), row.name);
  gathering_.batch.removed.push_back({row.id, name_hash, wake.due});
}

// --- effects
// -------------------------------------------------------------------------------------------------------------

void Shard::perform(const PendingEffect& pending) {
  switch (pending.effect.kind) {
    case EffectKind::kDispatch: {
      auto loaded = load(pending.execution);
      if (!loaded) return;
      if (const auto* operation = (*loaded)->execution().find_operation(pending.effect.operation))
        dispatch(**loaded, *operation);
      return;
    }
    case EffectKind::kCancel:
      return cancel(pending.execution, pending.effect.operation);
    case EffectKind::kOffer:
    case EffectKind::kClosed:
      return;
  }
}

void Shard::dispatch(LoadedExecution& loaded, const kernel::Operation& operation) {
  const ExecutionId id = loaded.row().id;
  TaskRequest request;
  request.task = TaskId(++shared_.last_task);
  request.attempt = operation.attempt;
  request.state = loaded.program().state_name(operation.state);
  request.resource = loaded.program().resource_of(operation.state);
  request.input = operation.input;
  request.idempotency_key = std::to_string(id.number) + "-" + std::to_string(operation.id.number);
  if (operation.timeout_s != 0) request.timeout = std::chrono::seconds(operation.timeout_s);
  request.waits_for_token = operation.kind == kernel::OperationKind::kCallback;
  dispatched_[{id, operation.id}] = request.task;
  shared_.tasks.start(request, [inbox = inbox_, id, operation_id = operation.id](TaskAnswer given) {
    const bool is_final = given.kind != TaskAnswer::Kind::kSubmitted;
    const auto take = [id, operation_id, is_final, given = std::move(given)](Shard& shard) mutable {
      if (is_final) shard.dispatched_.erase({id, operation_id});
      shard.signal(id, to_signal(operation_id, std::move(given)), [](Result<void>) {});
    };
    inbox->post(take, true);
  });
}

// Calls what is recorded as called and is not out: after a restart all of it, after a rollback what had been answered.
void Shard::dispatch_lost(LoadedExecution& loaded) {
  const ExecutionId execution = loaded.row().id;
  const bool has_effects_to_come = in_flight_.touched.contains(execution) || gathering_.touched.contains(execution);
  if (has_effects_to_come) return;
  for (const auto& [id, operation] : loaded.execution().open_operations()) {
    const bool was_called = operation.phase == kernel::Operation::Phase::kStarted && operation.is_shown() &&
                            operation.kind != kernel::OperationKind::kActivity;
    if (was_called && !dispatched_.contains({execution, id})) dispatch(loaded, operation);
  }
}

void Shard::cancel(ExecutionId id, OperationId operation) {
  heartbeats_.erase({id, operation});
  const auto found = dispatched_.find({id, operation});
  if (found == dispatched_.end()) return;
  shared_.tasks.cancel(found->second);
  dispatched_.erase(found);
}

// What was under way when the process ended: turns go on, tasks are called again with the same key.
void Shard::recover() {
  load_near_timers();
  ExecutionId after;
  for (;;) {
    const auto page = shared_.store.needing_attention(after, kRecoveredAtOnce);
    for (const store::LiveRow& row : page) {
      if (!owns(row.execution)) continue;
      auto loaded = load(row.execution);
      if (!loaded) continue;
      dispatch_lost(**loaded);
      if ((*loaded)->execution().first_ready()) resume(row.execution);
    }
    if (page.size() < kRecoveredAtOnce) return;
    after = page.back().execution;
  }
}

}  // namespace pawl::engine
