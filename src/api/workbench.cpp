#include "api/workbench.h"

#include <algorithm>
#include <deque>

#include "api/bench_programs.h"
#include "api/bench_store.h"
#include "api/bench_tasks.h"
#include "api/scheduled_events.h"
#include "api/start_window.h"
#include "engine/engine.h"
#include "store/memory/memory_store.h"

namespace pawl::api {

namespace {

class BenchTokens final : public engine::Tokens {
 public:
  std::string mint(ExecutionId execution, OperationId operation, uint32_t attempt) override {
    return std::to_string(execution.number) + "-" + std::to_string(operation.number) + "-" + std::to_string(attempt);
  }
};

// No worker asks here.
class NoActivities final : public engine::Activities {
 public:
  bool exists(std::string_view) override { return false; }
  void offer(engine::ActivityOffer) override {}
  void withdraw(ExecutionId, OperationId) override {}
};

kernel::Status status_after(kernel::FactKind end) {
  if (end == kernel::FactKind::kExecutionSucceeded) return kernel::Status::kSucceeded;
  if (end == kernel::FactKind::kExecutionTimedOut) return kernel::Status::kTimedOut;
  if (end == kernel::FactKind::kExecutionAborted) return kernel::Status::kAborted;
  return kernel::Status::kFailed;
}

std::unexpected<Error> interrupted() { return fail("INTERRUPTED", "The run was stopped.", "Nothing to do."); }

}  // namespace

class Workbench::Parts {
 public:
  Parts(BenchDefinition definition, engine::TaskHandler& tasks, BenchOptions options)
      : options_(std::move(options)),
        virtual_clock_(options_.now.value_or(SystemClock().now())),
        clock_(options_.virtual_time ? static_cast<const Clock&>(virtual_clock_) : system_clock_),
        programs_(std::move(definition), options_, clock_.now()),
        store_(memory_, {[this](const store::ExecutionRow& row) { note_start(row); },
                         [this](ExecutionId id, FactSeq seq, const kernel::Fact& fact) { note_fact(id, seq, fact); }}),
        tasks_(tasks, workflows_, options_.restart_after_each_commit) {}

  void add_start(Value input, std::string input_text, std::string name) {
    engine::StartRequest request;
    request.definition = BenchPrograms::kFirst;
    request.name = std::move(name);
    request.input = std::move(input);
    request.input_text = std::move(input_text);
    request.labels = options_.labels;
    starts_.push_back(std::move(request));
  }

  void add_scheduled_start(std::string name) {
    add_start(Value::empty_object(), {}, std::move(name));
    engine::StartRequest& request = starts_.back();
    request.events = scheduled_events(programs_.find(BenchPrograms::kFirst)->start_rule(),
                                      programs_.name_of(BenchPrograms::kFirst), request.name, clock_.now());
  }
  Result<void> add_start_by_rule(Value input, std::string input_text, std::string name);
  void add_event(Duration after, Value event) { events_.push_back({after, std::move(event)}); }

  Result<std::vector<Instance>> run();
  Timestamp now() const { return clock_.now(); }

 private:
  struct Event {
    Duration after;
    Value value;
  };

  Result<void> open();
  Result<void> reopen();
  void start_all();
  Result<bool> move();
  bool publish_next();
  Timestamp next_event() const { return events_.empty() ? kNever : begun_ + events_.front().after; }
  bool has_ended() const { return events_.empty() && open_ == 0; }
  void note_start(const store::ExecutionRow& row);
  void note_fact(ExecutionId id, FactSeq seq, const kernel::Fact& fact);
  void note_end(ExecutionId id, const kernel::Fact& fact);
  Result<void> trouble() const;

  const BenchOptions options_;
  SystemClock system_clock_;
  VirtualClock virtual_clock_;
  const Clock& clock_;
  BenchPrograms programs_;
  store::MemoryStore memory_;  // where no other store is given
  BenchStore store_;
  engine::SubWorkflows workflows_;
  BenchTasks tasks_;
  BenchTokens tokens_;
  NoActivities activities_;
  std::unique_ptr<engine::Engine> engine_;
  std::optional<engine::SubWorkflows::World> world_;
  std::deque<engine::StartRequest> starts_;
  std::deque<Event> events_;  // the earliest first
  Timestamp begun_{};
  std::optional<Error> refusal_;

  struct Running {
    store::DefinitionId definition;
    std::string name;
    std::optional<size_t> instance;  // which of instances_; none: a sub-workflow
  };
  std::unordered_map<ExecutionId, Running> running_;
  size_t open_ = 0;
  size_t started_ = 0;
  uint64_t openings_ = 0;  // of the engine
  std::vector<Instance> instances_;
};

// --- the engine

Result<void> Workbench::Parts::open() {
  if (options_.open_store) store_.turn_to(options_.open_store());
  engine::EngineOptions options;
  options.limits = options_.limits;
  options.threads = false;
  options.seed = options_.seed + ++openings_;  // 0 would be another one each time; what was drawn is not drawn again
  options.retention = engine::kKeepForever;
  engine::Borders borders{store_, programs_, tasks_, activities_, tokens_, clock_, &workflows_};
  borders.triggers = &programs_;
  PAWL_TRY(engine_, engine::Engine::open(borders, options));
  world_.emplace(*engine_, programs_, store_, clock_);
  workflows_.serve(*world_);
  return {};
}

Result<void> Workbench::Parts::reopen() {
  engine_.reset();
  return open();
}

// One thing happens: whatever is ready is done and made durable. False where nothing was ready.
Result<bool> Workbench::Parts::move() {
  const bool has_moved = engine_->run_ready();
  const bool has_committed = engine_->commit();
  if (has_committed && options_.restart_after_each_commit)
    if (auto opened = reopen(); !opened) return std::unexpected(opened.error());
  return has_moved || has_committed;
}

void Workbench::Parts::start_all() {
  for (engine::StartRequest& request : starts_) {
    request.make_context = [this, name = request.name, input = request.input](ExecutionId id, Timestamp started) {
      return programs_.make_context(BenchPrograms::kFirst, id, name, input, started);
    };
    engine_->start(std::move(request), [this](Result<engine::Started> started) {
      if (!started) refusal_ = started.error();
    });
  }
  starts_.clear();
}

// Whether there was one that was due. The next waits until everything that this one leads to has happened.
bool Workbench::Parts::publish_next() {
  if (next_event() > clock_.now()) return false;
  engine_->publish(std::move(events_.front().value), [this](Result<engine::Published> published) {
    if (!published) refusal_ = published.error();
  });
  events_.pop_front();
  return true;
}

Result<void> Workbench::Parts::trouble() const {
  if (options_.stop.stop_requested()) return interrupted();
  if (refusal_) return std::unexpected(*refusal_);
  if (started_ > kBenchExecutionsMax)
    return fail("RUN_TOO_MANY", "More than " + std::to_string(kBenchExecutionsMax) + " executions were started.",
                "Let no workflow start itself by the events that it produces.");
  return {};
}

Result<std::vector<Instance>> Workbench::Parts::run() {
  if (auto checked = programs_.check(); !checked) return std::unexpected(checked.error());
  if (auto opened = open(); !opened) return std::unexpected(opened.error());
  begun_ = clock_.now();
  std::ranges::stable_sort(events_, {}, &Event::after);
  start_all();
  for (;;) {
    PAWL_TRY(const bool has_moved, move());
    if (auto fine = trouble(); !fine) return std::unexpected(fine.error());
    if (has_moved || publish_next()) continue;
    const bool is_waiting = tasks_.has_any_in_flight();
    if (!is_waiting && has_ended()) return instances_;
    const Timestamp next = std::min(engine_->next_due(), next_event());
    if (!is_waiting && next == kNever) return instances_;
    if (options_.virtual_time && !is_waiting)
      virtual_clock_.advance_to(next);
    else
      tasks_.wait(options_.virtual_time ? kNever : next, options_.stop);
  }
}

Result<void> Workbench::Parts::add_start_by_rule(Value input, std::string input_text, std::string name) {
  const kernel::StartRule rule = programs_.find(BenchPrograms::kFirst)->start_rule();
  PAWL_TRY(const StartWindow window, StartWindow::of(rule, clock_.now()));
  if (rule.is_event_started()) {
    if (window.has_cron()) add_scheduled_start(std::move(name));
    return {};
  }
  if (!window.has_cron() && !window.allows_direct(clock_.now()))
    return fail("START_NOT_ALLOWED",
                "The definition is started only in the interval '" + rule.interval + "': its directInvoke is deny.",
                "Give a time in the interval with --virtual-time --now.");
  add_start(std::move(input), std::move(input_text), std::move(name));
  return {};
}

// --- what became durable

void Workbench::Parts::note_start(const store::ExecutionRow& row) {
  Running& running = running_[row.id];
  running.definition = row.definition;
  running.name = row.name.empty() ? std::to_string(row.id.number) : row.name;
  ++open_;
  ++started_;
  const bool is_instance = row.definition == BenchPrograms::kFirst && !row.parent;
  if (!is_instance) return;
  running.instance = instances_.size();
  instances_.push_back({row.id, running.name, kernel::Status::kRunning, {}});
}

void Workbench::Parts::note_fact(ExecutionId id, FactSeq seq, const kernel::Fact& fact) {
  const Running& running = running_.at(id);
  if (options_.on_fact)
    options_.on_fact(
        {id, programs_.name_of(running.definition), running.name, seq, fact, *programs_.find(running.definition)});
  if (options_.on_emitted && fact.kind == kernel::FactKind::kEventPublished) options_.on_emitted(fact.value);
  if (kernel::is_terminal(fact.kind)) note_end(id, fact);
}

void Workbench::Parts::note_end(ExecutionId id, const kernel::Fact& fact) {
  --open_;
  const auto which = running_.at(id).instance;
  if (!which) return;
  instances_[*which].status = status_after(fact.kind);
  instances_[*which].outcome = fact.value;
}

// --- the face

Workbench::Workbench(BenchDefinition definition, engine::TaskHandler& tasks, BenchOptions options)
    : parts_(std::make_unique<Parts>(std::move(definition), tasks, std::move(options))) {}

Workbench::~Workbench() = default;

void Workbench::start(Value input, std::string input_text, std::string name) {
  parts_->add_start(std::move(input), std::move(input_text), std::move(name));
}

void Workbench::start_by_schedule(std::string name) { parts_->add_scheduled_start(std::move(name)); }

Result<void> Workbench::start_by_rule(Value input, std::string input_text, std::string name) {
  return parts_->add_start_by_rule(std::move(input), std::move(input_text), std::move(name));
}

void Workbench::publish(Duration after, Value event) { parts_->add_event(after, std::move(event)); }

Result<std::vector<Instance>> Workbench::run() { return parts_->run(); }

Timestamp Workbench::now() const { return parts_->now(); }

Result<void> check_ended(const std::vector<Instance>& instances) {
  if (instances.empty())
    return fail("RUN_NOTHING_STARTED", "No event started an execution of the definition.",
                "Give events that it waits for with --events.");
  const bool is_stuck = std::ranges::any_of(
      instances, [](const Instance& instance) { return instance.status == kernel::Status::kRunning; });
  if (is_stuck)
    return fail("RUN_STUCK", "An execution waits for an answer or an event that never comes.",
                "Give the task a timeout or an answer, or the event with --events.");
  return {};
}

}  // namespace pawl::api
