// Calls of gRPC methods, against a server in this process whose messages are made from the same .proto files.
#ifdef PAWL_HAS_GRPC
#include "connect/grpc_calls.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "connect/grpc_test_server.h"
#include "connect/mapped_tasks.h"
#include "net/http_test_server.h"

namespace pawl::connect {
namespace {

Value endpoint(const std::string& service = "Depot", const std::string& method = "Pack") {
  json::ObjectBuilder files(2);
  for (const auto& [path, text] : kFiles) files.set(path, Value::string(text));
  json::ObjectBuilder described(4);
  described.set("proto", Value::string("depot.proto"));
  described.set("service", Value::string(service));
  described.set("method", Value::string(method));
  described.set("files", files.build());
  json::ObjectBuilder whole(1);
  whole.set("grpc", described.build());
  return whole.build();
}

engine::TaskRequest request_with(std::string_view input, Value described = endpoint()) {
  engine::TaskRequest request;
  request.task = engine::TaskId(1);
  request.state = "pack";
  request.resource = "grpc:depot.proto#Depot/Pack";
  request.input = json::parse(input).value();
  request.endpoint = std::move(described);
  request.idempotency_key = "key";
  return request;
}

Result<TaskTargets> targets(const std::string& map) {
  return read_task_map(json::parse_document(map).value(), [](const std::string& name) -> std::optional<std::string> {
    return name == "TOKEN" ? std::optional("secret-token") : std::nullopt;
  });
}

std::string told(const engine::TaskAnswer& answer) {
  const bool succeeded = answer.kind == engine::TaskAnswer::Kind::kSucceeded;
  const bool timed_out = answer.kind == engine::TaskAnswer::Kind::kTimedOut;
  return (succeeded ? "" : timed_out ? "timed out " : "failed ") + json::print(answer.value);
}

std::string map_to(const Depot& depot, const std::string& more = "") {
  return R"({"grpc:depot.proto#Depot/Pack":{"grpc":")" + depot.address() + "\"" + more + "}}";
}

std::string call_by(const std::string& map, const engine::TaskRequest& request, size_t bytes_max = 10'000) {
  MappedTasks tasks(targets(map).value(), {.answer_bytes_max = bytes_max});
  EXPECT_TRUE(*tasks.claims(request));
  std::promise<engine::TaskAnswer> answered;
  tasks.start(request, [&](engine::TaskAnswer answer) { answered.set_value(std::move(answer)); });
  return told(answered.get_future().get());
}

class GrpcTask : public testing::Test {
 protected:
  std::string call(const engine::TaskRequest& request, const std::string& more = "") const {
    return call_by(map_to(depot, more), request);
  }

  Depot depot;
};

TEST_F(GrpcTask, SendsTheInputAsAMessageAndTakesTheAnswerAsJson) {
  EXPECT_EQ(
      call(request_with(R"({"order":"o-1","items":["cup"],"at":"2026-01-01T00:00:00Z","to":{"street":"Main"}})")),
      R"({"order":"o-1","number":"7","weight":0,"fragile":false,"items":["cup"],"token":"","to":{"street":"Main"}})");
}

TEST_F(GrpcTask, FindsTheServiceWithItsPackageToo) {
  EXPECT_TRUE(call(request_with("{}", endpoint("shop.Depot"))).contains(R"("number":"7")"));
}

TEST_F(GrpcTask, SendsHeadersAsMetadata) {
  const std::string answer = call(request_with("{}"), R"(,"headers":{"Authorization":"Bearer ${TOKEN}"})");
  EXPECT_TRUE(answer.contains(R"("token":"Bearer secret-token")")) << answer;
}

TEST_F(GrpcTask, FailsWithTheNameOfTheStatus) {
  EXPECT_EQ(call(request_with(R"({"order":"missing"})")),
            R"(failed {"Error":"Grpc.NOT_FOUND","Cause":"There is no such order."})");
  EXPECT_EQ(call(request_with(R"({"order":"forbidden"})")),
            R"(failed {"Error":"States.Permissions","Cause":"Not for you."})");
}

TEST_F(GrpcTask, TimesOutAtItsDeadline) {
  EXPECT_EQ(call(request_with(R"({"order":"slow"})"), R"(,"timeout":0.05)"), R"(timed out {"Error":"States.Timeout"})");
}

TEST_F(GrpcTask, RefusesAnAnswerOverTheLimit) {
  EXPECT_TRUE(call(request_with(R"({"order":"large"})")).contains("States.DataLimitExceeded"));
}

TEST_F(GrpcTask, FailsWhereTheInputDoesNotFitTheMessage) {
  const std::string answer = call(request_with(R"({"colour":"red"})"));
  EXPECT_TRUE(
      answer.starts_with(R"(failed {"Error":"States.TaskFailed","Cause":"grpc:depot.proto#Depot/Pack: The input)"))
      << answer;
  EXPECT_TRUE(answer.contains("colour")) << answer;
}

TEST_F(GrpcTask, FailsWhereTheDescriptionHasNoSuchMethod) {
  EXPECT_TRUE(call(request_with("{}", endpoint("Depot", "Unpack"))).contains("has no method 'Unpack'"));
  EXPECT_TRUE(call(request_with("{}", endpoint("Shop"))).contains("has no service 'Shop'"));
  EXPECT_TRUE(call(request_with("{}", endpoint("Depot", "Watch"))).contains("streams"));
  EXPECT_TRUE(call(request_with("{}", Value())).contains("GRPC_NOT_DESCRIBED"));
}

TEST_F(GrpcTask, FailsWhereNobodyListens) {
  EXPECT_TRUE(call_by(R"({"grpc:*":{"grpc":"grpc://127.0.0.1:1"}})", request_with("{}")).contains("Grpc.UNAVAILABLE"));
}

TEST_F(GrpcTask, IsCancelledAndEndsWithWhoMadeIt) {
  std::promise<engine::TaskAnswer> answered;
  auto tasks = std::make_unique<MappedTasks>(targets(map_to(depot)).value(), MappedTasksOptions());
  tasks->start(request_with(R"({"order":"slow"})"), [&](engine::TaskAnswer answer) { answered.set_value(answer); });
  tasks->cancel(engine::TaskId(1));
  EXPECT_TRUE(told(answered.get_future().get()).contains("Grpc.CANCELLED"));
  auto request = request_with(R"({"order":"slow"})");
  std::promise<engine::TaskAnswer> second;
  tasks->start(request, [&](engine::TaskAnswer answer) { second.set_value(answer); });
  tasks.reset();
  EXPECT_TRUE(told(second.get_future().get()).contains("Grpc.CANCELLED"));
}

TEST_F(GrpcTask, IsNotMappedWithoutAnAddress) {
  MappedTasks tasks({}, {});
  EXPECT_FALSE(*tasks.claims(request_with("{}")));
}

std::string text_in(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(GrpcTls, TrustsWhomTheEnvironmentNamesAndNobodyElse) {
  const std::string folder = testing::TempDir() + "pawl_grpc_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const net::TestCertificate certificate;
  certificate.write_to(folder + "/certificate.pem");
  certificate.write_key_to(folder + "/key.pem");
  const Depot depot(text_in(folder + "/certificate.pem"), text_in(folder + "/key.pem"));
  ::setenv("SSL_CERT_FILE", (folder + "/certificate.pem").c_str(), 1);
  EXPECT_TRUE(call_by(map_to(depot), request_with("{}")).contains(R"("number":"7")"));
  ::unsetenv("SSL_CERT_FILE");
  const Depot stranger(text_in(folder + "/certificate.pem"), text_in(folder + "/key.pem"));
  EXPECT_TRUE(call_by(map_to(stranger), request_with("{}")).contains("Grpc.UNAVAILABLE"));
  std::filesystem::remove_all(folder);
}

std::string refusal(const std::string& map) {
  const auto read = targets(map);
  return read ? "" : read.error().what;
}

TEST(GrpcTargets, HaveAnAddressWithAPort) {
  EXPECT_EQ(refusal(R"({"f":{"grpc":"grpc://host:1"}})"), "");
  EXPECT_EQ(refusal(R"({"f":{"grpc":"grpcs://host:1"}})"), "");
  for (const char* address : {"host:1", "http://host:1", "grpc://host", "grpc://:1", "grpc://host:"})
    EXPECT_EQ(refusal(R"({"f":{"grpc":")" + std::string(address) + R"("}})"),
              "An address is grpc://host:port, or grpcs://host:port with TLS.");
}

TEST(GrpcTargets, HaveMetadataThatGrpcTakes) {
  EXPECT_EQ(refusal(R"({"f":{"grpc":"grpc://host:1","headers":{"a":"b"}}})"), "");
  EXPECT_NE(refusal(R"({"f":{"grpc":"grpc://host:1","headers":{"a b":"c"}}})"), "");
  EXPECT_NE(refusal(R"({"f":{"grpc":"grpc://host:1","headers":{"a":"b\nc"}}})"), "");
  EXPECT_NE(refusal(R"({"f":{"grpc":"grpc://host:1","http":"http://host"}})"), "");
}

}  // namespace
}  // namespace pawl::connect
#endif
