// Event, callback and event switch states, actions by events, and produced events.
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class EventStates : public WorkflowTest {};

const char* const kVitals = R"(
events:
- {name: HighTemperature, type: temperature, source: monitor, correlation: [{contextAttributeName: patientId}]}
- {name: HighPressure, type: pressure, source: monitor, correlation: [{contextAttributeName: patientId}]}
functions: [{name: tylenol, resource: r}, {name: nurse, resource: r}]
states:
- name: Monitor
  type: event
  start: {kind: default}
  exclusive: true
  eventsActions:
  - eventRefs: [HighTemperature]
    actions: [{functionRef: {refName: tylenol, parameters: {patient: "{{ $.patientId }}"}}}]
  - eventRefs: [HighPressure]
    actions: [{functionRef: {refName: nurse, parameters: {patient: "{{ $.patientId }}"}}}]
  end: {kind: terminate}
)";

TEST_F(EventStates, GoOnWithTheEventThatStartedThem) {
  load(kVitals);
  start("{}", R"({"events":[{"event":"HighPressure",
    "value":{"id":"1","source":"monitor","type":"pressure","patientid":"P7","data":{"value":"180"}}}],
    "correlation":{"patientid":"P7"}})");
  EXPECT_EQ(call(), R"(nurse({"patient":"P7"}))");
  answer("nurse", R"({"called":true})");
  EXPECT_EQ(output(), R"({"value":"180","patientId":"P7","called":true})");
}

TEST_F(EventStates, StartedDirectlyWaitForTheirEvent) {
  load(kVitals);
  start(R"({"ward":3})");
  EXPECT_EQ(awaited().size(), 2u);
  EXPECT_EQ(arrive(R"({"id":"1","source":"elsewhere","type":"temperature","patientid":"P7"})"), 0u);
  EXPECT_EQ(arrive(R"({"id":"1","source":"monitor","type":"temperature","patientId":"P7"})"), 1u);
  EXPECT_EQ(call(), R"(tylenol({"patient":"P7"}))");
  EXPECT_EQ(effects.front().kind, kernel::EffectKind::kUnsubscribe);
}

const char* const kAllEvents = R"(
events:
- {name: Form, type: form, source: school, correlation: [{contextAttributeName: applicantId}]}
- {name: Essay, type: essay, source: school, correlation: [{contextAttributeName: applicantId}]}
functions: [{name: finalize, resource: r}]
states:
- {name: First, type: inject, start: {kind: default}, transition: {nextState: Collect}}
- name: Collect
  type: event
  exclusive: false
  timeout: PT1H
  eventsActions:
  - eventRefs: [Form, Essay]
    actions: [{functionRef: {refName: finalize, parameters: {student: "{{ $.applicantId }}"}}}]
  end: {kind: default}
)";

TEST_F(EventStates, ThatNeedAllEventsWaitForThoseThatBelongTogether) {
  load(kAllEvents);
  start();
  EXPECT_EQ(arrive(R"({"source":"school","type":"essay","applicantid":"A1","data":{"essay":"text"}})"), 1u);
  EXPECT_EQ(calls().size(), 0u);
  EXPECT_EQ(arrive(R"({"source":"school","type":"form","applicantid":"A2"})"), 0u);
  EXPECT_EQ(arrive(R"({"source":"school","type":"essay","applicantid":"A1"})"), 0u);
  EXPECT_EQ(arrive(R"({"source":"school","type":"form","applicantid":"A1","data":{"form":1}})"), 1u);
  EXPECT_EQ(call(), R"(finalize({"student":"A1"}))");
  answer("finalize", "null");
  EXPECT_EQ(output(), R"({"form":1,"applicantId":"A1","essay":"text"})");
}

TEST_F(EventStates, ThatNeedAllEventsKeepThoseThatCameOverAStopAndARedrive) {
  load(kAllEvents);
  start();
  EXPECT_EQ(arrive(R"({"source":"school","type":"essay","applicantid":"A1","data":{"essay":"text"}})"), 1u);
  stop();
  redrive();
  EXPECT_EQ(awaited().size(), 1u);
  EXPECT_EQ(arrive(R"({"source":"school","type":"form","applicantid":"A1","data":{"form":1}})"), 1u);
  answer("finalize", "null");
  EXPECT_EQ(output(), R"({"form":1,"applicantId":"A1","essay":"text"})");
}

TEST_F(EventStates, ThatAreNotInTimeGoOnWithoutTheirActions) {
  load(kAllEvents);
  start(R"({"a":1})");
  pass(minutes(40));
  arrive(R"({"source":"school","type":"essay","applicantid":"A1","data":{"essay":"text"}})");
  pass(minutes(20) - Duration(1));
  EXPECT_EQ(output(), "RUNNING");
  pass(Duration(1));
  EXPECT_EQ(output(), R"({"a":1})");
}

TEST_F(EventStates, ThatAreRetriedKeepTheirEvents) {
  load(R"(
events: [{name: Go, type: go, source: s}]
functions: [{name: work, resource: r}]
states:
- name: Wait
  type: event
  start: {kind: default}
  eventsActions:
  - eventRefs: [Go]
    actions: [{functionRef: {refName: work, parameters: {n: "{{ $.n }}"}}}]
  retry: [{expression: "{{ $.errors }}", interval: PT1M, maxAttempts: 1}]
  end: {kind: default}
)");
  start();
  arrive(R"({"source":"s","type":"go","data":{"n":5}})");
  fail_call("work", "Broken");
  pass(minutes(1));
  EXPECT_EQ(call(), R"(work({"n":5}))");
}

TEST_F(EventStates, RunSeveralActionsOfAnEventInTheirMode) {
  load(R"(
events: [{name: Go, type: go, source: s}]
functions: [{name: one, resource: r}, {name: two, resource: r}]
states:
- name: Wait
  type: event
  start: {kind: default}
  eventsActions:
  - eventRefs: [Go]
    actionMode: parallel
    actions: [{functionRef: {refName: one}}, {functionRef: {refName: two}}]
  end: {kind: default}
)");
  start();
  arrive(R"({"source":"s","type":"go","data":{"n":5}})");
  EXPECT_EQ(calls().size(), 2u);
  answer("two", R"({"two":2})");
  answer("one", R"({"one":1})");
  EXPECT_EQ(output(), R"({"n":5,"one":1,"two":2})");
}

TEST_F(EventStates, WithoutActionsAddTheEvent) {
  load(R"(
events: [{name: Go, type: go, source: s}]
states:
- name: Wait
  type: event
  start: {kind: default}
  eventsActions: [{eventRefs: [Go], actions: [], eventDataFilter: {dataOutputPath: "{{ $.data.n }}"}}]
  end: {kind: default}
)");
  start();
  arrive(R"({"source":"s","type":"go","data":{"n":5,"m":6}})");
  EXPECT_EQ(output(), R"({"n":5})");
}

const char* const kVisa = R"(
events:
- {name: Approved, type: approved, source: visa}
- {name: Rejected, type: rejected, source: visa}
states:
- name: Check
  type: switch
  start: {kind: default}
  eventConditions:
  - {eventRef: Approved, transition: {nextState: Yes}}
  - {eventRef: Rejected, transition: {nextState: No}}
  eventTimeout: PT1H
  default: {nextState: Late}
- {name: "Yes", type: inject, end: {kind: default}}
- {name: "No", type: inject, end: {kind: default}}
- {name: Late, type: inject, end: {kind: default}}
)";

TEST_F(EventStates, SwitchGoesWhereTheFirstEventSays) {
  load(kVisa);
  start();
  arrive(R"({"source":"visa","type":"rejected","data":{"why":"form"}})");
  EXPECT_EQ(path(), "Check No");
  EXPECT_EQ(output(), R"({"why":"form"})");
}

TEST_F(EventStates, SwitchTakesTheDefaultWhenNoneCameInTime) {
  load(kVisa);
  start();
  pass(minutes(60) - Duration(1));
  EXPECT_EQ(output(), "RUNNING");
  pass(Duration(1));
  EXPECT_EQ(path(), "Check Late");
}

const char* const kCredit = R"(
events: [{name: Checked, type: checked, source: credit, correlation: [{contextAttributeName: customer, contextAttributeValue: "{{ $.customer }}"}]}]
functions: [{name: check, resource: r}]
states:
- name: Credit
  type: callback
  start: {kind: default}
  action: {functionRef: {refName: check, parameters: {who: "{{ $.customer }}"}}}
  eventRef: Checked
  timeout: PT15M
  end: {kind: default}
)";

const char* const kCheckedEvent = R"({"source":"credit","type":"checked","customer":"C1","data":{"score":700}})";

TEST_F(EventStates, CallbackSubscribesInTheTurnThatCallsItsAction) {
  load(kCredit);
  start(R"({"customer":"C1"})");
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[0].kind, kernel::EffectKind::kSubscribe);
  EXPECT_EQ(effects[1].kind, kernel::EffectKind::kDispatch);
  answer("check", R"({"case":9})");
  arrive(kCheckedEvent);
  EXPECT_EQ(output(), R"({"customer":"C1","case":9,"score":700})");
}

TEST_F(EventStates, CallbackTakesAnEventThatIsFasterThanItsAction) {
  load(kCredit);
  start(R"({"customer":"C1"})");
  EXPECT_EQ(arrive(kCheckedEvent), 1u);
  EXPECT_EQ(output(), "RUNNING");
  answer("check", R"({"case":9})");
  EXPECT_EQ(output(), R"({"customer":"C1","case":9,"score":700})");
}

TEST_F(EventStates, CallbackWaitsFromWhenItsActionHasRunAndThenGoesOn) {
  load(kCredit);
  start(R"({"customer":"C1"})");
  pass(minutes(60));
  EXPECT_EQ(arrive(R"({"source":"credit","type":"checked","customer":"C2"})"), 0u);
  answer("check", R"({"case":9})");
  pass(minutes(15) - Duration(1));
  EXPECT_EQ(output(), "RUNNING");
  pass(Duration(1));
  EXPECT_EQ(output(), R"({"customer":"C1","case":9})");
}

TEST_F(EventStates, CallbackWhoseActionFailsWaitsForNothing) {
  load(kCredit);
  start(R"({"customer":"C1"})");
  fail_call("check", "Broken");
  EXPECT_EQ(error(), "Broken");
  EXPECT_EQ(awaited().size(), 0u);
  redrive();
  EXPECT_EQ(call(), R"(check({"who":"C1"}))");
  EXPECT_EQ(awaited().size(), 1u);
}

const char* const kVet = R"(
events:
- {name: Make, type: make, kind: produced}
- {name: Made, type: made, source: vet}
states:
- name: Appoint
  type: operation
  start: {kind: default}
  actions:
  - name: appoint
    eventRef:
      triggerEventRef: Make
      resultEventRef: Made
      data: "{{ $.patient }}"
      contextAttributes: {patientId: "{{ $.patient.id }}"}
    actionDataFilter: {dataResultsPath: "{{ $.when }}"}
    timeout: PT15M
  end: {kind: default}
)";

TEST_F(EventStates, ActionByEventsProducesOneAndWaitsForTheOther) {
  load(kVet);
  start(R"({"patient":{"id":"P7"}})", R"({"context":{"Execution":{"Name":"run-1"}}})");
  ASSERT_EQ(published().size(), 1u);
  const Value event = published()[0];
  EXPECT_EQ(event.find("type")->as_string(), "make");
  EXPECT_EQ(event.find("source")->as_string(), "/workflows/test/run-1");
  EXPECT_EQ(event.find("patientId")->as_string(), "P7");
  EXPECT_EQ(json::print(*event.find("data")), R"({"id":"P7"})");
  EXPECT_EQ(event.find("id")->as_string().size(), 36u);
  arrive(R"({"source":"vet","type":"made","data":{"when":"noon","who":"x"}})");
  EXPECT_EQ(output(), R"({"patient":{"id":"P7"},"when":"noon"})");
}

TEST_F(EventStates, ActionByEventsThatIsNotAnsweredInTimeIsGoneOnWithout) {
  load(kVet);
  start(R"({"patient":{"id":"P7"}})");
  pass(minutes(15));
  EXPECT_EQ(output(), R"({"patient":{"id":"P7"}})");
}

TEST_F(EventStates, TwoWaitsAtOnceTakeEventsThatBelongTogether) {
  load(R"(
events:
- {name: AskA, type: ask.a, kind: produced}
- {name: AskB, type: ask.b, kind: produced}
- {name: A, type: a, source: s, correlation: [{contextAttributeName: order}]}
- {name: B, type: b, source: s, correlation: [{contextAttributeName: order}]}
states:
- name: Both
  type: operation
  start: {kind: default}
  actionMode: parallel
  actions:
  - {name: a, eventRef: {triggerEventRef: AskA, resultEventRef: A}, timeout: PT1H}
  - {name: b, eventRef: {triggerEventRef: AskB, resultEventRef: B}, timeout: PT1H}
  end: {kind: default}
)");
  start();
  EXPECT_EQ(arrive(R"({"source":"s","type":"a","order":"1","data":{"a":1}})"), 1u);
  pass(minutes(30));
  EXPECT_EQ(arrive(R"({"source":"s","type":"b","order":"2","data":{"b":2}})"), 1u);  // the wait is older than that
  EXPECT_EQ(output(), "RUNNING");
  EXPECT_EQ(execution().next_due(), world.now() + minutes(30));
  EXPECT_EQ(arrive(R"({"source":"s","type":"b","order":"2","data":{"b":2}})"), 0u);
  EXPECT_EQ(arrive(R"({"source":"s","type":"b","order":"1","data":{"b":3}})"), 1u);
  EXPECT_EQ(output(), R"({"a":1,"b":3})");
}

TEST_F(EventStates, TransitionsAndEndsProduceEventsFromTheFilteredOutput) {
  load(R"(
events: [{name: Done, type: done, kind: produced, source: here}]
states:
- name: One
  type: inject
  start: {kind: default}
  data: {a: {b: 1}}
  transition: {nextState: Two, produceEvent: {eventRef: Done, data: {nested: ["{{ $.a.b }}", x]}}}
- name: Two
  type: inject
  stateDataFilter: {dataOutputPath: "{{ $.a }}"}
  end: {kind: event, produceEvent: {eventRef: Done, data: "{{ $.b }}"}}
)");
  start();
  ASSERT_EQ(published().size(), 2u);
  EXPECT_EQ(json::print(*published()[0].find("data")), R"({"nested":[1,"x"]})");
  EXPECT_EQ(json::print(*published()[1].find("data")), "1");
  EXPECT_EQ(published()[0].find("source")->as_string(), "here");
  EXPECT_NE(published()[0].find("id")->as_string(), published()[1].find("id")->as_string());
}

TEST_F(EventStates, TheStartRuleNamesEachEventOnceWithWhatTheTextFixes) {
  load(R"(
events:
- {name: A, type: a, source: s, correlation: [{contextAttributeName: Id}, {contextAttributeName: dep, contextAttributeValue: urgent}]}
- {name: B, type: b, source: s}
states:
- name: Wait
  type: event
  start: {kind: default}
  exclusive: false
  timeout: PT2M
  eventsActions: [{eventRefs: [A, B], actions: []}, {eventRefs: [A], actions: []}]
  end: {kind: default}
)");
  const kernel::StartRule rule = program().start_rule();
  ASSERT_EQ(rule.events.size(), 2u);
  EXPECT_TRUE(rule.needs_all);
  EXPECT_EQ(rule.gap, Duration(minutes(2)));
  EXPECT_EQ(json::print(rule.events[0].to_value()),
            R"({"event":"A","source":"s","type":"a","attributes":{"dep":"urgent","id":null}})");
}

}  // namespace
}  // namespace pawl::serverless
