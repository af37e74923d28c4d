// The trace context of a start, on its way to the execution's tasks.
#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

class Traces : public ServerTest {
 protected:
  // Starts a machine of one task; the traceparent that the task's request brought.
  std::string task_header_of(const std::string& start_header, const std::string& trace_header = "") {
    std::string seen;
    net::HttpTestServer worker([&](const net::ReceivedRequest& request) {
      seen = request.header("traceparent");
      return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    });
    const std::string url = "http://127.0.0.1:" + std::to_string(worker.port()) + "/";
    json::ObjectBuilder body;
    body.set("stateMachineArn", Value::string(create("m" + std::to_string(++machines_),
                                                     R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" +
                                                         url + R"(","End":true}}})")));
    if (!trace_header.empty()) body.set("traceHeader", Value::string(trace_header));
    net::HttpRequest request;
    request.url = server_->url() + "/";
    request.headers.emplace_back("X-Amz-Target", "AWSStepFunctions.StartExecution");
    if (!start_header.empty()) request.headers.emplace_back("traceparent", start_header);
    request.body = json::print(body.build());
    const auto response = net::send(request);
    const Value started = json::parse(response.value().body).value();
    wait_for_end(std::string(started.find("executionArn")->as_string()));
    return seen;
  }

  int machines_ = 0;
};

constexpr const char* kParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST_F(Traces, GoOnFromTheStartToItsTasks) {
  EXPECT_EQ(task_header_of(kParent).substr(0, 36), "00-4bf92f3577b34da6a3ce929d0e0e4736-");
  EXPECT_EQ(task_header_of("", "Root=1-67891233-abcdef012345678912345678;Sampled=1").substr(0, 36),
            "00-67891233abcdef012345678912345678-");
}

TEST_F(Traces, BeginWithTheExecutionWhereTheStartHasNone) {
  const std::string header = task_header_of("");
  EXPECT_EQ(header.size(), std::string_view(kParent).size());
  EXPECT_EQ(task_header_of("nonsense").size(), header.size());
  EXPECT_NE(task_header_of("").substr(0, 36), header.substr(0, 36)) << "another execution, another trace";
}

}  // namespace
}  // namespace pawl::server
