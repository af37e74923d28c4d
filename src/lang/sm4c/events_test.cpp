// Waits for events: groups, the mailbox, timeouts, correlation, and what handlers see of an event.
#include "lang/sm4c/program_test_fixture.h"

namespace pawl::sm4c {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class EventTest : public MachineTest {
 protected:
  // A machine whose start state calls a function, and then has these transitions; T and U are ends.
  void load_transitions(const std::string& transitions, const std::string& events = kEvents) {
    load("functions: [{name: f, operation: f}]\nevents:\n" + events + R"(
states:
- name: S
  start: true
  enterAction: {type: invokeFunction, functionName: f, waitForCompletion: true}
  transitions:
)" + transitions +
         R"(
- {name: T}
- {name: U}
)");
  }

  static std::string event(const std::string& type, const std::string& data, const std::string& more = "") {
    return R"({"specversion":"1.0","id":"1","source":"s","type":")" + type + R"(",)" + more + R"("data":)" + data + "}";
  }

  static constexpr const char* kEvents = "- {name: a, type: ta}\n- {name: b, type: tb}\n- {name: c, type: tc}";
};

constexpr const char* kAOrB = R"(
  - {nextState: T, eventGroups: [{events: [A], resultHandler: '${ .got = $value.Data }'}]}
  - {nextState: U, eventGroups: [{events: [b], resultHandler: '${ .got = $value.data }'}]}
  - {nextState: U, timeout: '00:10'}
)";

TEST_F(EventTest, TakesTheTransitionWhoseEventCame) {
  load_transitions(kAOrB);
  start();
  answer("f", "null");
  EXPECT_EQ(arrive(event("tx", "0")), 0u);
  EXPECT_EQ(arrive(event("tb", "7")), 1u);
  EXPECT_EQ(output(), R"({"got":7})");
  EXPECT_EQ(path().substr(path().size() - 1), "U");
}

TEST_F(EventTest, SeesWhatCameDuringTheEnterAction) {
  load_transitions(kAOrB);
  start();
  EXPECT_EQ(arrive(event("ta", "5")), 1u);
  pass(minutes(60));
  answer("f", "null");
  EXPECT_EQ(output(), R"({"got":5})");
}

TEST_F(EventTest, TakesTheFirstTransitionOfTheTextWhicheverEventCameFirst) {
  load_transitions(kAOrB);
  start();
  arrive(event("tb", "2"));
  arrive(event("ta", "1"));
  answer("f", "null");
  EXPECT_EQ(output(), R"({"got":1})");
}

TEST_F(EventTest, TakesTheTimeoutWhereNoEventCame) {
  load_transitions(kAOrB);
  start();
  pass(minutes(60));
  answer("f", "null");
  pass(minutes(9));
  EXPECT_EQ(output(), "RUNNING");
  pass(minutes(1));
  EXPECT_EQ(output(), "{}");
}

TEST_F(EventTest, DoesNotBeginTheTimeoutAnewWithAnEventThatIsNotEnough) {
  load_transitions(R"(
  - {nextState: T, eventGroups: [{events: [a]}, {events: [b]}]}
  - {nextState: U, timeout: '00:10'}
)");
  start();
  answer("f", "null");
  pass(minutes(9));
  arrive(event("ta", "1"));
  pass(minutes(1));
  EXPECT_EQ(path().substr(path().size() - 1), "U");
}

TEST_F(EventTest, WantsAllGroupsAndOfAGroupAnyEvent) {
  load_transitions(R"(
  - nextState: T
    eventGroups:
    - {events: [a, b], resultHandler: '${ .first = $value.data }'}
    - {events: [c], resultHandler: '${ .second = $value.data }'}
)");
  start();
  answer("f", "null");
  arrive(event("tc", "3"));
  EXPECT_EQ(output(), "RUNNING");
  arrive(event("tb", "2"));
  EXPECT_EQ(output(), R"({"first":2,"second":3})");
}

TEST_F(EventTest, LetsOneEventMatchTwoGroups) {
  load_transitions("  - {nextState: T, eventGroups: [{events: [a]}, {events: [a, b]}]}\n");
  start();
  answer("f", "null");
  arrive(event("ta", "1"));
  EXPECT_EQ(output(), "{}");
}

TEST_F(EventTest, ShowsTheEventToTheConditionOfAGroup) {
  load_transitions(
      "  - {nextState: T, eventGroups: [{events: [a], condition: '${ .data.ok }', resultHandler: '${ .n = "
      "$value.Data.n }'}]}\n");
  start();
  answer("f", "null");
  arrive(event("ta", R"({"ok":false,"n":1})"));
  EXPECT_EQ(output(), "RUNNING");
  arrive(event("ta", R"({"ok":true,"n":2})"));
  EXPECT_EQ(output(), R"({"n":2})");
}

TEST_F(EventTest, KeepsWhatNoTransitionTookForLaterStates) {
  load(R"(
events: [{name: a, type: ta}, {name: b, type: tb}]
states:
- {name: S, start: true, transitions: [{nextState: T, eventGroups: [{events: [a]}]}]}
- {name: T, transitions: [{nextState: U, eventGroups: [{events: [b], resultHandler: '${ .b = $value.data }'}]}]}
- {name: U}
)");
  start();
  arrive(event("tb", "2"));
  arrive(event("ta", "1"));
  EXPECT_EQ(output(), R"({"b":2})");
}

constexpr const char* kGather = R"(
events: [{name: a, type: ta}]
states:
- name: S
  start: true
  transitions:
  - {condition: '${ (.all | length) == 2 }', nextState: T}
  - {eventGroups: [{events: [a], resultHandler: '${ .all += [$value.data] }'}]}
  - {timeout: '00:00:05', nextState: T}
- {name: T}
)";

TEST_F(EventTest, TakesEachEventOnceAndStaysInTheStateWithoutANextState) {
  load(kGather);
  start();
  arrive(event("ta", "1"));
  EXPECT_EQ(output(), "RUNNING");
  arrive(event("ta", "2"));
  EXPECT_EQ(output(), R"({"all":[1,2]})");
}

TEST_F(EventTest, BeginsTheTimeoutAnewWithEachWait) {
  load(kGather);
  start();
  pass(seconds(4));
  arrive(event("ta", "1"));
  pass(seconds(4));
  EXPECT_EQ(output(), "RUNNING");
  pass(seconds(1));
  EXPECT_EQ(output(), R"({"all":[1]})");
}

TEST_F(EventTest, ShowsEventsInBothSpellings) {
  load_transitions("  - {nextState: T, eventGroups: [{events: [a], resultHandler: '${ $value }'}]}\n");
  start();
  answer("f", "null");
  arrive(event("ta", "1", R"("subject":"a","time":"2026-01-01T00:00:00Z","who":"me",)"));
  EXPECT_EQ(output(),
            R"({"specversion":"1.0","id":"1","source":"s","type":"ta","subject":"a","time":"2026-01-01T00:00:00Z",)"
            R"("who":"me","data":1,"EventId":"1","EventName":"a","EventSource":"s","EventType":"ta",)"
            R"("Timestamp":"2026-01-01T00:00:00Z","Data":1,"ContextAttributes":{"who":"me"}})");
}

TEST_F(EventTest, AsksForWhatCorrelationFixes) {
  load_transitions(
      "  - {nextState: T, eventGroups: [{events: [a]}]}\n",
      "- {name: a, type: ta, correlation: [{contextAttributeName: who, contextAttributeValue: '${ .me }'}, "
      "{contextAttributeName: Where}]}");
  start(R"({"me":7})");
  EXPECT_EQ(awaited().front(), R"({"event":"a","source":"","type":"ta","attributes":{"where":null,"who":"7"}})");
}

TEST_F(EventTest, TakesItsNameForTheTypeOfAnEventWithoutTypeAndSource) {
  load_transitions("  - {nextState: T, eventGroups: [{events: [plain]}]}\n", "- {name: plain}");
  start();
  answer("f", "null");
  EXPECT_EQ(arrive(event("plain", "1")), 1u);
  EXPECT_EQ(output(), "{}");
}

TEST_F(EventTest, KeepsItsMailWhenItIsRedriven) {
  load_transitions(kAOrB);
  start();
  arrive(event("ta", "5"));
  fail_call("f", "Broken");
  EXPECT_EQ(error(), "Broken");
  redrive();
  answer("f", "null");
  EXPECT_EQ(output(), R"({"got":5})");
}

TEST_F(EventTest, WaitsOnAfterARedrive) {
  load_transitions(kAOrB);
  start();
  answer("f", "null");
  stop();
  redrive();
  EXPECT_TRUE(calls().empty());
  arrive(event("ta", "5"));
  EXPECT_EQ(output(), R"({"got":5})");
}

TEST_F(EventTest, TakesNothingInWhileTheMailboxIsFull) {
  load_transitions("  - {nextState: T, eventGroups: [{events: [a], condition: '${ .data == 7 }'}]}\n");
  start();
  const std::string large = '"' + std::string(300'000, 'x') + '"';
  for (size_t i = 0; i < 4; ++i) ASSERT_EQ(arrive(event("ta", large)), 1u);
  EXPECT_EQ(arrive(event("ta", "1")), 0u);
}

}  // namespace
}  // namespace pawl::sm4c
