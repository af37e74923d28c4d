#include "restarted_run.h"

#include <deque>
#include <filesystem>
#include <map>

#include <stdlib.h>

#include "base/assert.h"
#include "engine/engine.h"
#include "engine/loaded_execution.h"
#include "json/print.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::conformance {

namespace {

using engine::ActivityOffer;
using engine::ActivityTask;
using engine::TaskAnswer;
using engine::TaskRequest;
using json::Value;

constexpr store::DefinitionId kDefinition{1};

class MemoryDisk final : public Disk {
 public:
  store::Store& open() override { return store_; }

 private:
  store::MemoryStore store_;
};

class SqliteDisk final : public Disk {
 public:
  explicit SqliteDisk(const std::string& parent_folder) : folder_(parent_folder + "/pawl-restart-XXXXXX") {
    PAWL_ASSERT(::mkdtemp(folder_.data()) != nullptr, folder_);
  }
  ~SqliteDisk() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }
  store::Store& open() override {
    store_.reset();
    store_ = store::SqliteStore::open(folder_).value();
    return *store_;
  }

 private:
  std::string folder_;
  std::unique_ptr<store::SqliteStore> store_;
};

// One definition, which outlives the run.
class OneProgram final : public engine::Programs {
 public:
  explicit OneProgram(const kernel::Program& program) : program_(std::shared_ptr<void>(), &program) {}
  std::shared_ptr<const kernel::Program> find(store::DefinitionId) override { return program_; }
  std::string family_of(store::DefinitionId) override { return "1"; }

 private:
  std::shared_ptr<const kernel::Program> program_;
};

// As those of a local run.
class LocalTokens final : public engine::Tokens {
 public:
  explicit LocalTokens(std::string execution_name) : execution_name_(std::move(execution_name)) {}
  std::string mint(ExecutionId, OperationId operation, uint32_t attempt) override {
    return execution_name_ + "-" + std::to_string(operation.number) + "-" + std::to_string(attempt);
  }

 private:
  const std::string execution_name_;
};

// Workers as they should be: what comes again with the same key gets the same answer, and is done once.
class KeyedTasks final : public engine::TaskHandler {
 public:
  KeyedTasks(engine::TaskHandler& tasks, RestartCounts& counts) : tasks_(tasks), counts_(counts) {}

  Expect start(const TaskRequest& request, engine::AnswerTask answer) override {
    const auto [at, is_new] = done_.try_emplace(request.idempotency_key);
    Done& done = at->second;
    if (is_new)
      done.expect = tasks_.start(request, [&done](TaskAnswer given) { done.answers.push_back(std::move(given)); });
    else
      ++counts_.calls_again;
    for (const TaskAnswer& given : done.answers) answer(given);
    return done.expect;
  }
  void cancel(engine::TaskId) override {}

 private:
  struct Done {
    Expect expect = Expect::kNothing;
    std::vector<TaskAnswer> answers;  // mocks give them at once: that it was submitted, and its result
  };
  engine::TaskHandler& tasks_;
  RestartCounts& counts_;
  std::map<std::string, Done> done_;
};

class Offers final : public engine::Activities {
 public:
  bool exists(std::string_view) override { return true; }
  void offer(ActivityOffer offer) override { waiting.push_back(std::move(offer)); }
  void withdraw(ExecutionId, OperationId) override {}
  std::deque<ActivityOffer> waiting;
};

class RestartedRun {
 public:
  RestartedRun(const asl::Program& program, const api::ExecutionSetup& setup, connect::Router& tasks, Disk& disk,
               Crash crash, RestartCounts& counts)
      : program_(program),
        setup_(setup),
        router_(tasks),
        disk_(disk),
        crash_(crash),
        counts_(counts),
        programs_(program),
        tokens_(setup.execution_name),
        tasks_(tasks, counts),
        clock_(setup.now.value_or(Timestamp())) {
    open();
  }

  Result<engine::LocalRun> run() {
    start();
    for (;;) {
      const bool has_moved = engine_->run_ready();
      const Value live = engine_->dump(id_);
      if (loses_turn(live)) continue;
      if (engine_->commit()) {
        if (auto same = restart(live); !same) return std::unexpected(same.error());
      } else if (router_.refusal()) {
        return std::unexpected(*router_.refusal());
      } else if (is_closed()) {
        return finish();
      } else if (!serve_activities() && !has_moved) {
        if (auto advanced = advance(); !advanced) return std::unexpected(advanced.error());
      }
    }
  }

 private:
  void open() {
    store_ = &disk_.open();
    engine::EngineOptions options;
    options.limits = setup_.limits;
    options.threads = false;
    options.seed = setup_.seed + 1;
    options.retention = engine::kKeepForever;
    engine_ = engine::Engine::open({*store_, programs_, tasks_, offers_, tokens_, clock_}, options).value();
  }

  // As after a crash before the commit, once for each, where such crashes are wanted.
  bool loses_turn(const Value& live) {
    if (crash_ != Crash::kBeforeAndAfterEachCommit || has_lost_ || live.is_null() || live == stored()) return false;
    has_lost_ = true;
    ++counts_.restarts;
    reopen();
    if (!store_->find_execution(id_)) start();  // nobody was told of it, so its client asks again
    return true;
  }

  // What the store folds to; null where the execution is not there.
  Value stored() {
    const auto loaded = engine::LoadedExecution::load(id_, *store_, programs_);
    return loaded ? (*loaded)->execution().dump() : Value();
  }

  void reopen() {
    engine_.reset();
    offers_.waiting.clear();
    open();
  }

  void start() {
    engine::StartRequest request;
    request.definition = kDefinition;
    request.input = setup_.input;
    request.input_text = setup_.input_text;
    request.make_context = [this](ExecutionId id, Timestamp started) {
      id_ = id;
      return api::make_context(setup_, started);
    };
    engine_->start(std::move(request), [](Result<engine::Started>) {});
  }

  // As after a crash between a commit and everything that follows it.
  Result<void> restart(const Value& before) {
    ++counts_.restarts;
    has_lost_ = false;
    const std::string rows = store_->dump();
    reopen();
    const Value after = stored();
    if (before != after)
      return fail("RESTART_DIFFERS", "Before: " + json::print(before) + "\nafter: " + json::print(after), "");
    if (store_->dump() != rows) return fail("RESTART_DIFFERS", "The store's rows are not what they were.", "");
    return {};
  }

  bool is_closed() const {
    const auto row = store_->find_execution(id_);
    return row && row->status != store::ExecutionStatus::kRunning;
  }

  Result<engine::LocalRun> finish() {
    engine::LocalRun run;
    engine_->describe(id_, [&](Result<engine::Description> described) {
      run.status = described.value().status;
      run.outcome = described.value().outcome;
    });
    engine_->facts(id_, [&](Result<std::vector<kernel::Fact>> facts) { run.facts = std::move(facts).value(); });
    while (engine_->run_ready()) {
    }
    return run;
  }

  // --- workers that poll

  // Whether there was one to take. The mocks know a task by its state, which an offer does not tell.
  bool serve_activities() {
    if (offers_.waiting.empty()) return complete_activity();
    const ActivityOffer offer = offers_.waiting.front();
    offers_.waiting.pop_front();
    engine_->take_activity(offer, "", [](Result<ActivityTask>) {});
    taken_.push_back(offer);
    return true;
  }

  // A worker gives its result until it is told that nobody waits for it. One whose taking was lost gets a new offer.
  bool complete_activity() {
    if (taken_.empty()) return false;
    const ActivityOffer offer = taken_.front();
    const auto loaded = engine::LoadedExecution::load(id_, *store_, programs_).value();
    const kernel::Operation* operation = loaded->execution().find_operation(offer.operation);
    if (operation == nullptr || operation->phase == kernel::Operation::Phase::kScheduled) {
      taken_.pop_front();
      return true;
    }
    TaskRequest request;
    request.task = engine::TaskId(offer.operation.number);
    request.attempt = offer.attempt;
    request.state = program_.state_name(operation->state);
    request.resource = offer.resource;
    request.input = operation->input;
    request.idempotency_key =
        "activity-" + std::to_string(offer.operation.number) + "-" + std::to_string(offer.attempt);
    tasks_.start(request, [&](TaskAnswer answer) {
      engine_->complete(id_, offer.operation, offer.attempt, std::move(answer), [](Result<void>) {});
    });
    return true;
  }

  // --- time

  Result<void> advance() {
    Timestamp next = store_->next_wake();
    if (next <= clock_.now()) next = engine_->next_timer();
    if (next == kNever) return fail("RUN_STUCK", "The execution waits for what can never come.", "");
    clock_.advance_to(next);
    return {};
  }

  const asl::Program& program_;
  const api::ExecutionSetup& setup_;
  connect::Router& router_;
  Disk& disk_;
  const Crash crash_;
  RestartCounts& counts_;
  OneProgram programs_;
  LocalTokens tokens_;
  KeyedTasks tasks_;
  Offers offers_;
  std::deque<ActivityOffer> taken_;
  VirtualClock clock_;
  store::Store* store_ = nullptr;
  std::unique_ptr<engine::Engine> engine_;
  ExecutionId id_;
  bool has_lost_ = false;  // a turn since the last commit
};

}  // namespace

std::unique_ptr<Disk> make_memory_disk() { return std::make_unique<MemoryDisk>(); }
std::unique_ptr<Disk> make_sqlite_disk(const std::string& parent_folder) {
  return std::make_unique<SqliteDisk>(parent_folder);
}

Result<engine::LocalRun> run_restarted(const asl::Program& program, const api::ExecutionSetup& setup,
                                       connect::Router& tasks, Disk& disk, Crash crash, RestartCounts& counts) {
  return RestartedRun(program, setup, tasks, disk, crash, counts).run();
}

}  // namespace pawl::conformance
