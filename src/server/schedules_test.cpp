#include "server/schedules.h"

#include <gtest/gtest.h>

#include "server/server_test_fixture.h"
#include "text/timestamp.h"

namespace pawl::server {
namespace {

constexpr const char* kEveryQuarter = R"({"id":"tick","name":"Tick","version":"1","states":[
  {"name":"Say","type":"inject","start":{"kind":"scheduled","schedule":{"cron":"0 0/15 * * * ?","timezone":"UTC"}},
   "data":{"ticked":true},"end":{"kind":"default"}}]})";
constexpr const char* kHour = R"({"id":"hour","name":"Hour","version":"1","states":[
  {"name":"Wait","type":"delay","timeDelay":"PT1H","start":{"kind":"default"},"end":{"kind":"default"}}]})";
constexpr const char* kOnEvent = R"({"id":"onEvent","name":"On event","version":"1",
  "events":[{"name":"Moved","source":"toys","type":"toy.moved","kind":"consumed"}],
  "states":[{"name":"Wait","type":"event","exclusive":true,"eventsActions":[{"eventRefs":["Moved"],"actions":[]}],
    "start":{"kind":"scheduled","schedule":{"cron":"0 0/15 * * * ?","timezone":"UTC"}},"end":{"kind":"default"}}]})";

Timestamp at(std::string_view text) { return text::parse_timestamp(text)->ceil_to_milliseconds(); }

TEST(ScheduledName, HasTheTimeWithoutColons) {
  EXPECT_EQ(scheduled_name("tick", at("2026-03-01T09:15:00Z")), "tick-20260301T091500Z");
}

class SchedulesTest : public ServerTest {
 protected:
  SchedulesTest() {
    virtual_now_ = at("2026-03-01T09:07:00Z");
    restart();
  }
  void restart_at(std::string_view time) {
    virtual_now_ = at(time);
    restart();
  }
  Answered post(const std::string& path) const {
    net::HttpRequest request;
    request.method = "POST";
    request.url = server_->url() + path;
    const auto response = net::send(request);
    EXPECT_TRUE(response.has_value());
    return {response->status, json::parse(response->body).value_or(Value())};
  }
  // Lets an hour go by.
  void pass_an_hour() {
    const Answered started = start_execution("arn:aws:states:us-east-1:000000000000:stateMachine:hour");
    wait_for_end(started.text("executionArn"));
  }
  // The names of the executions of a definition, the oldest first, once there are so many.
  std::string names_of(const std::string& definition, size_t count) const {
    const std::string arn = "arn:aws:states:us-east-1:000000000000:stateMachine:" + definition;
    const Answered listed = poll("ListExecutions", "stateMachineArn", arn,
                                 [&](const Answered& answered) { return answered.size_of("executions") >= count; });
    std::string names;
    for (const Value& execution : listed.body.find("executions")->items())
      names = std::string(execution.find("name")->as_string()) + (names.empty() ? "" : " ") + names;
    return names;
  }
};

TEST_F(SchedulesTest, StartAnExecutionAtEachOfTheirTimes) {
  create("hour", kHour);
  create("tick", kEveryQuarter);
  EXPECT_EQ(get("/api/schedules/tick").text("next"), "2026-03-01T09:15:00.000Z");
  pass_an_hour();
  EXPECT_EQ(names_of("tick", 4),
            "tick-20260301T091500Z tick-20260301T093000Z tick-20260301T094500Z tick-20260301T100000Z");
  EXPECT_EQ(get("/api/schedules/tick").text("next"), "2026-03-01T10:15:00.000Z");
}

TEST_F(SchedulesTest, RunOnceForWhatWasMissedWhileTheServerWasDown) {
  create("tick", kEveryQuarter);
  restart_at("2026-03-01T12:07:00Z");
  EXPECT_EQ(names_of("tick", 1), "tick-20260301T091500Z");
  EXPECT_EQ(get("/api/schedules/tick").text("next"), "2026-03-01T12:15:00.000Z");
}

TEST_F(SchedulesTest, StartNothingWhilePausedAndRunOnceForIt) {
  create("hour", kHour);
  create("tick", kEveryQuarter);
  EXPECT_EQ(post("/api/schedules/tick/pause").status, 200);
  pass_an_hour();
  restart_at("2026-03-01T10:07:00Z");  // the pause is durable
  EXPECT_EQ(names_of("tick", 0), "");
  EXPECT_EQ(post("/api/schedules/tick/resume").status, 200);
  EXPECT_EQ(names_of("tick", 1), "tick-20260301T091500Z");
}

TEST_F(SchedulesTest, AreGoneWithTheirDefinition) {
  const std::string arn = create("tick", kEveryQuarter);
  call("DeleteStateMachine", "stateMachineArn", arn);
  EXPECT_EQ(get("/api/schedules").size_of("schedules"), 0U);
  restart();
  EXPECT_EQ(get("/api/schedules/tick").status, 404);
}

TEST_F(SchedulesTest, MakeTheEventThatTheFirstStateWaitsFor) {
  create("hour", kHour);
  create("onEvent", kOnEvent);
  pass_an_hour();
  names_of("onEvent", 4);
  const Answered ended =
      wait_for_end("arn:aws:states:us-east-1:000000000000:execution:onEvent:onEvent-20260301T091500Z");
  EXPECT_EQ(ended.text("status"), "SUCCEEDED");
}

TEST_F(SchedulesTest, TellTheirNextTimes) {
  create("tick", kEveryQuarter);
  const Answered next = get("/api/schedules/tick/next?count=3");
  EXPECT_EQ(json::print(*next.body.find("next")),
            R"(["2026-03-01T09:15:00.000Z","2026-03-01T09:30:00.000Z","2026-03-01T09:45:00.000Z"])");
  EXPECT_EQ(get("/api/schedules/tick/next?count=0").status, 400);
  EXPECT_EQ(get("/api/schedules/hour/next").text("code"), "SCHEDULE_NOT_FOUND");
}

}  // namespace
}  // namespace pawl::server
