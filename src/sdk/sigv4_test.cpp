#include "sdk/sigv4.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace pawl::durable::detail {
namespace {

struct Recorded {
  std::string method;
  std::string target;
  Headers headers;
  std::string body;

  std::string header(const std::string& name) const {
    for (const auto& [key, value] : headers) {
      if (key == name) return value;
    }
    return "";
  }
};

// The requests with a signature in the recorded exchanges of AWS's JavaScript SDK.
std::vector<Recorded> recorded_requests(const std::string& path) {
  std::ifstream file(path);
  std::vector<Recorded> found;
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("POST /2025-12-01/durable-executions/") || !line.ends_with(" HTTP/1.1")) continue;
    Recorded request;
    std::istringstream(line) >> request.method >> request.target;
    while (std::getline(file, line) && !line.empty()) {
      const std::size_t colon = line.find(": ");
      request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    }
    std::getline(file, request.body);
    if (!request.header("authorization").empty()) found.push_back(std::move(request));
  }
  return found;
}

// Spec: 15.1.1: the path of a signed request is encoded twice.
TEST(Signature, EqualsThoseThatAwsClientMade) {
  const std::string path = std::string(PAWL_SOURCE_DIR) + "/../shared/notes/durable-exchanges.md";
  if (!std::ifstream(path)) GTEST_SKIP() << path << " is not there";
  const std::vector<Recorded> requests = recorded_requests(path);
  ASSERT_GE(requests.size(), 3U);
  for (const Recorded& request : requests) {
    const std::string expected = request.header("authorization");
    const std::size_t begin = expected.find("SignedHeaders=") + 14;
    std::istringstream names(expected.substr(begin, expected.find(',', begin) - begin));
    Headers signed_headers;
    for (std::string name; std::getline(names, name, ';');) signed_headers.emplace_back(name, request.header(name));
    EXPECT_EQ(request.header("x-amz-content-sha256"), sha256_hex(request.body));
    EXPECT_EQ(authorization(request.method, request.target, signed_headers, sha256_hex(request.body),
                            {"AKIAFAKE", "fake", ""}, {"us-east-1", "lambda", request.header("x-amz-date")}),
              expected);
  }
}

TEST(Signature, CoversTheSessionToken) {
  HttpRequest request{"POST", "/path?b=2&a", {}, "{}"};
  sign(request, "localhost:1", {"key", "secret", "token"}, {"eu-north-1", "lambda", "20260101T000000Z"});
  std::string value;
  for (const auto& [name, text] : request.headers) {
    if (name == "Authorization") value = text;
  }
  EXPECT_NE(value.find("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"), std::string::npos)
      << value;
}

TEST(Signature, CoversEveryHeaderOfAws) {
  HttpRequest request{"POST", "/path", {{"User-Agent", "a"}, {"X-Amz-Invocation-Type", "Event"}}, "{}"};
  sign(request, "localhost:1", {"key", "secret", ""}, {"eu-north-1", "lambda", "20260101T000000Z"});
  const std::string value = request.headers.back().second;
  EXPECT_NE(value.find("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-invocation-type,"), std::string::npos)
      << value;
}

TEST(Signature, SortsTheQuery) {
  const Headers headers = {{"host", "h"}};
  const SigningScope scope{"r", "lambda", "20260101T000000Z"};
  EXPECT_EQ(authorization("GET", "/p?b=2&a=", headers, "d", {"k", "s", ""}, scope),
            authorization("GET", "/p?a&b=2", headers, "d", {"k", "s", ""}, scope));
}

}  // namespace
}  // namespace pawl::durable::detail
