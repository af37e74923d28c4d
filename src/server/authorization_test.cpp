#include "server/authorization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/hmac.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kReader = "reader-reader-reader";
constexpr const char* kOperator = "operator-operator-00";

Authorization with_tokens() {
  return {{{"grafana", Role::kRead, net::sha256(kReader)}, {"ops", Role::kOperate, net::sha256(kOperator)}}, false};
}

net::HttpServerRequest request_with(std::string_view authorization, std::string peer = "10.0.0.1") {
  net::HttpServerRequest request;
  if (!authorization.empty()) request.headers.add("authorization", authorization);
  request.peer = std::move(peer);
  return request;
}

// The name of the token, or the status of the refusal.
std::string check(const Authorization& authorization, const net::HttpServerRequest& request, Role needed) {
  const auto known = authorization.check(request, needed);
  return known ? *known : std::to_string(known.error().status);
}

TEST(Authorization, KnowsWhoseTokenItIs) {
  EXPECT_EQ(check(with_tokens(), request_with("Bearer reader-reader-reader"), Role::kRead), "grafana");
  EXPECT_EQ(check(with_tokens(), request_with("bearer operator-operator-00"), Role::kRead), "ops");
}

TEST(Authorization, WantsTheRoleOrAHigherOne) {
  EXPECT_EQ(check(with_tokens(), request_with("Bearer operator-operator-00"), Role::kOperate), "ops");
  EXPECT_EQ(check(with_tokens(), request_with("Bearer reader-reader-reader"), Role::kOperate), "403");
  EXPECT_EQ(check(with_tokens(), request_with("Bearer operator-operator-00"), Role::kAdmin), "403");
}

TEST(Authorization, RefusesWhatIsNoTokenOfItsOwn) {
  for (const char* header : {"", "Bearer ", "Bearer x", "Bearer reader-reader-reade", "Basic reader-reader-reader",
                             "reader-reader-reader", "Bearer  reader-reader-reader"})
    EXPECT_EQ(check(with_tokens(), request_with(header, "127.0.0.1"), Role::kRead), "401") << header;
}

TEST(Authorization, WithoutTokensTrustsEveryoneOrLetsThisMachineRead) {
  EXPECT_EQ(check({{}, true}, request_with(""), Role::kAdmin), "");
  EXPECT_EQ(check({{}, false}, request_with("", "127.0.0.1"), Role::kRead), "");
  EXPECT_EQ(check({{}, false}, request_with("", "127.0.0.1"), Role::kOperate), "401");
  EXPECT_EQ(check({{}, false}, request_with("", "10.0.0.1"), Role::kRead), "401");
}

TEST(Authorization, TellsNothingOfTheTokenThatCame) {
  const auto refused = with_tokens().check(request_with("Bearer guessed-guessed-guess"), Role::kRead);
  EXPECT_THAT(refused_answer(refused.error()).body, Not(HasSubstr("guessed")));
}

TEST(ReadTokenDigest, TakesATokenOrItsDigest) {
  EXPECT_EQ(read_token_digest("reader-reader-reader"), net::sha256(kReader));
  EXPECT_EQ(read_token_digest("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
            net::sha256("test"));
  for (const char* wrong :
       {"", "short", "sha256:", "sha256:9f86", "sha256:zz86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0"})
    EXPECT_EQ(read_token_digest(wrong).error().code, "TOKEN_INVALID") << wrong;
}

// What a server with a token answers to GET /metrics.
net::HttpResponse get_metrics(const Server& server, const std::string& authorization) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = server.url() + "/metrics";
  if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
  return net::send(request).value();
}

TEST(Server, TellsItsNumbersToWhoHasAToken) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.directory = folder.path();
  options.port = 0;
  options.tokens = {{"grafana", Role::kRead, net::sha256(kReader)}};
  const auto server = Server::start(options);
  ASSERT_TRUE(server.has_value()) << to_string(server.error());
  EXPECT_EQ(get_metrics(**server, "Bearer reader-reader-reader").status, 200);
  EXPECT_EQ(get_metrics(**server, "Bearer guessed-guessed-guess").status, 401);
  EXPECT_EQ(get_metrics(**server, "").status, 401);
}

}  // namespace
}  // namespace pawl::server
