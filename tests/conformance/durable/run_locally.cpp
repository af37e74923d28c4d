// Runs cases in this process, in the way of TestRunner, with a history.
#include <mutex>

#include "cases.h"
#include "json/build.h"
#include "json/parse.h"
#include "json/print.h"
#include "local_history.h"
#include "outside_world.h"
#include "run_case.h"

namespace pawl::conformance {

namespace {

using durable::Answer;
using durable::testing::LocalExecution;
using durable::testing::Reply;

constexpr int kInvocationsMax = 100;

Reply reply_of(const OutsideWorld::Act& act) {
  if (act.operation == CallbackAction::Operation::kSucceed)
    return Reply::success(act.payload ? std::optional(payload_text(*act.payload)) : std::nullopt);
  const auto text = [&](std::string_view key) -> std::optional<std::string> {
    const Value* found = act.payload ? act.payload->find(key) : nullptr;
    return found == nullptr ? std::nullopt : std::optional(std::string(found->as_string()));
  };
  return {durable::OperationStatus::Failed, {}, durable::ErrorObject{text("ErrorType"), text("ErrorMessage")}};
}

// The functions that cases invoke are run to their end at once.
Reply answer_invoke(const std::string& id, const std::string& payload) {
  durable::testing::TestRunner runner(*handler_of(id));
  const auto run = runner.run_text(payload);
  if (run.status == durable::testing::RunStatus::Succeeded) return Reply::success(run.result);
  return {durable::OperationStatus::Failed, {}, run.error};
}

class LocalRun {
 public:
  LocalRun(const DurableCase& one, const Bindings& bindings)
      : case_(one),
        bindings_(bindings),
        execution_(json::print(bindings.substitute(one.input)), "case-" + one.id),
        history_(execution_),
        world_(one.actions) {
    for (const char* id : {"echo", "fail", "measure"})
      execution_.on_invoke(
          std::string(kFunctionPrefix) + id + ":$LATEST",
          [id](const std::string& payload) { return answer_invoke(id, payload); }, std::chrono::seconds(1));
    config_.poll_interval = std::chrono::hours(1);
    config_.log = [this](const durable::LogRecord& record) { note_log(record); };
  }

  Result<Observed> run() {
    for (int invocation = 0; invocation < kInvocationsMax; ++invocation) {
      const Answer answer = invoke();
      if (answer.status == Answer::Status::Succeeded || answer.status == Answer::Status::Failed) return ended(answer);
      if (answer.status == Answer::Status::Retry) return fail("DURABLE_CASE_STUCK", "An invocation failed.");
      if (!case_.status && is_all_there()) return observed("RUNNING");
      if (!go_on()) return fail("DURABLE_CASE_STUCK", "Nothing wakes the execution.");
    }
    return fail("DURABLE_CASE_STUCK", "The execution does not end.");
  }

 private:
  Answer invoke() {
    auto event = execution_.begin_invocation();
    history_.note_changes();
    const auto finished = durable::run_invocation(*handler_of(case_.id), std::move(event), history_, config_);
    execution_.end_invocation();
    history_.invocation_ended();
    return finished.answer();
  }

  // Lets the outside world act, or the time pass.
  bool go_on() {
    bool has_acted = false;
    while (const auto act = world_.next(history_.events(), bindings_)) {
      has_acted = true;
      if (act->operation == CallbackAction::Operation::kHeartbeat) {
        execution_.heartbeat(act->callback_id);
      } else {
        execution_.complete_callback(act->callback_id, reply_of(*act));
      }
      history_.note_changes();
    }
    return has_acted || execution_.has_news() || execution_.advance();
  }

  bool is_all_there() {
    Bindings bindings = bindings_;
    return match_history(case_.history, history_.events(), bindings).empty();
  }

  Observed ended(const Answer& answer) {
    history_.execution_ended(answer);
    Observed seen = observed(answer.status == Answer::Status::Succeeded ? "SUCCEEDED" : "FAILED");
    seen.result = answer.result;
    return seen;
  }
  Observed observed(std::string status) {
    const std::lock_guard lock(mutex_);
    return {std::move(status), {}, history_.events(), log_};
  }

  void note_log(const durable::LogRecord& record) {
    const std::lock_guard lock(mutex_);
    json::ObjectBuilder line(2);
    line.set("level", Value::string(to_string(record.level)));
    line.set("message", Value::string(record.message));
    log_.push_back(line.build());
  }

  const DurableCase& case_;
  const Bindings& bindings_;
  LocalExecution execution_;
  LocalHistory history_;
  OutsideWorld world_;
  durable::Config config_;
  std::mutex mutex_;  // guards log_
  std::vector<Value> log_;
};

class LocalStage final : public Stage {
 public:
  Result<Observed> run(const DurableCase& one, const Bindings& bindings) override {
    return LocalRun(one, bindings).run();
  }
  std::string left_out(const DurableCase& one) const override {
    const bool ends_process = one.id == "1-17" || one.id == "1-18" || one.id == "3-12";
    return ends_process ? "it ends its process, which would be this one" : "";
  }
};

}  // namespace

std::unique_ptr<Stage> local_stage() { return std::make_unique<LocalStage>(); }

const durable::Handler* handler_of(const std::string& id) {
  static const Cases kCases = all_cases();
  for (const auto& [name, handler] : kCases.functions())
    if (name == kFunctionPrefix + id) return &handler;
  return nullptr;
}

}  // namespace pawl::conformance
