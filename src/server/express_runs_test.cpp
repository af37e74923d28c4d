#include "server/express_runs.h"

#include <future>

#include <gtest/gtest.h>

#include "server/catalog.h"

namespace pawl::server {
namespace {

// Answers every task at once, and counts them.
class CountingTasks final : public engine::TaskHandler {
 public:
  Expect start(const engine::TaskRequest&, engine::AnswerTask answer) override {
    ++started;
    answer(engine::TaskAnswer::succeeded(json::Value::integer(7)));
    return Expect::kAnswer;
  }
  void cancel(engine::TaskId) override {}
  std::atomic<int> started = 0;
};

class ExpressRunsTest : public testing::Test {
 protected:
  static ExpressRequest request_for(std::string_view definition) {
    ExpressRequest request;
    Revision revision;
    revision.definition = definition;
    revision.express = true;
    request.program = compile_definition(revision).value()->program;
    request.input = json::Value::empty_object();
    request.make_context = [](Timestamp) { return json::Value::empty_object(); };
    request.may_begin_twice = true;
    return request;
  }

  CountingTasks tasks_;
  SystemClock clock_;
  ExpressRuns runs_{tasks_, clock_, {}};
};

constexpr const char* kPass = R"({"StartAt":"P","States":{"P":{"Type":"Pass","Result":1,"End":true}}})";
constexpr const char* kTask = R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":"work","End":true}}})";
constexpr const char* kWait = R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1000,"End":true}}})";

TEST_F(ExpressRunsTest, EndWithinTheCallWhereNothingIsWaitedFor) {
  std::optional<ExpressEnd> end;
  runs_.start(request_for(kPass), [&](Result<ExpressEnd> given) { end = given.value(); });
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, kernel::Status::kSucceeded);
  EXPECT_EQ(end->outcome, json::Value::integer(1));
}

TEST_F(ExpressRunsTest, CallATaskOnce) {
  std::promise<ExpressEnd> end;
  runs_.start(request_for(kTask), [&](Result<ExpressEnd> given) { end.set_value(given.value()); });
  EXPECT_EQ(end.get_future().get().outcome, json::Value::integer(7));
  EXPECT_EQ(tasks_.started, 1);
}

TEST_F(ExpressRunsTest, AreEndedWhenTheyAreClosed) {
  std::promise<ExpressEnd> end;
  runs_.start(request_for(kWait), [&](Result<ExpressEnd> given) { end.set_value(given.value_or(ExpressEnd{})); });
  runs_.close();
  EXPECT_NE(end.get_future().get().status, kernel::Status::kSucceeded);
}

}  // namespace
}  // namespace pawl::server
