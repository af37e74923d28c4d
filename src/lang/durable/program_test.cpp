#include "lang/durable/program.h"

#include "json/parse.h"
#include "json/print.h"
#include "kernel/kernel_test_fixture.h"
#include "lang/durable/history.h"
#include "lang/durable/views.h"

namespace pawl::functions {
namespace {

using kernel::EntryStatus;
using kernel::Outcome;
using kernel::Signal;
using kernel::SignalKind;
using kernel::Status;

Value parse(std::string_view text) { return json::parse(text).value(); }

// A function whose code is this test: it is called, sends checkpoints and returns.
class Durable : public kernel::Kernel {
 protected:
  void SetUp() override {
    Signal signal;
    signal.kind = SignalKind::kStart;
    signal.value = parse(R"({"n":20})");
    signal.extra = parse(
        R"({"context":{"arn":"arn:aws:lambda:us-east-1:000000000000:function:f:$LATEST/durable-execution/order/id-1"}})");
    take(program, signal);
  }

  OperationId call() const { return execution.scope(ScopeId(1)).operation; }
  uint32_t sequence() const { return execution.ledger() == nullptr ? 0 : execution.ledger()->sequence(); }
  EntryStatus status(std::string_view id) const { return execution.ledger()->find(id)->status; }

  Result<Value> ask(Value request) {
    Signal signal;
    signal.kind = SignalKind::kRequest;
    signal.value = std::move(request);
    effects.clear();
    kernel::Turn turn(execution, world, limits, facts, effects);
    decide(program, signal, turn);
    expect_rebuild_is_exact();
    return *turn.take_answer();
  }
  Value request(std::string_view what, uint32_t at) const {
    json::ObjectBuilder out;
    out.set("request", Value::string(what));
    out.set("operation", Value::integer(call().number));
    out.set("sequence", Value::integer(at));
    return out.build();
  }
  Result<Value> checkpoint(std::string_view updates, std::string_view client = "") {
    Value asked = request("checkpoint", sequence()).with_member("updates", parse(updates));
    if (!client.empty()) asked = asked.with_member("client", Value::string(client));
    return ask(std::move(asked));
  }
  // The code returns.
  void give_back(std::string_view envelope) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = call();
    signal.value = parse(envelope);
    take(program, signal);
  }
  void fail_call(std::string_view error) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = call();
    signal.outcome = Outcome::kFailed;
    signal.value = parse(R"({"Cause":"it broke"})").with_member("Error", Value::string(error));
    take(program, signal);
  }
  void end_entry(std::string_view id, Outcome outcome, Value value) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = execution.ledger()->find(id)->operation;
    signal.outcome = outcome;
    signal.value = std::move(value);
    take(program, signal);
  }
  Value called_with() const {
    const kernel::Call called = program.call_of(execution, *execution.find_operation(call()));
    return *called.input.find("event");
  }
  std::vector<std::string> history() const {
    HistoryView view;
    std::vector<std::string> types;
    uint32_t last = 0;
    for (const kernel::Fact& fact : facts) {
      const Value event = view.event_of(fact);
      if (event.is_null()) continue;
      EXPECT_EQ(event.find("EventId")->as_integer(), ++last);
      types.emplace_back(event.find("EventType")->as_string());
    }
    return types;
  }
  const Value& operation(const Value& answer, size_t index) const {
    return answer.find("NewExecutionState")->find("Operations")->at(index);
  }

  Program program{Function{.name = "f", .execution_timeout = std::chrono::hours(1), .bounds = {}}};
};

constexpr const char* kStartAndSucceed =
    R"([{"Id":"a","Type":"STEP","Action":"START","Name":"one","SubType":"Step"},
        {"Id":"a","Type":"STEP","Action":"SUCCEED","Name":"one","SubType":"Step","Payload":"21"}])";

TEST_F(Durable, IsCalledWithItsInputAndNothingElseAtFirst) {
  const kernel::Call called = program.call_of(execution, *execution.find_operation(call()));
  EXPECT_EQ(called.resource, "function:f");
  const Value& operations = *called.input.find("event")->find("InitialExecutionState")->find("Operations");
  ASSERT_EQ(operations.size(), 1u);
  EXPECT_EQ(operations.at(0).find("Id")->as_string(), "id-1");
  EXPECT_EQ(operations.at(0).find("ExecutionDetails")->find("InputPayload")->as_string(), R"({"n":20})");
  EXPECT_TRUE(operations.at(0).find("StartTimestamp")->is_int64());  // milliseconds in the event
}

TEST_F(Durable, ACheckpointAnswersWithWhatItChangedAndTheNextToken) {
  const auto answer = checkpoint(kStartAndSucceed);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->find("CheckpointToken")->as_string(), "token");
  ASSERT_EQ(answer->find("NewExecutionState")->find("Operations")->size(), 1u);
  EXPECT_EQ(json::print(*operation(*answer, 0).find("StepDetails")), R"({"Attempt":1,"Result":"21"})");
  EXPECT_EQ(json::print(*operation(*answer, 0).find("StartTimestamp")), "1000.000");  // seconds in the API
  const auto second = checkpoint("[]");
  EXPECT_EQ(second->find("NewExecutionState")->find("Operations")->size(), 0u);  // it has seen the step already
}

TEST_F(Durable, ASpentTokenIsRefusedAndRecordsNothing) {
  ASSERT_TRUE(checkpoint("[]"));
  const size_t before = facts.size();
  const auto again = ask(request("checkpoint", 0));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().what, "Invalid checkpoint token");
  EXPECT_EQ(facts.size(), before);
}

TEST_F(Durable, TheSameCheckpointAgainPointsToItsFirstAnswer) {
  ASSERT_TRUE(checkpoint(kStartAndSucceed, "client-1"));
  const FactSeq answered = execution.last_fact();
  Value again = request("checkpoint", 0).with_member("client", Value::string("client-1"));
  const auto answer = ask(again.with_member("updates", parse(kStartAndSucceed)));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->find("replayed")->as_integer(), static_cast<int64_t>(answered.number));
  EXPECT_EQ(execution.last_fact(), answered);
  const auto other = ask(again.with_member("digest", Value::string("other")));
  EXPECT_FALSE(other);
}

TEST_F(Durable, AnAnswerCanBeMadeAgainFromTheFactsUpToIt) {
  const auto first = checkpoint(kStartAndSucceed, "client-1");
  const size_t count = facts.size();
  kernel::Execution rebuilt;
  for (size_t i = 0; i < count; ++i) rebuilt.evolve(facts[i]);
  EXPECT_EQ(checkpoint_answer(rebuilt, "token"), *first);
}

TEST_F(Durable, EndsWithTheResultThatItsCodeReturns) {
  ASSERT_TRUE(checkpoint(kStartAndSucceed));
  give_back(R"({"Status":"SUCCEEDED","Result":"63"})");
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_EQ(execution.outcome().as_string(), "63");
  EXPECT_EQ(history(), (std::vector<std::string>{"ExecutionStarted", "StepStarted", "StepSucceeded",
                                                 "InvocationCompleted", "ExecutionSucceeded"}));
}

TEST_F(Durable, NoResultAnEmptyOneAndNullAreThreeThings) {
  give_back(R"({"Status":"SUCCEEDED"})");
  EXPECT_TRUE(execution.outcome().is_null());
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(Durable, AWaitSuspendsItAndItsEndCallsTheCodeAgain) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":60}}])"));
  give_back(R"({"Status":"PENDING"})");
  EXPECT_FALSE(call());
  EXPECT_EQ(execution.next_due(), world.now() + std::chrono::seconds(60));
  advance(std::chrono::seconds(59));
  wake(program);
  EXPECT_FALSE(call());
  advance(std::chrono::seconds(1));
  wake(program);
  ASSERT_TRUE(call());
  EXPECT_EQ(status("w"), EntryStatus::kSucceeded);
  const Value event = called_with();
  EXPECT_EQ(json::print(*event.find("UpdatedOperationIds")), R"(["w"])");
  give_back(R"({"Status":"SUCCEEDED"})");
  EXPECT_EQ(history(), (std::vector<std::string>{"ExecutionStarted", "WaitStarted", "InvocationCompleted",
                                                 "WaitSucceeded", "InvocationCompleted", "ExecutionSucceeded"}));
}

TEST_F(Durable, WhatFallsDueIsToldInAnEmptyCheckpoint) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":1}}])"));
  advance(std::chrono::seconds(1));
  const auto polled = checkpoint("[]");
  ASSERT_TRUE(polled);
  EXPECT_EQ(operation(*polled, 0).find("Status")->as_string(), "SUCCEEDED");
}

TEST_F(Durable, ChangesThatTheCodeHasNotSeenCallItAgainAtOnce) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"c","Type":"CALLBACK","Action":"START"}])"));
  end_entry("c", Outcome::kSucceeded, Value::string("\"yes\""));
  const OperationId first = call();
  give_back(R"({"Status":"PENDING"})");
  EXPECT_TRUE(call());
  EXPECT_NE(call(), first);
}

TEST_F(Durable, PendingWithNothingToWaitForEndsIt) {
  give_back(R"({"Status":"PENDING"})");
  EXPECT_EQ(execution.status(), Status::kFailed);
  EXPECT_EQ(execution.outcome().find("Cause")->as_string(), "Cannot return PENDING status with no pending operations.");
}

TEST_F(Durable, AStepIsTriedAgainWhenItsTimeHasCome) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"a","Type":"STEP","Action":"START"},
          {"Id":"a","Type":"STEP","Action":"RETRY","Error":{"ErrorType":"E"},"StepOptions":{"NextAttemptDelaySeconds":5}}])"));
  EXPECT_EQ(status("a"), EntryStatus::kPending);
  give_back(R"({"Status":"PENDING"})");
  advance(std::chrono::seconds(5));
  wake(program);
  EXPECT_EQ(status("a"), EntryStatus::kReady);
  ASSERT_TRUE(checkpoint(kStartAndSucceed));
  EXPECT_EQ(execution.ledger()->find("a")->attempts, 2u);
  give_back(R"({"Status":"SUCCEEDED"})");
  EXPECT_EQ(history(),
            (std::vector<std::string>{"ExecutionStarted", "StepStarted", "StepFailed", "InvocationCompleted",
                                      "StepStarted", "StepSucceeded", "InvocationCompleted", "ExecutionSucceeded"}));
}

TEST_F(Durable, ACallbackThatNobodyAnswersTimesOut) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"c","Type":"CALLBACK","Action":"START","CallbackOptions":{"TimeoutSeconds":10,"HeartbeatTimeoutSeconds":3}}])"));
  give_back(R"({"Status":"PENDING"})");
  world.beats[execution.ledger()->find("c")->operation] = world.now() + std::chrono::seconds(8);
  advance(std::chrono::seconds(9));
  wake(program);
  EXPECT_EQ(status("c"), EntryStatus::kStarted);  // it was alive a second ago
  advance(std::chrono::seconds(1));
  wake(program);
  EXPECT_EQ(status("c"), EntryStatus::kTimedOut);
  const Value shown = operation_of(*execution.ledger()->find("c"), TimeForm::kSeconds);
  EXPECT_EQ(shown.find("CallbackDetails")->find("Error")->find("ErrorType")->as_string(), "Callback.Timeout");
}

TEST_F(Durable, AnAnswerToACallbackIsTooLateAtItsDeadlineThoughNobodyLookedAtTheClock) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"c","Type":"CALLBACK","Action":"START","CallbackOptions":{"TimeoutSeconds":10}}])"));
  give_back(R"({"Status":"PENDING"})");
  advance(std::chrono::seconds(10));
  end_entry("c", Outcome::kSucceeded, Value::string("1"));
  EXPECT_EQ(status("c"), EntryStatus::kTimedOut);
}

TEST_F(Durable, AChainedCallIsDispatchedAndEndsItsEntry) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"i","Type":"CHAINED_INVOKE","Action":"START","Payload":"{}","ChainedInvokeOptions":{"FunctionName":"g"}}])"));
  const OperationId called = execution.ledger()->find("i")->operation;
  const kernel::Effect dispatched{kernel::EffectKind::kDispatch, called};
  EXPECT_EQ(std::ranges::count(effects, dispatched), 1);
  EXPECT_EQ(program.call_of(execution, *execution.find_operation(called)).resource, "function:g");
  end_entry("i", Outcome::kFailed, parse(R"({"Error":"Bad"})"));
  EXPECT_EQ(status("i"), EntryStatus::kFailed);
}

TEST_F(Durable, TheHistoryTellsTheTenantOfAChainedCall) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"i","Type":"CHAINED_INVOKE","Action":"START","ChainedInvokeOptions":{"FunctionName":"g","TenantId":"t"}}])"));
  HistoryView view;
  Value started;
  for (const kernel::Fact& fact : facts) {
    const Value event = view.event_of(fact);
    if (const Value* details = event.find("ChainedInvokeStartedDetails")) started = *details;
  }
  ASSERT_TRUE(started.is_object());
  EXPECT_EQ(started.find("TenantId")->as_string(), "t");
  EXPECT_EQ(started.find("FunctionName")->as_string(), "g");
}

TEST_F(Durable, WhatLiesBelowAClosedContextIsDroppedUnlessItIsReplayed) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"x","Type":"CONTEXT","Action":"START"},{"Id":"y","Type":"CONTEXT","Action":"START","ParentId":"x"},
          {"Id":"w","Type":"WAIT","Action":"START","ParentId":"y","WaitOptions":{"WaitSeconds":9}},
          {"Id":"k","Type":"CONTEXT","Action":"START"},{"Id":"s","Type":"STEP","Action":"SUCCEED","ParentId":"k"}])"));
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"x","Type":"CONTEXT","Action":"SUCCEED"},
          {"Id":"k","Type":"CONTEXT","Action":"SUCCEED","Payload":"","ContextOptions":{"ReplayChildren":true}}])"));
  EXPECT_EQ(execution.ledger()->find("y"), nullptr);
  EXPECT_EQ(execution.ledger()->find("w"), nullptr);
  EXPECT_NE(execution.ledger()->find("s"), nullptr);
  EXPECT_EQ(execution.open_operations().size(), 1u);  // the call of the code: nobody waits for the time any more
}

TEST_F(Durable, AVerdictInACheckpointBeatsWhatTheCodeReturns) {
  const auto answer = checkpoint(R"([{"Id":"any","Type":"EXECUTION","Action":"SUCCEED","Payload":"\"big\""}])");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->find("CheckpointToken"), nullptr);
  EXPECT_FALSE(checkpoint("[]"));
  fail_call("Runtime.ExitError");
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_EQ(execution.outcome().as_string(), "\"big\"");
}

TEST_F(Durable, AFaultOfTheSurroundingsIsTriedAgainAtOnceThreeTimes) {
  for (int i = 0; i < 3; ++i) {
    fail_call("Runtime.ExitError");
    EXPECT_EQ(execution.next_due(), world.now());
    wake(program);
  }
  fail_call("Runtime.ExitError");
  EXPECT_GT(execution.next_due(), world.now());
}

TEST_F(Durable, AnErrorOfTheHandlerIsTriedAgainAfterMoreAndMoreTime) {
  fail_call("TypeError");
  EXPECT_EQ(execution.next_due(), world.now() + std::chrono::seconds(1));
  advance(std::chrono::seconds(1));
  wake(program);
  fail_call("Sandbox.Timedout");
  EXPECT_EQ(execution.next_due(), world.now() + std::chrono::seconds(2));
}

TEST_F(Durable, TheCallThatReturnedMayNotAskForAnythingAnyMore) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":60}}])"));
  const Value late = request("checkpoint", sequence());
  give_back(R"({"Status":"PENDING"})");
  EXPECT_FALSE(ask(late));
}

struct Refused {
  const char* updates;
  const char* what;
};

class DurableRefuses : public Durable, public testing::WithParamInterface<Refused> {};

TEST_P(DurableRefuses, ABatchThatMakesNoSenseEntirely) {
  ASSERT_TRUE(checkpoint(kStartAndSucceed));
  const size_t before = facts.size();
  const auto answer = checkpoint(GetParam().updates);
  ASSERT_FALSE(answer) << GetParam().updates;
  EXPECT_NE(answer.error().what.find(GetParam().what), std::string::npos) << answer.error().what;
  EXPECT_EQ(facts.size(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Batches, DurableRefuses,
    testing::Values(
        Refused{R"([{"Id":"a","Type":"STEP","Action":"START"}])", "already exist"},
        Refused{R"([{"Id":"a","Type":"STEP","Action":"SUCCEED"}])", "Invalid current STEP state"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"START"},{"Id":"a","Type":"WAIT","Action":"CANCEL"}])",
                "Inconsistent operation type"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"START","ParentId":"none"}])", "Invalid parent"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"START","ParentId":"a"}])", "Invalid parent"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"START"},{"Id":"b","Type":"STEP","Action":"START"}])", "twice"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"SUCCEED","Error":{}}])", "Error for SUCCEED"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"RETRY","Error":{}}])", "StepOptions"},
        Refused{R"([{"Id":"b","Type":"WAIT","Action":"START"}])", "WaitOptions"},
        Refused{R"([{"Id":"b","Type":"WAIT","Action":"SUCCEED"}])", "Invalid action"},
        Refused{R"([{"Id":"b","Type":"WAIT","Action":"CANCEL"}])", "Invalid current WAIT state"},
        Refused{R"([{"Id":"b","Type":"CHAINED_INVOKE","Action":"START"}])", "ChainedInvokeOptions"},
        Refused{R"([{"Id":"e","Type":"EXECUTION","Action":"SUCCEED"},{"Id":"b","Type":"STEP","Action":"START"}])",
                "last"},
        Refused{R"([{"Id":"b c","Type":"STEP","Action":"START"}])", "regular expression"},
        Refused{R"([{"Id":"b","Type":"STOP","Action":"START"}])", "enum"},
        Refused{R"([{"Type":"STEP","Action":"START"}])", "must not be null"},
        Refused{R"([{"Id":"b","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":31622401}}])", "less than"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"FAIL","Error":{"ErrorMessage":5}}])", "Error.ErrorMessage"},
        Refused{R"([{"Id":"b","Type":"STEP","Action":"FAIL","Error":{"StackTrace":["f",1]}}])", "Error.StackTrace"},
        Refused{R"([{"Id":"b","Type":"CHAINED_INVOKE","Action":"START","ChainedInvokeOptions":{"FunctionName":""}}])",
                "length greater"},
        Refused{
            R"([{"Id":"b","Type":"CHAINED_INVOKE","Action":"START","ChainedInvokeOptions":{"FunctionName":"g","TenantId":"a?"}}])",
            "TenantId"},
        Refused{R"({"Id":"b"})", "list"}));

TEST_F(Durable, AWaitThatIsCancelledEndsAtOnceAndCallsNobody) {
  ASSERT_TRUE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":60}}])"));
  ASSERT_TRUE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"CANCEL"}])"));
  EXPECT_EQ(status("w"), EntryStatus::kCancelled);
  EXPECT_EQ(execution.open_operations().size(), 1u);  // the call of the code: nobody waits for the time any more
  EXPECT_FALSE(checkpoint(R"([{"Id":"w","Type":"WAIT","Action":"CANCEL"}])"));
  give_back(R"({"Status":"SUCCEEDED"})");
  EXPECT_EQ(history(), (std::vector<std::string>{"ExecutionStarted", "WaitStarted", "WaitCancelled",
                                                 "InvocationCompleted", "ExecutionSucceeded"}));
}

TEST_F(Durable, AStepOrAContextMayBeClosedWithoutEverHavingBeenStarted) {
  ASSERT_TRUE(checkpoint(
      R"([{"Id":"s","Type":"STEP","Action":"SUCCEED","Payload":"1"},{"Id":"c","Type":"CONTEXT","Action":"FAIL","Error":{}}])"));
  EXPECT_EQ(execution.ledger()->find("s")->started, world.now());
  EXPECT_EQ(status("s"), EntryStatus::kSucceeded);
  EXPECT_EQ(status("c"), EntryStatus::kFailed);
}

TEST(DurableBounds, RefuseOneOperationMoreThanIsConfigured) {
  Bounds bounds;
  bounds.operations_max = 2;
  const auto updates_of = [&](int count) {
    json::ArrayBuilder all;
    for (int i = 0; i < count; ++i) {
      json::ObjectBuilder update(3);
      update.set("Id", Value::string("s" + std::to_string(i)));
      update.set("Type", Value::string("STEP"));
      update.set("Action", Value::string("START"));
      all.push(update.build());
    }
    return *read_updates(all.build(), bounds);
  };
  EXPECT_TRUE(check_updates(updates_of(2), nullptr, bounds));
  const auto refused = check_updates(updates_of(3), nullptr, bounds);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "ServiceQuotaExceededException");
  bounds.operations_max = 0;
  EXPECT_TRUE(check_updates(updates_of(4'000), nullptr, bounds));
}

TEST_F(Durable, APayloadAtTheLimitCountsAndOneByteMoreDoesNot) {
  const auto batch = [](size_t bytes) {
    return R"([{"Id":"b","Type":"STEP","Action":"SUCCEED","Payload":")" + std::string(bytes, 'x') + R"("}])";
  };
  const auto refused = checkpoint(batch(262'145));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "STEP output payload size must be less than or equal to 262144 bytes.");
  EXPECT_TRUE(checkpoint(batch(262'144)));
}

TEST_F(Durable, LongStatesComeInPages) {
  std::string updates = "[";
  for (int i = 0; i < 1'500; ++i)
    updates +=
        (i == 0 ? "" : ",") + std::string(R"({"Id":"s)") + std::to_string(i) + R"(","Type":"STEP","Action":"SUCCEED"})";
  ASSERT_TRUE(checkpoint(updates + "]"));
  const auto first = ask(request("state", sequence()));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->find("Operations")->size(), 1'000u);
  const Value marker = *first->find("NextMarker");
  const auto rest = ask(request("state", sequence()).with_member("begin", parse(marker.as_string())));
  EXPECT_EQ(rest->find("Operations")->size(), 501u);
  EXPECT_EQ(rest->find("NextMarker"), nullptr);
}

}  // namespace
}  // namespace pawl::functions
