#include "server/kpi_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/print.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kWorkflow = R"({"id":"w","name":"W","version":"1","states":[
  {"name":"Say","type":"inject","start":{"kind":"default"},"data":{"said":true},"end":{"kind":"default"}}]})";

class Kpis : public ServerTest {
 protected:
  // "STATUS CODE", or "STATUS " and the body where it is no refusal.
  std::string send(const std::string& method, const std::string& definition, const std::string& body = "") const {
    net::HttpRequest request;
    request.method = method;
    request.url = server_->url() + "/api/definitions/" + definition + "/kpis";
    request.body = body;
    const auto response = net::send(request);
    if (!response) return response.error().code;
    const Value answer = json::parse(response->body).value_or(Value());
    const Value* code = answer.find("code");
    return std::to_string(response->status) + " " +
           (code == nullptr ? json::print(answer) : std::string(code->as_string()));
  }

  static std::string document(const std::string& members) {
    return R"({"extensionid":"workflow-kpi-extension","workflowid":"w",)" + members + "}";
  }

  std::string metrics() const {
    net::HttpRequest request;
    request.method = "GET";
    request.url = server_->url() + "/metrics";
    return net::send(request)->body;
  }

  void run_once() { wait_for_end(start_execution(arn_).text("executionArn")); }

  const std::string arn_ = "arn:aws:states:us-east-1:000000000000:stateMachine:w";
};

TEST_F(Kpis, AreReportedWithWhatWasMeasured) {
  create("w", kWorkflow);
  const std::string kpis =
      document(R"("workflow":{"maxInvoked":"1","minInvoked":"2"},"states":[{"for":"Say","maxExec":"5"}])");
  EXPECT_EQ(send("PUT", "w", kpis), "200 " + kpis);
  run_once();
  run_once();
  restart();
  const std::string page = metrics();
  EXPECT_THAT(page, HasSubstr(R"(pawl_kpi_crossed{definition="w",subject="workflow",name="w",kpi="maxInvoked"} 1)"));
  EXPECT_THAT(page, HasSubstr(R"(pawl_kpi_crossed{definition="w",subject="workflow",name="w",kpi="minInvoked"} 0)"));
  EXPECT_THAT(page, HasSubstr(R"(pawl_kpi_value{definition="w",subject="state",name="Say",kpi="maxExec"} 2)"));
}

TEST_F(Kpis, CountTheLatestInstancesTheyAreAbout) {
  create("w", kWorkflow);
  for (int i = 0; i < 3; ++i) run_once();
  send("PUT", "w",
       document(R"("workflow":{"per":{"instances":2},"maxInvoked":"1"},)"
                R"("states":[{"for":"Say","per":{"instances":1},"maxExec":"5"}])"));
  const std::string page = metrics();
  EXPECT_THAT(page, HasSubstr(R"(pawl_kpi_value{definition="w",subject="workflow",name="w",kpi="maxInvoked"} 2)"));
  EXPECT_THAT(page, HasSubstr(R"(pawl_kpi_value{definition="w",subject="state",name="Say",kpi="maxExec"} 1)"));
}

TEST_F(Kpis, AreShownAndTakenAway) {
  create("w", kWorkflow);
  EXPECT_EQ(send("GET", "w"), "404 KPIS_NOT_FOUND");
  const std::string kpis = document(R"("workflow":{"maxInvoked":"1"})");
  send("PUT", "w", kpis);
  EXPECT_EQ(send("GET", "w"), "200 " + kpis);
  EXPECT_EQ(send("DELETE", "w"), "200 " + kpis);
  EXPECT_EQ(send("DELETE", "w"), "404 KPIS_NOT_FOUND");
  EXPECT_THAT(metrics(), Not(HasSubstr("pawl_kpi_crossed{")));
}

TEST_F(Kpis, AreRefusedWhereTheyFitNoDefinition) {
  EXPECT_TRUE(send("PUT", "w", document(R"("workflow":{})")).starts_with("404"));
  create("w", kWorkflow);
  EXPECT_TRUE(send("PUT", "w", "{").starts_with("400"));
  EXPECT_TRUE(send("PUT", "w", R"({"workflowid":"w"})").starts_with("400"));
  EXPECT_TRUE(send("PUT", "w", document(R"("workflow":{"maxInvoked":"many"})")).starts_with("400"));
  EXPECT_TRUE(send("PUT", "w", R"({"extensionid":"workflow-kpi-extension","workflowid":"v"})").starts_with("400"));
}

}  // namespace
}  // namespace pawl::server
