// Redrives as AWS was seen to make them: the events of each case, with what they follow, are those of a recording.
#include "kernel/redrive.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/history.h"
#include "lang/asl/model.h"
#include "lang/asl/program.h"

namespace pawl::asl {
namespace {

using kernel::Fact;
using kernel::FactKind;
using kernel::Outcome;
using kernel::Signal;
using kernel::SignalKind;
using kernel::Status;

class World final : public kernel::TurnServices {
 public:
  Timestamp now() const override { return clock.now(); }
  Random& random() override { return random_; }
  std::string task_token(OperationId, uint32_t) override { return "token"; }
  Timestamp last_heartbeat(OperationId) const override { return {}; }
  bool has_activity(std::string_view) const override { return true; }

  VirtualClock clock{Timestamp(std::chrono::hours(24))};

 private:
  SeededRandom random_{1};
};

class Redrive : public testing::Test {
 protected:
  void start(const std::string& definition, const std::string& input = "{}") {
    Diagnostics diagnostics;
    const Definition parsed = parse_definition(json::parse_document(definition).value(), diagnostics);
    program_ = Program::compile(parsed, Options{}).value();
    Signal signal;
    signal.kind = SignalKind::kStart;
    signal.value = json::parse(input).value();
    json::ObjectBuilder extra;
    extra.set("context", make_context({"arn", "name", "role", "arn", "machine", world_.now()}, signal.value, {}));
    signal.extra = extra.build();
    take(signal);
  }
  void take(const Signal& signal) {
    std::vector<kernel::Effect> effects;
    kernel::Turn turn(execution_, world_, limits_, facts_, effects);
    kernel::decide(*program_, signal, turn);
    kernel::Execution rebuilt;
    for (const Fact& fact : facts_) rebuilt.evolve(fact);
    EXPECT_EQ(json::print(rebuilt.dump()), json::print(execution_.dump()));
  }
  void tell(SignalKind kind, uint32_t operation = 0, const std::string& value = "{}",
            Outcome outcome = Outcome::kSucceeded) {
    Signal signal;
    signal.kind = kind;
    signal.operation = OperationId(operation);
    signal.outcome = outcome;
    signal.value = json::parse(value).value();
    take(signal);
  }
  void lease(uint32_t operation) { tell(SignalKind::kOperationStarted, operation, R"("worker")"); }
  void succeed(uint32_t operation, const std::string& result) { tell(SignalKind::kOperationEnded, operation, result); }
  void fail_task(uint32_t operation) {
    tell(SignalKind::kOperationEnded, operation, R"({"Error":"E"})", Outcome::kFailed);
  }
  void stop() { tell(SignalKind::kStop); }
  void redrive() {
    shown_ = facts_.size();
    tell(SignalKind::kRedrive, 0, "null");
  }
  void advance(Duration duration) { world_.clock.advance_to(world_.now() + duration); }

  // "7 TaskScheduled < 3, …": the events since the last redrive.
  std::string events() const {
    HistoryView view(*program_);
    std::string text;
    for (size_t i = 0; i < facts_.size(); ++i) {
      const Value event = view.event_of(facts_[i]);
      if (i < shown_ || !event.is_object()) continue;
      text += (text.empty() ? "" : ", ") + json::print(*event.find("id")) + " " +
              std::string(event.find("type")->as_string()) + " < " + json::print(*event.find("previousEventId"));
    }
    return text;
  }
  std::string outcome() const { return json::print(execution_.outcome()); }
  std::string input_of(uint32_t operation) const {
    return json::print(execution_.find_operation(OperationId(operation))->input);
  }

  World world_;
  kernel::Limits limits_;
  kernel::Execution execution_;
  std::vector<Fact> facts_;
  std::unique_ptr<Program> program_;
  size_t shown_ = 0;
};

constexpr const char* kActivity = R"("Type":"Task","Resource":"arn:aws:states:us-east-1:1:activity:a")";

std::string task(const std::string& more) { return "{" + std::string(kActivity) + "," + more + "}"; }

TEST_F(Redrive, SchedulesATaskAgainFromItsEntryAndCountsItsRetriesAnew) {
  start(R"({"StartAt":"Before","States":{"Before":{"Type":"Pass","Result":1,"ResultPath":"$.before","Next":"Work"},
           "Work":)" +
        task(R"("Retry":[{"ErrorEquals":["E"],"IntervalSeconds":1,"MaxAttempts":1}],"End":true)") + "}}");
  lease(1);
  fail_task(1);
  advance(Duration(1000));
  tell(SignalKind::kWake);
  lease(3);
  fail_task(3);
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  EXPECT_EQ(events(), "12 ExecutionRedriven < 11, 13 ActivityScheduled < 4");
  EXPECT_EQ(input_of(4), R"({"before":1})");
  lease(4);
  fail_task(4);
  advance(Duration(1000));
  tell(SignalKind::kWake);
  lease(6);
  fail_task(6);
  EXPECT_EQ(events(),
            "12 ExecutionRedriven < 11, 13 ActivityScheduled < 4, 14 ActivityStarted < 13, 15 ActivityFailed < 14, "
            "16 ActivityScheduled < 15, 17 ActivityStarted < 16, 18 ActivityFailed < 17, 19 ExecutionFailed < 18");
}

TEST_F(Redrive, GoesOnOnlyWithTheBranchesThatDidNotSucceed) {
  const std::string end = task(R"("End":true)");
  start(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{"A":)" +
        end + R"(}},{"StartAt":"B","States":{"B":)" + end + R"(}},{"StartAt":"C","States":{"C":)" + end + "}}]}}}");
  for (uint32_t i = 1; i <= 3; ++i) lease(i);
  succeed(1, R"("a")");
  fail_task(2);
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  EXPECT_EQ(events(), "20 ExecutionRedriven < 19, 21 ActivityScheduled < 6, 22 ActivityScheduled < 8");
  lease(5);
  succeed(5, R"("c")");
  lease(4);
  succeed(4, R"("b")");
  EXPECT_EQ(events(),
            "20 ExecutionRedriven < 19, 21 ActivityScheduled < 6, 22 ActivityScheduled < 8, 23 ActivityStarted < 22, "
            "24 ActivitySucceeded < 23, 25 TaskStateExited < 24, 26 ActivityStarted < 21, 27 ActivitySucceeded < 26, "
            "28 TaskStateExited < 27, 29 ParallelStateSucceeded < 28, 30 ParallelStateExited < 28, "
            "31 ExecutionSucceeded < 30");
  EXPECT_EQ(outcome(), R"(["a","b","c"])");
}

constexpr const char* kMapHead = R"({"StartAt":"M","States":{"M":{"Type":"Map","MaxConcurrency":1,"End":true,)"
                                 R"("ItemProcessor":{"StartAt":"I","States":{"I":)";

TEST_F(Redrive, GoesOnWithTheIterationThatFailedAndThenWithThoseNeverStarted) {
  start(kMapHead + task(R"("End":true)") + "}}}}}", "[0,1,2]");
  lease(1);
  succeed(1, "10");
  lease(2);
  fail_task(2);
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  EXPECT_EQ(events(), "20 ExecutionRedriven < 19, 21 ActivityScheduled < 12");
  lease(3);
  succeed(3, "11");
  lease(4);
  succeed(4, "12");
  EXPECT_EQ(events(),
            "20 ExecutionRedriven < 19, 21 ActivityScheduled < 12, 22 ActivityStarted < 21, 23 ActivitySucceeded < 22, "
            "24 TaskStateExited < 23, 25 MapIterationSucceeded < 24, 26 MapIterationStarted < 24, "
            "27 TaskStateEntered < 26, 28 ActivityScheduled < 27, 29 ActivityStarted < 28, 30 ActivitySucceeded < 29, "
            "31 TaskStateExited < 30, 32 MapIterationSucceeded < 31, 33 MapStateSucceeded < 32, "
            "34 MapStateExited < 32, 35 ExecutionSucceeded < 34");
  EXPECT_EQ(outcome(), "[10,11,12]");
}

TEST_F(Redrive, FailsAgainInAFailStateWithoutEnteringIt) {
  start(R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Bad","Cause":"so"}}})");
  redrive();
  EXPECT_EQ(events(), "4 ExecutionRedriven < 3, 5 ExecutionFailed < 4");
  EXPECT_EQ(execution_.status(), Status::kFailed);
  EXPECT_EQ(outcome(), R"({"Error":"Bad","Cause":"so"})");
}

TEST_F(Redrive, GoesOnAfterAStopAndAfterTheTimeoutOfTheExecution) {
  start(R"({"TimeoutSeconds":8,"StartAt":"T","States":{"T":)" + task(R"("End":true)") + "}}");
  lease(1);
  stop();
  redrive();
  EXPECT_EQ(events(), "6 ExecutionRedriven < 5, 7 ActivityScheduled < 2");
  advance(std::chrono::seconds(8));
  tell(SignalKind::kWake);
  ASSERT_EQ(execution_.status(), Status::kTimedOut);
  redrive();
  EXPECT_EQ(events(), "9 ExecutionRedriven < 8, 10 ActivityScheduled < 2");
  EXPECT_EQ(execution_.deadline(), world_.now() + std::chrono::seconds(8));
  succeed(3, "1");
  EXPECT_EQ(execution_.status(), Status::kSucceeded);
}

TEST_F(Redrive, TellsTheContextHowOftenAndWhen) {
  start(R"({"StartAt":"T","States":{"T":)" +
        task(R"("Parameters":{"n.$":"$$.Execution.RedriveCount","t.$":"$$.Execution.RedriveTime"},"End":true)") + "}}");
  ASSERT_EQ(execution_.status(), Status::kFailed);  // there is no RedriveTime before the first
  redrive();
  EXPECT_EQ(input_of(1), R"({"n":1,"t":"1970-01-02T00:00:00.000Z"})");
}

TEST_F(Redrive, KeepsVariablesAndTheTimeOfEntry) {
  start(R"({"StartAt":"Set","States":{"Set":{"Type":"Pass","Assign":{"v":5},"Next":"T"},"T":)" +
        task(R"("Parameters":{"v.$":"$v","t.$":"$$.State.EnteredTime","r.$":"$$.State.RetryCount"},"End":true)") +
        "}}");
  fail_task(1);
  advance(std::chrono::hours(1));
  redrive();
  EXPECT_EQ(input_of(2), R"({"v":5,"t":"1970-01-02T00:00:00.000Z","r":0})");
}

TEST_F(Redrive, GoesOnBehindACatchThatHandledAParallel) {
  start(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","Next":"T","Catch":[{"ErrorEquals":["States.ALL"],
           "Next":"T"}],"Branches":[{"StartAt":"A","States":{"A":)" +
        task(R"("End":true)") + R"(}}]},"T":)" + task(R"("End":true)") + "}}");
  fail_task(1);
  fail_task(2);
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  ASSERT_EQ(execution_.open_operations().size(), 1u);
  EXPECT_EQ(program_->state_name(execution_.open_operations().begin()->second.state), "T");
  succeed(3, "1");
  EXPECT_EQ(outcome(), "1");
}

TEST_F(Redrive, GoesOnInsideOfWhatIsNested) {
  start(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"M","States":{"M":{
           "Type":"Map","End":true,"ItemProcessor":{"StartAt":"I","States":{"I":)" +
            task(R"("End":true)") + R"(}}}}},{"StartAt":"B","States":{"B":)" + task(R"("End":true)") + "}}]}}}",
        "[1,2]");
  succeed(1, R"("b")");  // the branch with the task was first
  succeed(2, R"("m0")");
  fail_task(3);
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  ASSERT_EQ(execution_.open_operations().size(), 1u);
  succeed(4, R"("m1")");
  EXPECT_EQ(outcome(), R"([["m0","m1"],"b"])");
}

TEST_F(Redrive, RunsAParallelAsAWholeWhoseOutputWasTooLarge) {
  limits_.payload_bytes_max = 20;
  start(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{"A":)" +
        task(R"("End":true)") + R"(}},{"StartAt":"B","States":{"B":)" + task(R"("End":true)") + "}}]}}}");
  succeed(1, R"("0123456789")");
  succeed(2, R"("0123456789")");
  ASSERT_EQ(execution_.status(), Status::kFailed);
  redrive();
  EXPECT_EQ(execution_.open_operations().size(), 2u);
  succeed(3, "1");
  succeed(4, "2");
  EXPECT_EQ(outcome(), "[1,2]");
}

TEST_F(Redrive, WaitsItsSecondsAnew) {
  start(R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":60,"End":true}}})");
  advance(std::chrono::seconds(50));
  stop();
  redrive();
  EXPECT_EQ(execution_.next_due(), world_.now() + std::chrono::seconds(60));
}

TEST_F(Redrive, LeavesAWaitWhoseTimeHasPassed) {
  start(R"({"StartAt":"W","States":{"W":{"Type":"Wait","Timestamp":"1970-01-02T01:00:00Z","End":true}}})");
  stop();
  advance(std::chrono::hours(2));
  redrive();
  EXPECT_EQ(execution_.status(), Status::kSucceeded);
}

}  // namespace
}  // namespace pawl::asl
