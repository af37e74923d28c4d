#include "api/workbench.h"

#include <gtest/gtest.h>

#include "api/definition.h"
#include "connect/mocks.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::api {
namespace {

constexpr const char* kAwait = R"({"id":"await","name":"Await","version":"1",
  "events":[{"name":"Moved","source":"toys","type":"toy.moved","kind":"consumed",
             "correlation":[{"contextAttributeName":"toy"}]}],
  "states":[{"name":"First","type":"inject","data":{"x":1},"start":{"kind":"default"},"transition":{"nextState":"Wait"}},
            {"name":"Wait","type":"event","exclusive":true,"eventsActions":[{"eventRefs":["Moved"],"actions":[]}],
             "end":{"kind":"default"}}]})";
constexpr const char* kCall = R"({"id":"call","name":"Call","version":"1","functions":[{"name":"f","resource":"f"}],
  "states":[{"name":"Do","type":"operation","actions":[{"functionRef":{"refName":"f"}}],"start":{"kind":"default"},
             "end":{"kind":"default"}}]})";
constexpr const char* kParent = R"({"id":"parent","name":"Parent","version":"1","states":[
  {"name":"Sub","type":"subflow","workflowId":"call","waitForCompletion":true,"start":{"kind":"default"},
   "end":{"kind":"default"}}]})";

std::shared_ptr<const kernel::Program> compile(const char* text) {
  LoadedDefinition loaded = load_definition({.text = text, .file = "test", .assignments = {}, .read = {}});
  EXPECT_NE(loaded.program, nullptr) << (loaded.diagnostics.empty() ? "" : loaded.diagnostics[0].cause);
  return loaded.program;
}

connect::MockPlan answer_with(const char* result, uint64_t calls = 1) {
  return {{"f", {{0, calls - 1, {connect::MockResponse::Kind::kReturn, json::parse(result).value()}}}}};
}

class WorkbenchTest : public testing::Test {
 protected:
  Result<std::vector<Instance>> run(const char* name, const char* text, const char* event = nullptr) {
    Workbench bench({name, compile(text)}, mocks_, options_);
    bench.start(Value::empty_object());
    if (event != nullptr) bench.publish(std::chrono::hours(1), json::parse(event).value());
    return bench.run();
  }
  WorkbenchTest() {
    options_.virtual_time = true;
    options_.find_definition = [](std::string_view name) { return name == "call" ? compile(kCall) : nullptr; };
  }

  BenchOptions options_;
  connect::MockTasks mocks_{answer_with(R"({"y":2})", 10)};
};

constexpr const char* kBall = R"({"specversion":"1.0","id":"1","source":"toys","type":"toy.moved","toy":"ball"})";

TEST_F(WorkbenchTest, GivesAnEventToWhoWaitsForIt) {
  const auto instances = run("await", kAwait, kBall);
  ASSERT_EQ(instances.value().size(), 1U);
  EXPECT_EQ((*instances)[0].status, kernel::Status::kSucceeded);
  EXPECT_EQ(json::print((*instances)[0].outcome), R"({"x":1,"toy":"ball"})");
  EXPECT_TRUE(check_ended(*instances).has_value());
}

TEST_F(WorkbenchTest, SaysThatAnExecutionIsStuck) {
  const auto instances = run("await", kAwait);
  EXPECT_EQ(check_ended(instances.value()).error().code, "RUN_STUCK");
}

TEST_F(WorkbenchTest, CallsTasksByTheFunctionsName) {
  EXPECT_EQ(json::print(run("call", kCall).value()[0].outcome), R"({"y":2})");
}

TEST_F(WorkbenchTest, RunsASubWorkflowAndTellsOnlyTheInstance) {
  size_t started = 0;
  options_.on_fact = [&](const BenchFact& told) {
    if (told.fact.kind == kernel::FactKind::kExecutionStarted) ++started;
  };
  const auto instances = run("parent", kParent);
  EXPECT_EQ(json::print(instances.value()[0].outcome), R"({"y":2})");
  EXPECT_EQ(instances->size(), 1U);
  EXPECT_EQ(started, 2U);
}

TEST_F(WorkbenchTest, EndsAsBeforeWhereTheEngineIsRestartedAfterEachCommit) {
  options_.restart_after_each_commit = true;
  EXPECT_EQ(json::print(run("parent", kParent).value()[0].outcome), R"({"y":2})");
  EXPECT_EQ(json::print(run("await", kAwait, kBall).value()[0].outcome), R"({"x":1,"toy":"ball"})");
}

constexpr const char* kProduce = R"({"id":"produce","name":"Produce","version":"1",
  "events":[{"name":"Made","type":"toy.made","kind":"produced"}],
  "states":[{"name":"Make","type":"inject","start":{"kind":"default"},
             "end":{"kind":"event","produceEvent":{"eventRef":"Made"}}}]})";

TEST_F(WorkbenchTest, FixesTheIdsOfProducedEventsByTheSeed) {
  const auto id_of = [&](uint64_t seed) {
    std::string id;
    options_.seed = seed;
    options_.on_emitted = [&](const Value& event) { id = event.find("id")->as_string(); };
    EXPECT_TRUE(run("produce", kProduce).has_value());
    return id;
  };
  EXPECT_EQ(id_of(0), id_of(0));
  EXPECT_EQ(id_of(7), id_of(7));
  EXPECT_NE(id_of(7), id_of(8));
}

TEST_F(WorkbenchTest, RefusesAnEventThatIsNone) {
  EXPECT_EQ(run("await", kAwait, R"({"specversion":"1.0"})").error().code, "EVENT_INVALID");
}

TEST_F(WorkbenchTest, EndsEarlyWhereItIsAskedTo) {
  std::stop_source stop;
  stop.request_stop();
  options_.stop = stop.get_token();
  EXPECT_EQ(run("call", kCall).error().code, "INTERRUPTED");
}

}  // namespace
}  // namespace pawl::api
