// Pages of a history that is long enough to be stored in several stretches.
#include <algorithm>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

// A loop of 2,500 rounds of a Choice and a Pass: four events a round.
constexpr const char* kLoop = R"json({"StartAt":"More","States":{
  "More":{"Type":"Choice","Choices":[{"Variable":"$.count","NumericLessThan":2500,"Next":"Add"}],"Default":"Done"},
  "Add":{"Type":"Pass","Parameters":{"count.$":"States.MathAdd($.count, 1)"},"Next":"More"},
  "Done":{"Type":"Succeed"}}})json";
constexpr size_t kEvents = 1 + 2500 * 4 + 2 + 2 + 1;

class HistoryPages : public ServerTest {
 protected:
  HistoryPages() {
    arn_ = start_execution(create("loop", kLoop), "{\"count\": 0}").text("executionArn");
    EXPECT_EQ(wait_for_end(arn_).text("status"), "SUCCEEDED");
  }

  // Every event, page after page, as text.
  std::vector<std::string> all(const std::string& more) const {
    std::vector<std::string> events;
    std::string token;
    do {
      const Answered page = call("GetExecutionHistory", "{\"executionArn\":\"" + arn_ + "\"" + more + token + "}");
      EXPECT_EQ(page.status, 200) << page.message();
      for (const Value& event : page.body.find("events")->items()) events.push_back(json::print(event));
      token = page.text("nextToken").empty() ? "" : ",\"nextToken\":\"" + page.text("nextToken") + "\"";
    } while (!token.empty() && events.size() <= kEvents);
    return events;
  }

  std::string arn_;
};

TEST_F(HistoryPages, HoldEveryEventOnceInBothOrders) {
  const auto forward = all(",\"maxResults\":1000");
  ASSERT_EQ(forward.size(), kEvents);
  for (size_t i = 0; i < forward.size(); ++i)
    EXPECT_EQ(json::parse(forward[i])->find("id")->as_integer(), static_cast<int64_t>(i + 1));
  auto backward = all(",\"maxResults\":999,\"reverseOrder\":true");
  std::ranges::reverse(backward);
  EXPECT_EQ(backward, forward);
}

TEST_F(HistoryPages, ShowTheSameAfterARestart) {
  const auto before = all(",\"maxResults\":1000");
  restart();
  EXPECT_EQ(all(",\"maxResults\":777"), before);
}

}  // namespace
}  // namespace pawl::server
