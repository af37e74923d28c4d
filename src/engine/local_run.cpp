#include "engine/local_run.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <span>

#include "base/assert.h"
#include "json/print.h"
#include "store/chunk_codec.h"
#include "store/snapshot_codec.h"

namespace pawl::engine {

namespace {

using kernel::Effect;
using kernel::EffectKind;
using kernel::Execution;
using kernel::Fact;
using kernel::Signal;
using kernel::SignalKind;

// Answers from any thread to the thread that runs. Outlives the run: a late answer finds it and is dropped.
class Mailbox {
 public:
  void put(OperationId operation, TaskAnswer answer) {
    const std::lock_guard lock(mutex_);
    answers_.push_back({operation, std::move(answer)});
    arrived_.notify_one();
  }
  // From now on no wait blocks.
  void interrupt() {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    arrived_.notify_one();
  }

  using Letter = std::pair<OperationId, TaskAnswer>;

  std::optional<Letter> take() {
    const std::lock_guard lock(mutex_);
    return take_locked();
  }
  std::optional<Letter> wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !answers_.empty() || interrupted_; });
    return take_locked();
  }
  std::optional<Letter> wait_until(Timestamp time) {
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, time, [&] { return !answers_.empty() || interrupted_; });
    return take_locked();
  }

 private:
  std::optional<Letter> take_locked() {
    if (answers_.empty()) return std::nullopt;
    Letter letter = std::move(answers_.front());
    answers_.pop_front();
    return letter;
  }

  std::mutex mutex_;  // guards answers_ and interrupted_
  std::condition_variable arrived_;
  std::list<Letter> answers_;  // a list, because an empty one costs nothing and most runs never get a letter
  bool interrupted_ = false;
};

class Services final : public kernel::TurnServices {
 public:
  Services(const Clock& clock, const LocalRunOptions& options)
      : clock_(clock), random_(options.seed), options_(options) {}

  Timestamp now() const override { return clock_.now(); }
  Random& random() override { return random_; }
  std::string task_token(OperationId operation, uint32_t attempt) override {
    return options_.execution_name + "-" + std::to_string(operation.number) + "-" + std::to_string(attempt);
  }
  Timestamp last_heartbeat(OperationId) const override { return {}; }
  bool has_activity(std::string_view resource) const override {
    return !options_.has_activity || options_.has_activity(resource);
  }

 private:
  const Clock& clock_;
  SeededRandom random_;
  const LocalRunOptions& options_;
};

constexpr size_t kFactsExpected = 32;  // most executions have fewer; the others grow

// Whether the n-th fact is one after which the state is rebuilt: each up to 1,000, then powers of two.
bool is_proof_point(uint64_t n) { return n <= 1000 || (n & (n - 1)) == 0; }

class Runner {
 public:
  Runner(const kernel::Program& program, TaskHandler& tasks, const LocalRunOptions& options)
      : program_(program),
        tasks_(tasks),
        options_(options),
        virtual_clock_(options.now.value_or(SystemClock().now())),
        clock_(options.virtual_time ? static_cast<const Clock&>(virtual_clock_) : system_clock_),
        services_(clock_, options),
        mailbox_(std::make_shared<Mailbox>()) {}

  Result<LocalRun> run(Value input, Value context) {
    facts_.reserve(kFactsExpected);
    const Signal start = start_signal(std::move(input), std::move(context), options_.input_text);
    const std::stop_callback interrupt(options_.stop, [mailbox = mailbox_] { mailbox->interrupt(); });
    take_turn(start);
    while (execution_->is_open()) {
      auto signal = next_signal();
      if (!signal) return std::unexpected(signal.error());
      take_turn(*signal);
    }
    return LocalRun{execution_->status(), execution_->outcome(), std::move(facts_)};
  }

 private:
  void take_turn(Signal signal) {
    for (;;) {
      const size_t first = facts_.size();
      std::vector<Effect> effects;
      kernel::Turn turn(*execution_, services_, options_.limits, facts_, effects);
      const kernel::TurnEnd end = kernel::decide(program_, signal, turn);
      report(first);
      for (const Effect& effect : effects) perform(effect);
      if (end == kernel::TurnEnd::kQuiet) return;
      signal = Signal{};
      signal.kind = SignalKind::kContinue;
      if (options_.stop.stop_requested()) signal = stop_signal();
    }
  }

  void report(size_t first) {
    for (size_t i = first; i < facts_.size(); ++i)
      if (options_.on_fact) options_.on_fact(facts_[i]);
    if (!options_.prove_rebuild) return;
    if (facts_.size() != first) chunks_.push_back(encoder().encode(std::span(facts_).subspan(first)));
    if (is_proof_point(facts_.size())) restart();
  }

  store::ChunkEncoder& encoder() {
    if (!encoder_) encoder_.emplace();
    return *encoder_;
  }

  // As after a crash: reads what was stored, asserts that it folds to the live state, and that a snapshot holds it, and
  // goes on with one of the two.
  void restart() {
    auto rebuilt = std::make_unique<Execution>();
    store::ChunkDecoder decoder;
    for (const std::string& chunk : chunks_) {
      const auto facts = decoder.decode(chunk);
      PAWL_ASSERT(facts.has_value(), to_string(facts.error()));
      for (const Fact& fact : *facts) rebuilt->evolve(fact);
    }
    const Value live = execution_->dump();
    const Value folded = rebuilt->dump();
    PAWL_ASSERT(live == folded, json::print(live), json::print(folded));
    auto restored = store::decode_snapshot(store::encode_snapshot(*execution_));
    PAWL_ASSERT(restored != nullptr, json::print(live));
    PAWL_ASSERT(restored->dump() == live, json::print(live), json::print(restored->dump()));
    execution_ = facts_.size() % 2 == 0 ? std::move(rebuilt) : std::move(restored);
    encoder_ = std::move(decoder).continue_encoding();
  }

  void perform(const Effect& effect) {
    switch (effect.kind) {
      case EffectKind::kDispatch:
      case EffectKind::kOffer:
        return dispatch(effect);
      case EffectKind::kCancel:
      case EffectKind::kCancelChild:
        in_flight_.erase(effect.operation);
        return tasks_.cancel(TaskId(effect.operation.number));
      case EffectKind::kClosed:
      case EffectKind::kSubscribe:
      case EffectKind::kUnsubscribe:
      case EffectKind::kPublish:
        return;
    }
  }

  void dispatch(const Effect& effect) {
    const kernel::Operation* operation = execution_->find_operation(effect.operation);
    if (operation == nullptr) return;  // it ended within the same turn
    if (effect.kind == EffectKind::kOffer) {
      mark_activity_taken(effect.operation);
      operation = execution_->find_operation(effect.operation);
      if (operation == nullptr) return;
    }
    TaskRequest request = make_request(*operation);
    in_flight_.insert(operation->id);
    const auto answer = [mailbox = mailbox_, id = operation->id](TaskAnswer given) {
      mailbox->put(id, std::move(given));
    };
    if (tasks_.start(request, answer) == TaskHandler::Expect::kNothing) in_flight_.erase(effect.operation);
  }

  // Here the handler is the worker that polls: it takes the activity as soon as it is offered.
  void mark_activity_taken(OperationId id) {
    Signal taken;
    taken.kind = SignalKind::kOperationStarted;
    taken.operation = id;
    take_turn(taken);
  }

  TaskRequest make_request(const kernel::Operation& operation) const {
    TaskRequest request;
    request.task = TaskId(operation.id.number);
    request.attempt = operation.attempt;
    request.kind = operation.kind;
    request.labels = options_.labels;
    kernel::Call call = program_.call_of(*execution_, operation);
    request.state = std::move(call.name);
    request.resource = std::move(call.resource);
    request.input = std::move(call.input);
    request.endpoint = std::move(call.endpoint);
    request.idempotency_key = options_.execution_name + "-" + std::to_string(operation.id.number);
    if (operation.timeout_s != 0) request.timeout = std::chrono::seconds(operation.timeout_s);
    request.waits_for_token = operation.kind == kernel::OperationKind::kCallback;
    return request;
  }

  Result<Signal> next_signal() {
    for (;;) {
      auto letter = next_letter();
      if (options_.stop.stop_requested()) return stop_signal();
      if (!letter) return std::unexpected(letter.error());
      if (!*letter) return Signal{};  // a timer: SignalKind::kWake
      auto signal = to_signal(std::move(**letter));
      if (signal) return *signal;
    }
  }

  static Signal stop_signal() {
    Signal stop;
    stop.kind = SignalKind::kStop;
    stop.value = Value::empty_object();
    return stop;
  }

  // A letter, or none when it is time to wake.
  Result<std::optional<Mailbox::Letter>> next_letter() {
    if (auto letter = mailbox_->take()) return letter;
    const Timestamp due = execution_->next_due();
    if (in_flight_.empty() && due == kNever)
      return fail("RUN_STUCK", "The execution waits for an answer that nothing can give.",
                  "Give the task a timeout or an answer.");
    if (!options_.virtual_time) return due == kNever ? mailbox_->wait() : mailbox_->wait_until(due);
    if (!in_flight_.empty()) return mailbox_->wait();
    virtual_clock_.advance_to(due);
    return std::optional<Mailbox::Letter>();
  }

  std::optional<Signal> to_signal(Mailbox::Letter letter) {
    auto& [operation, answer] = letter;
    if (answer.kind != TaskAnswer::Kind::kSubmitted) {
      if (execution_->find_operation(operation) == nullptr) return std::nullopt;
    }
    in_flight_.erase(operation);
    return engine::to_signal(operation, std::move(answer));
  }

  const kernel::Program& program_;
  TaskHandler& tasks_;
  const LocalRunOptions& options_;
  SystemClock system_clock_;
  VirtualClock virtual_clock_;
  const Clock& clock_;
  Services services_;
  std::shared_ptr<Mailbox> mailbox_;
  std::unique_ptr<Execution> execution_ = std::make_unique<Execution>();
  std::vector<Fact> facts_;
  std::optional<store::ChunkEncoder> encoder_;  // with the chunks, where the rebuild is proved
  std::vector<std::string> chunks_;
  std::set<OperationId> in_flight_;
};

}  // namespace

kernel::Signal start_signal(Value input, Value context, const std::string& input_text) {
  Signal start;
  start.kind = SignalKind::kStart;
  json::ObjectBuilder extra;
  extra.set("context", std::move(context));
  if (!input_text.empty() && input_text != json::print(input)) extra.set("inputText", Value::string(input_text));
  start.extra = extra.build();
  start.value = std::move(input);
  return start;
}

Result<LocalRun> run_local(const kernel::Program& program, Value input, Value context, TaskHandler& tasks,
                           const LocalRunOptions& options) {
  return Runner(program, tasks, options).run(std::move(input), std::move(context));
}

}  // namespace pawl::engine
