#include "server/credentials.h"

#include <gtest/gtest.h>

#include "net/sigv4.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

class SignedRequests : public testing::Test {
 protected:
  SignedRequests() {
    ServerOptions options;
    options.directory = folder_.path();
    options.port = 0;
    options.keys = {{"AKID", "secret"}};
    auto server = Server::start(std::move(options));
    EXPECT_TRUE(server.has_value()) << to_string(server.error());
    server_ = std::move(*server);
  }

  // "200", or the status and AWS's name of the error.
  std::string list_machines(const std::optional<net::SigV4Key>& key, const std::string& region = "us-east-1",
                            const std::string& sent_body = "{}") const {
    net::HttpRequest request;
    request.url = server_->url() + "/";
    request.headers = {{"X-Amz-Target", "AWSStepFunctions.ListStateMachines"},
                       {"X-Amz-Date", net::format_sigv4_date(SystemClock().now())}};
    if (key) request.headers.emplace_back("Authorization", authorization(request, *key, region));
    request.body = sent_body;
    const auto response = net::send(request);
    if (!response) return to_string(response.error());
    const Value body = json::parse(response->body).value();
    const Value* type = body.find("__type");
    return std::to_string(response->status) + (type == nullptr ? "" : " " + std::string(type->as_string()));
  }

  TemporaryFolder folder_;
  std::unique_ptr<Server> server_;

 private:
  std::string authorization(const net::HttpRequest& request, const net::SigV4Key& key,
                            const std::string& region) const {
    net::HttpHeaders headers;
    headers.add("Host", "127.0.0.1:" + std::to_string(server_->port()));
    for (const auto& [name, value] : request.headers) headers.add(name, value);
    return net::sign_sigv4({"POST", "/", headers, "{}"}, key, region, "states");
  }
};

TEST_F(SignedRequests, AreAnswered) { EXPECT_EQ(list_machines(net::SigV4Key{"AKID", "secret"}), "200"); }

TEST_F(SignedRequests, AreWantedOfEveryone) {
  EXPECT_EQ(list_machines(std::nullopt), "403 MissingAuthenticationTokenException");
}

TEST_F(SignedRequests, AreRefusedWithAnotherKeyOrSecret) {
  EXPECT_EQ(list_machines(net::SigV4Key{"OTHER", "secret"}), "403 UnrecognizedClientException");
  EXPECT_EQ(list_machines(net::SigV4Key{"AKID", "guessed"}), "403 InvalidSignatureException");
}

TEST_F(SignedRequests, AreRefusedForAnotherRegionOrBody) {
  EXPECT_EQ(list_machines(net::SigV4Key{"AKID", "secret"}, "eu-west-1"), "403 InvalidSignatureException");
  EXPECT_EQ(list_machines(net::SigV4Key{"AKID", "secret"}, "us-east-1", R"({"maxResults":1})"),
            "403 InvalidSignatureException");
}

TEST_F(SignedRequests, AreNotWantedForHealth) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = server_->url() + "/health";
  EXPECT_EQ(net::send(request)->status, 200);
}

TEST(Server, ListensToOthersOnlyWithCredentials) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.directory = folder.path();
  options.host = "0.0.0.0";
  options.port = 0;
  EXPECT_EQ(Server::start(options).error().code, "SERVE_NOT_LOOPBACK");
  options.keys = {{"AKID", "secret"}};
  EXPECT_TRUE(Server::start(options).has_value());
}

}  // namespace
}  // namespace pawl::server
