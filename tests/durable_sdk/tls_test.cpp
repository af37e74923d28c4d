// The SDK speaks TLS to a real server of TLS, and to nobody whose certificate it cannot trust. Each client is a process
// of its own: the authorities are read once.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "net/http_server.h"
#include "net/http_test_server.h"
#include "pawl/durable_client.h"

namespace pawl::durable {
namespace {

class Tls : public testing::Test {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::filesystem::create_directories(folder_);
    certificate_.write_to(path("certificate.pem"));
    certificate_.write_key_to(path("key.pem"));
    net::TestCertificate().write_to(path("stranger.pem"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // Ends the process: with 0 where the call was answered, with 1 where it was not made.
  [[noreturn]] void call(const std::string& host, const std::string& authorities) const {
    net::HttpServerOptions options;
    options.tls = {path("certificate.pem"), path("key.pem")};
    auto server = net::HttpServer::listen(options, [](const auto&, auto respond) {
      respond({.status = 200, .headers = {{"X-Amz-Executed-Version", "7"}}, .body = "\"served\""});
    });
    if (!server) std::exit(2);
    ::setenv("AWS_CA_BUNDLE", path(authorities).c_str(), 1);
    Client client(
        {.endpoint = "https://" + host + ":" + std::to_string((*server)->port()), .timeout = std::chrono::seconds(5)});
    try {
      const InvokeResult result = client.invoke("order", "{}");
      std::_Exit(result.payload == "\"served\"" && result.version == "7" ? 0 : 3);
    } catch (const ApiError& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::_Exit(1);
    }
  }

 private:
  const std::string folder_ = testing::TempDir() + "durable_tls_" + std::to_string(::getpid());
  net::TestCertificate certificate_;
};

TEST_F(Tls, AnswersAClientThatTrustsTheServer) {
  EXPECT_EXIT(call("localhost", "certificate.pem"), testing::ExitedWithCode(0), "");
}

TEST_F(Tls, RefusesACertificateOfAStranger) {
  EXPECT_EXIT(call("localhost", "stranger.pem"), testing::ExitedWithCode(1), "certificate verify failed");
}

TEST_F(Tls, RefusesACertificateForAnotherHost) {
  EXPECT_EXIT(call("127.0.0.1", "certificate.pem"), testing::ExitedWithCode(1), "certificate verify failed");
}

}  // namespace
}  // namespace pawl::durable
