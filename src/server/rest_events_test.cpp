// POST /events against a running server.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/cloud_event.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;

class RestEvents : public ServerTest {
 protected:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  Answered post(Headers headers, std::string body) const {
    net::HttpRequest request;
    request.url = server_->url() + "/events";
    request.headers = std::move(headers);
    request.body = std::move(body);
    const auto response = net::send(request);
    if (!response) return {0, Value::string(response.error().code)};
    return {response->status, json::parse(response->body).value_or(Value())};
  }
  Answered post(const std::string& event) const {
    return post({{"Content-Type", "application/cloudevents+json"}}, event);
  }
  std::string metrics() const {
    const Answered page = get("/metrics");
    return std::string(page.body.as_string());
  }
  std::string refusal(const std::string& event) const {
    const Answered answered = post(event);
    return std::to_string(answered.status) + " " + answered.text("code");
  }
};

constexpr const char* kEvent = R"({"specversion":"1.0","id":"1","source":"s","type":"t"})";

TEST_F(RestEvents, AreAnsweredWhenTheyAreDurable) {
  const Answered first = post(kEvent);
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(json::print(first.body), R"({"events":[{"id":"1","duplicate":false}]})");
  restart();
  EXPECT_EQ(json::print(post(kEvent).body), R"({"events":[{"id":"1","duplicate":true}]})");
  EXPECT_THAT(metrics(), HasSubstr("\npawl_events_duplicate_total 1\n"));
}

TEST_F(RestEvents, ComeInAllThreeModes) {
  const Answered binary = post({{"ce-specversion", "1.0"}, {"ce-id", "2"}, {"ce-source", "s"}, {"ce-type", "t"}}, "{}");
  EXPECT_EQ(json::print(binary.body), R"({"events":[{"id":"2","duplicate":false}]})");
  const std::string other = R"({"specversion":"1.0","id":"3","source":"s","type":"t"})";
  const Answered batch = post({{"Content-Type", "application/cloudevents-batch+json"}},
                              "[" + std::string(kEvent) + "," + other + "," + kEvent + "]");
  EXPECT_EQ(json::print(batch.body),
            R"({"events":[{"id":"1","duplicate":false},{"id":"3","duplicate":false},{"id":"1","duplicate":true}]})");
  EXPECT_EQ(post({{"Content-Type", "application/cloudevents-batch+json"}}, "[]").status, 202);
  EXPECT_THAT(metrics(), HasSubstr("\npawl_events_received_total 3\n"));
}

TEST_F(RestEvents, GetAnIdWhereTheyHaveNone) {
  const Answered answered = post(R"({"specversion":"1.0","source":"s","type":"t"})");
  ASSERT_EQ(answered.status, 202);
  const Value* events = answered.body.find("events");
  EXPECT_EQ(events->at(0).find("id")->as_string().size(), 36u);
}

TEST_F(RestEvents, AreRefusedWithACodeForEachFault) {
  EXPECT_EQ(refusal("{"), "400 EVENT_JSON");
  EXPECT_EQ(refusal(R"({"specversion":"1.0","id":"1","source":"s"})"), "400 EVENT_ATTRIBUTE_MISSING");
  EXPECT_EQ(refusal(R"({"specversion":"1.0","id":"1","source":"s","type":"t","a-b":1})"), "400 EVENT_ATTRIBUTE_NAME");
  EXPECT_EQ(refusal(R"({"specversion":"1.0","id":1,"source":"s","type":"t"})"), "400 EVENT_ATTRIBUTE_VALUE");
  const std::string large(net::kEventBytesMax, 'x');
  EXPECT_EQ(refusal(R"({"specversion":"1.0","id":"1","source":"s","type":"t","data":")" + large + "\"}"),
            "413 EVENT_TOO_LARGE");
  EXPECT_EQ(post({{"Content-Type", "application/cloudevents+avro"}}, "x").status, 415);
  EXPECT_THAT(metrics(), HasSubstr("\npawl_events_received_total 0\n"));
}

TEST_F(RestEvents, OfTenMegabytesAreRefused) {
  const Answered answered = post(std::string(10 * 1024 * 1024, 'x'));
  EXPECT_TRUE(answered.status == 413 || answered.status == 0) << answered.status;  // or cut off before it could be read
}

}  // namespace
}  // namespace pawl::server
