// A gRPC server for tests, whose messages are made from the same .proto files as those of the calls.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <google/protobuf/util/json_util.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include "base/assert.h"
#include "grpc/descriptions.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::connect {

using json::Value;

inline constexpr const char* kDepot = R"(syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
import "common/address.proto";
message PackRequest {
  string order = 1;
  repeated string items = 2;
  google.protobuf.Timestamp at = 3;
  common.Address to = 4;
}
message Parcel {
  string order = 1;
  int64 number = 2;
  double weight = 3;
  bool fragile = 4;
  repeated string items = 5;
  string token = 6;
  common.Address to = 7;
}
service Depot {
  rpc Pack(PackRequest) returns (Parcel);
  rpc Watch(PackRequest) returns (stream Parcel);
}
)";
inline constexpr const char* kAddress = R"(syntax = "proto3"; package common; message Address { string street = 1; })";

inline const grpc::ProtoFiles kFiles = {{"depot.proto", kDepot}, {"common/address.proto", kAddress}};

inline std::string text_of(const ::grpc::ByteBuffer& buffer) {
  std::vector<::grpc::Slice> slices;
  PAWL_ASSERT(buffer.Dump(&slices).ok());
  std::string text;
  for (const ::grpc::Slice& slice : slices) text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}

// Answers as the order says: "missing" and "forbidden" are refused, "slow" is never answered, "large" with much.
class Packing final : public ::grpc::ServerGenericBidiReactor {
 public:
  Packing(const grpc::Method& method, std::string token) : method_(method), token_(std::move(token)) {
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) return finish(::grpc::Status(::grpc::StatusCode::INTERNAL, "nothing came"));
    const auto request = method_.make_input();
    PAWL_ASSERT(request->ParseFromString(text_of(request_)));
    std::string json;
    PAWL_ASSERT(google::protobuf::util::MessageToJsonString(*request, &json).ok());
    answer(json::parse(json).value());
  }
  void OnCancel() override { finish(::grpc::Status::CANCELLED); }
  void OnDone() override { delete this; }

 private:
  // A cancel may come beside anything else.
  void finish(const ::grpc::Status& status) {
    if (!is_finished_.exchange(true)) Finish(status);
  }

  void answer(const Value& request) {
    const Value* found = request.find("order");
    const std::string order(found == nullptr ? "" : found->as_string());
    if (order == "slow") return;
    if (order == "missing") return finish({::grpc::StatusCode::NOT_FOUND, "There is no such order."});
    if (order == "forbidden") return finish({::grpc::StatusCode::PERMISSION_DENIED, "Not for you."});
    const auto parcel = method_.make_output();
    Value told = request.with_member("number", Value::integer(7)).with_member("token", Value::string(token_));
    if (order == "large") told = told.with_member("order", Value::string(std::string(100'000, 'x')));
    google::protobuf::util::JsonParseOptions options;
    options.ignore_unknown_fields = true;
    PAWL_ASSERT(google::protobuf::util::JsonStringToMessage(json::print(told), parcel.get(), options).ok());
    const ::grpc::Slice slice(parcel->SerializeAsString());
    answer_ = ::grpc::ByteBuffer(&slice, 1);
    if (!is_finished_.exchange(true)) StartWriteAndFinish(&answer_, ::grpc::WriteOptions(), ::grpc::Status::OK);
  }

  const grpc::Method& method_;
  std::string token_;
  ::grpc::ByteBuffer request_;
  ::grpc::ByteBuffer answer_;
  std::atomic<bool> is_finished_ = false;
};

class Depot final : public ::grpc::CallbackGenericService {
 public:
  // With a certificate and its key it speaks TLS, as localhost.
  explicit Depot(const std::string& certificate = "", const std::string& key = "")
      : scheme_(key.empty() ? "grpc" : "grpcs"),
        method_(std::get<0>(grpc::Method::find(kFiles, {"depot.proto", "Depot", "Pack"}))) {
    ::grpc::SslServerCredentialsOptions options;
    options.pem_key_cert_pairs.push_back({key, certificate});
    ::grpc::ServerBuilder builder;
    builder.AddListeningPort("localhost:0",
                             key.empty() ? ::grpc::InsecureServerCredentials() : ::grpc::SslServerCredentials(options),
                             &port_);
    builder.RegisterCallbackGenericService(this);
    server_ = builder.BuildAndStart();
  }
  ~Depot() override { server_->Shutdown(std::chrono::system_clock::now()); }

  ::grpc::ServerGenericBidiReactor* CreateReactor(::grpc::GenericCallbackServerContext* context) override {
    PAWL_ASSERT(context->method() == "/shop.Depot/Pack", context->method());
    const auto token = context->client_metadata().find("authorization");
    const bool has_token = token != context->client_metadata().end();
    return new Packing(*method_, has_token ? std::string(token->second.data(), token->second.size()) : "");
  }
  std::string address() const { return scheme_ + "://localhost:" + std::to_string(port_); }

 private:
  std::string scheme_;
  std::shared_ptr<grpc::Method> method_;
  int port_ = 0;
  std::unique_ptr<::grpc::Server> server_;
};

}  // namespace pawl::connect
