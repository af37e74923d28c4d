// Calls of gRPC methods, as the definition's .proto files describe them (TaskRequest::endpoint), at the address that
// the file of --tasks says.
//
// What makes the calls is a shared library (grpc/module.h), which is loaded with the first of them: from the folder of
// the program, or from ../lib/pawl beside it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"
#include "connect/source.h"
#include "connect/task_map.h"

namespace pawl::connect {

// How a definition's own files describe a method, {"grpc": {"proto", "service", "method", "files": {path: text}}}.
bool is_grpc_method(const Value& endpoint);

// Any thread may call it. It must not outlive what its answers go to: its end cancels what is under way, and waits.
class GrpcCalls {
 public:
  GrpcCalls();
  ~GrpcCalls();

  void start(const TaskRequest& request, const std::shared_ptr<const TaskTarget>& target, size_t answer_bytes_max,
             AnswerTask answer);
  void cancel(engine::TaskId task);

 private:
  class Module;
  Result<Module*> module();

  std::mutex mutex_;  // guards the one below
  std::unique_ptr<Module> module_;
};

}  // namespace pawl::connect
