#include "server/metrics.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class Metrics : public ServerTest {
 protected:
  std::string page() const {
    const Answered answered = get("/metrics");
    return std::string(answered.body.as_string());
  }
};

TEST_F(Metrics, CountExecutionsByTheirEnd) {
  const std::string failing = create("f", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E"}}})");
  wait_for_end(start_execution(failing).text("executionArn"));
  start_execution(create("w", kWaitLong));
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("\npawl_executions_started_total 2\n"));
  EXPECT_THAT(text, HasSubstr("pawl_executions_closed_total{status=\"FAILED\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_executions_closed_total{status=\"SUCCEEDED\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("\npawl_executions_open 1\n"));
}

TEST_F(Metrics, KnowAfterARestartWhatIsOpen) {
  const std::string waiting = create("w", kWaitLong);
  start_execution(waiting);
  start_execution(waiting);
  restart();
  EXPECT_THAT(page(), HasSubstr("\npawl_executions_open 2\n"));
  start_execution(waiting);
  EXPECT_THAT(page(), HasSubstr("\npawl_executions_open 3\n"));
}

TEST_F(Metrics, CountRequestsByRouteAndStatus) {
  call("ListStateMachines", "{}");
  call("ListStateMachines", "{");
  call("Frobnicate", "{}");
  get("/health");
  get("/nothing");
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("pawl_http_requests_total{route=\"ListStateMachines\",status=\"200\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_requests_total{route=\"ListStateMachines\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_requests_total{route=\"/health\",status=\"200\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_requests_total{route=\"other\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_requests_total{route=\"other\",status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_request_seconds_count{route=\"ListStateMachines\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_request_seconds_bucket{route=\"ListStateMachines\",le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("pawl_http_request_seconds_bucket{route=\"ListStateMachines\",le=\"0.025\"}"));
  EXPECT_THAT(text, HasSubstr("pawl_http_request_seconds_bucket{route=\"ListStateMachines\",le=\"1e-04\"}"));
}

TEST_F(Metrics, CountCommitsAndTimers) {
  const std::string machine = create("w", R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":1,"End":true}}})");
  wait_for_end(start_execution(machine).text("executionArn"));
  const std::string text = page();
  EXPECT_THAT(text, Not(HasSubstr("pawl_commit_seconds_count 0\n")));
  EXPECT_THAT(text, Not(HasSubstr("pawl_timer_lag_seconds_count 0\n")));
  EXPECT_THAT(text, HasSubstr("pawl_queue_depth{queue=\"shard-1\"} 0\n"));
}

TEST_F(Metrics, CountTasksByOutcome) {
  net::HttpTestServer worker([](const net::ReceivedRequest& request) {
    return request.head.starts_with("POST /good") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
                                                  : "HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n{}";
  });
  for (const std::string name : {"good", "bad"}) {
    const std::string url = "http://127.0.0.1:" + std::to_string(worker.port()) + "/" + name;
    const std::string machine =
        create(name, R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" + url + R"(","End":true}}})");
    wait_for_end(start_execution(machine).text("executionArn"));
  }
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("pawl_tasks_total{outcome=\"succeeded\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("pawl_tasks_total{outcome=\"failed\"} 1\n"));
}

// The name of each "# TYPE name type" line.
std::set<std::string> told_names(const std::string& page) {
  std::set<std::string> names;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# TYPE ")) names.insert(line.substr(7, line.find(' ', 7) - 7));
  return names;
}

TEST_F(Metrics, AreAllExplained) {
  std::ifstream file(PAWL_SOURCE_DIR "/docs/operators.md");
  std::set<std::string> explained;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| `pawl_") || line.starts_with("| `process_"))
      explained.insert(line.substr(3, line.find_first_of("`{", 3) - 3));
  EXPECT_EQ(told_names(page()), explained);
}

}  // namespace
}  // namespace pawl::server
