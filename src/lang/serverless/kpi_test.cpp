#include "lang/serverless/kpi.h"

#include <gtest/gtest.h>

#include "lang/serverless/program_test_fixture.h"
#include "text/yaml.h"

namespace pawl::serverless {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHead = "extensionid: workflow-kpi-extension\nworkflowid: test\n";

// Findings as "CODE /pointer" lines.
std::string findings(std::string_view text) {
  Diagnostics diagnostics;
  static_cast<void>(read_kpis(text::parse_definition(text).value(), diagnostics));
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_GT(diagnostic.position.line, 0u);
    EXPECT_FALSE(diagnostic.fix.empty());
    lines += (lines.empty() ? "" : "\n") + diagnostic.code + " " + diagnostic.pointer;
  }
  return lines;
}

std::string of_members(std::string_view members) { return findings(std::string(kHead) + std::string(members)); }

KpiDocument read(std::string_view members) {
  Diagnostics diagnostics;
  KpiDocument kpis = read_kpis(text::parse_definition(std::string(kHead) + std::string(members)).value(), diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return kpis;
}

TEST(Kpis, AreReadFromTheDocumentOfTheSpecification) {
  const KpiDocument kpis = read(R"(
currency: USD
workflowVersions: ['1.0']
workflow: {per: {time: PT1D}, maxCost: '1300', maxInvoked: '500', avgDuration: PT2M}
functions: [{for: callNurse, per: {instances: 1000}, maxErrors: '5'}]
)");
  EXPECT_EQ(kpis.workflow_id, "test");
  ASSERT_EQ(kpis.kpis.size(), 4u);
  EXPECT_EQ(kpis.kpis[1].name, "test");
  EXPECT_EQ(kpis.kpis[1].threshold, 500);
  EXPECT_EQ(kpis.kpis[1].per.time, 24h);
  EXPECT_EQ(kpis.kpis[2].bound, KpiBound::kAverage);
  EXPECT_EQ(kpis.kpis[2].threshold, 120);
  EXPECT_EQ(kpis.kpis[3].subject, KpiSubject::kFunction);
  EXPECT_EQ(kpis.kpis[3].per.instances, 1000u);
}

TEST(Kpis, AreKnownByTheirExtensionId) {
  EXPECT_TRUE(is_kpi_document(text::parse_definition(kHead)->root));
  EXPECT_FALSE(is_kpi_document(text::parse_definition("extensionid: other")->root));
  EXPECT_FALSE(is_kpi_document(text::parse_definition("[]")->root));
}

TEST(Kpis, AreRefusedWithTheirPlace) {
  EXPECT_EQ(findings("[]"), "SW_FIELD_TYPE ");
  EXPECT_EQ(findings("extensionid: workflow-kpi-extension"), "SW_MISSING_FIELD ");
  EXPECT_EQ(of_members("wrkflow: {}"), "SW_UNKNOWN_FIELD /wrkflow");
  EXPECT_EQ(of_members("states: {}"), "SW_FIELD_TYPE /states");
  EXPECT_EQ(of_members("states: [{maxExec: '1'}]"), "SW_MISSING_FIELD /states/0");
  EXPECT_EQ(of_members("workflow: {maxErrors: '1'}"), "SW_UNKNOWN_FIELD /workflow/maxErrors");
  EXPECT_EQ(of_members("functions: [{for: f, minErrors: '1'}]"), "SW_UNKNOWN_FIELD /functions/0/minErrors");
  EXPECT_EQ(of_members("workflow: {maxInvoked: many}"), "SW_NUMBER /workflow/maxInvoked");
  EXPECT_EQ(of_members("workflow: {maxDuration: '5'}"), "SW_DURATION /workflow/maxDuration");
  EXPECT_EQ(of_members("workflow: {per: {time: day}}"), "SW_DURATION /workflow/per/time");
  EXPECT_EQ(of_members("workflow: {per: {instances: 0}}"), "SW_NUMBER /workflow/per/instances");
}

TEST(Kpis, AreCrossedOnTheWrongSideOfTheirThreshold) {
  Kpi kpi;
  kpi.threshold = 5;
  EXPECT_FALSE(is_crossed(kpi, 5));
  EXPECT_TRUE(is_crossed(kpi, 6));
  kpi.bound = KpiBound::kMin;
  EXPECT_FALSE(is_crossed(kpi, 5));
  EXPECT_TRUE(is_crossed(kpi, 4));
}

// A workflow that calls a function, which fails once, and then waits for an event.
class KpiTallies : public WorkflowTest {
 protected:
  void run() {
    load(R"(
functions: [{name: f, resource: r}]
events: [{name: go, type: t, source: s}, {name: done, type: d, kind: produced}]
states:
- name: Call
  type: operation
  start: {kind: default}
  actions: [{functionRef: {refName: f}}]
  retry: [{expression: "{{ $.error }}", interval: PT10S, maxAttempts: 3}]
  transition: {nextState: Wait}
- name: Wait
  type: event
  eventsActions: [{eventRefs: [go], actions: []}]
  end: {kind: event, produceEvent: {eventRef: done}}
)");
    const Timestamp started = world.clock.now();
    start();
    fail_call("f", "Broken");
    pass(10s);
    answer("f", "{}");
    pass(20s);
    ASSERT_EQ(arrive(R"({"type":"t","source":"s"})"), 1u);
    ASSERT_EQ(output(), "{}");
    tally_.add(static_cast<const Program&>(program()).workflow(), facts, started, world.clock.now());
  }

  double measured(std::string_view members) const { return tally_.measured(read(members).kpis.at(0)).value_or(-1); }

  KpiTally tally_;
};

TEST_F(KpiTallies, CountWhatTheFactsTell) {
  run();
  EXPECT_EQ(measured("workflow: {maxInvoked: '1'}"), 1);
  EXPECT_EQ(measured("functions: [{for: f, maxInvoked: '1'}]"), 2);
  EXPECT_EQ(measured("functions: [{for: f, maxErrors: '1'}]"), 1);
  EXPECT_EQ(measured("functions: [{for: f, maxRetry: '1'}]"), 1);
  EXPECT_EQ(measured("functions: [{for: f, maxTimeout: '1'}]"), 0);
  EXPECT_EQ(measured("functions: [{for: g, maxInvoked: '1'}]"), 0);
  EXPECT_EQ(measured("events: [{for: go, maxConsumed: '1'}]"), 1);
  EXPECT_EQ(measured("events: [{for: done, maxProduced: '1'}]"), 1);
  EXPECT_EQ(measured("states: [{for: Wait, maxExec: '1'}]"), 1);
}

TEST_F(KpiTallies, MeasureDurations) {
  run();
  run();
  for (const char* bound : {"max", "min", "avg"}) {
    EXPECT_EQ(measured("workflow: {" + std::string(bound) + "Duration: PT1S}"), 30) << bound;
    EXPECT_EQ(measured("states: [{for: Wait, " + std::string(bound) + "Duration: PT1S}]"), 20) << bound;
  }
  EXPECT_EQ(measured("workflow: {maxCost: '1'}"), -1);
  EXPECT_EQ(measured("states: [{for: None, maxDuration: PT1S}]"), -1);
}

}  // namespace
}  // namespace pawl::serverless
