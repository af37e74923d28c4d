#include "server/server.h"

#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using Protocol = ServerTest;

TEST_F(Protocol, RefusesUnknownOperationsByName) {
  const Answered unknown = call("FrobnicateExecution", "{}");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.type(), "UnknownOperationException");
  EXPECT_NE(unknown.message().find("FrobnicateExecution"), std::string::npos);
  EXPECT_EQ(send("", "{}").type(), "UnknownOperationException");
  EXPECT_EQ(send("DynamoDB_20120810.ListTables", "{}").type(), "UnknownOperationException");
}

TEST_F(Protocol, RefusesBrokenJson) {
  EXPECT_EQ(call("ListStateMachines", "{").type(), "SerializationException");
  EXPECT_EQ(call("ListStateMachines", "[]").type(), "SerializationException");
  EXPECT_EQ(call("ListStateMachines", "").status, 200) << "no body is an empty one";
}

TEST_F(Protocol, AnswersNothingElsewhere) {
  EXPECT_EQ(get("/").status, 404);
  EXPECT_EQ(get("/favicon.ico").status, 404);
}

TEST_F(Protocol, TellsItsHealthAndItsNumbers) {
  EXPECT_EQ(get("/health").text("status"), "ok");
  start_execution(create("m", kPass));
  const Answered answered = get("/metrics");
  const std::string metrics(answered.body.as_string());
  EXPECT_NE(metrics.find("\npawl_executions_started_total 1\n"), std::string::npos) << metrics;
  EXPECT_NE(metrics.find("\npawl_executions_closed_total{status=\"SUCCEEDED\"} 1\n"), std::string::npos) << metrics;
}

TEST(Server, RefusesAnAddressThatOthersReach) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.directory = folder.path();
  options.host = "0.0.0.0";
  EXPECT_EQ(Server::start(options).error().code, "SERVE_NOT_LOOPBACK");
}

TEST(Server, RefusesADirectoryThatIsInUse) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.directory = folder.path();
  options.port = 0;
  const auto first = Server::start(options);
  ASSERT_TRUE(first.has_value()) << to_string(first.error());
  EXPECT_EQ(Server::start(options).error().code, "STORE_IN_USE");
}

TEST(IsLoopback, KnowsTheAddressesOfThisMachineOnly) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"}) EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host :
       {"0.0.0.0", "::", "192.168.1.1", "example.org", "127.example.org", "127.0.0.1.example.org", ""})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace pawl::server
