// What can be seen of a .proto file without compiling it: which files it imports, and which methods its services have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::sm4c {

struct ProtoService {
  std::string name;       // without the package
  std::string full_name;  // with it
  std::vector<std::string> methods;
  std::vector<std::string> streaming;  // those of the methods that take or give more than one message
};

struct ProtoOutline {
  std::vector<std::string> imports;  // without those that protobuf itself has, google/protobuf/…
  std::vector<ProtoService> services;
};

// Whatever the text is: what makes no sense is passed over.
ProtoOutline outline_of_proto(std::string_view text);

// <proto file>#<Service>/<Method>
struct MethodReference {
  std::string_view proto;
  std::string_view service;
  std::string_view method;
};
std::optional<MethodReference> split_method(std::string_view operation);

}  // namespace pawl::sm4c
