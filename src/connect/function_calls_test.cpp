#include "connect/function_calls.h"

#include <gtest/gtest.h>

namespace pawl::connect {
namespace {

class Calls : public testing::Test {
 protected:
  void submit(const std::string& id, Timestamp deadline = kNever) {
    FunctionCall call;
    call.id = id;
    call.function = "f";
    call.event = "{}";
    call.deadline = deadline;
    calls.submit(call,
                 [this, id](CallEnd end) { ends.push_back(id + " " + (end.is_success ? end.body : end.error_type)); });
  }
  void next(WorkerId worker, const std::string& function = "f") {
    calls.next(worker, function,
               [this](std::optional<FunctionCall> call) { taken.push_back(call ? call->id : "nothing"); });
  }

  std::vector<std::string> ends;
  std::vector<std::string> taken;
  FunctionCalls calls;  // tells those above when it ends
  WorkerId one = calls.new_worker();
  WorkerId two = calls.new_worker();
};

TEST_F(Calls, AreTakenInTheirOrderWhoeverCameFirst) {
  submit("a");
  next(one);
  next(two);
  submit("b");
  EXPECT_EQ(taken, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(calls.answer(two, "b", "2"));
  EXPECT_TRUE(calls.answer(one, "a", "1"));
  EXPECT_EQ(ends, (std::vector<std::string>{"b 2", "a 1"}));
}

TEST_F(Calls, OfOtherFunctionsAreNotTaken) {
  submit("a");
  next(one, "g");
  EXPECT_TRUE(taken.empty());
}

TEST_F(Calls, AreAnsweredOnceAndByWhoTookThem) {
  submit("a");
  next(one);
  EXPECT_FALSE(calls.answer(two, "a", "1"));
  EXPECT_TRUE(calls.answer(one, "a", "1"));
  EXPECT_FALSE(calls.answer(one, "a", "again"));
  EXPECT_EQ(ends, (std::vector<std::string>{"a 1"}));
}

TEST_F(Calls, EndWithTheirWorker) {
  submit("a");
  next(one);
  next(one);
  calls.leave(one, "Runtime.ExitError", "it crashed");
  EXPECT_EQ(ends, (std::vector<std::string>{"a Runtime.ExitError"}));
  EXPECT_EQ(taken, (std::vector<std::string>{"a", "nothing"}));
  EXPECT_FALSE(calls.answer(one, "a", "late"));
}

TEST_F(Calls, EndWhenTheirTimeIsUp) {
  const Timestamp deadline(std::chrono::seconds(10));
  submit("a", deadline);
  next(one);
  EXPECT_EQ(calls.next_deadline(), deadline);
  EXPECT_TRUE(calls.expire(deadline - Duration(1)).empty());
  EXPECT_EQ(calls.expire(deadline), (std::vector<WorkerId>{one}));
  EXPECT_EQ(ends, (std::vector<std::string>{"a Sandbox.Timedout"}));
}

TEST_F(Calls, ThatAreWithdrawnAreNotHandedOut) {
  submit("a");
  calls.withdraw("a");
  next(one);
  EXPECT_TRUE(taken.empty());
  submit("b");
  calls.withdraw("b");
  EXPECT_FALSE(calls.answer(one, "b", "1"));
  EXPECT_TRUE(ends.empty());
}

TEST_F(Calls, ThatAreWithdrawnStillEndTheirWorkerWhenTheirTimeIsUp) {
  next(one);
  submit("a", Timestamp(Duration(10)));
  calls.withdraw("a");
  EXPECT_EQ(calls.expire(Timestamp(Duration(10))), std::vector<WorkerId>{one});
  EXPECT_TRUE(ends.empty());
}

TEST_F(Calls, AreNotAnsweredOnceEverythingEnds) {
  submit("a");
  next(one);
  next(two);
  calls.close();
  EXPECT_EQ(taken, (std::vector<std::string>{"a", "nothing"}));
  EXPECT_FALSE(calls.answer(one, "a", "1"));
  next(one);
  EXPECT_EQ(taken.back(), "nothing");
}

}  // namespace
}  // namespace pawl::connect
