// Methods of gRPC services, found in the text of .proto files.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>

namespace pawl::grpc {

// .proto files by their paths.
using ProtoFiles = std::map<std::string, std::string, std::less<>>;

struct MethodName {
  std::string proto;    // the file
  std::string service;  // with its package or without
  std::string method;
};

// A method that can be called: how its messages are made, and its path. Immutable; shared by calls on any thread.
class Method {
 public:
  // The method, or what is wrong: with the files, or that they have no such unary method.
  static std::variant<std::shared_ptr<Method>, std::string> find(const ProtoFiles& files, const MethodName& name);
  ~Method();

  const std::string& path() const { return path_; }  // "/shop.Depot/Pack"
  std::unique_ptr<google::protobuf::Message> make_input() const;
  std::unique_ptr<google::protobuf::Message> make_output() const;

 private:
  struct World;
  Method(std::unique_ptr<World> world, const google::protobuf::MethodDescriptor& method);

  std::unique_ptr<World> world_;
  const google::protobuf::MethodDescriptor& method_;
  std::string path_;
};

using FoundMethod = std::variant<std::shared_ptr<Method>, std::string>;

// Those that were asked for, each read once. Any thread.
class Methods {
 public:
  FoundMethod find(const ProtoFiles& files, const MethodName& name);

 private:
  static constexpr size_t kMethodsMax = 1000;  // when there are more, all are read anew
  std::mutex mutex_;                           // guards the one below
  std::map<std::string, std::shared_ptr<Method>> known_;
};

}  // namespace pawl::grpc
