// Workers that come by themselves: the Runtime API of every function on the server's own port, below
// /runtime/FUNCTION/. A worker is told AWS_LAMBDA_RUNTIME_API=HOST:PORT/runtime/FUNCTION.
//
// A runtime cannot sign what it asks here, so only this machine is answered. Nobody knows when such a worker ends: its
// calls end when it answers, or when their time is up.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "connect/runtime_api.h"
#include "server/catalog.h"

namespace pawl::server {

// Any thread may call it; it must outlive every answer.
class RuntimeWorkers {
 public:
  RuntimeWorkers(connect::FunctionCalls& calls, const Catalog& catalog) : calls_(calls), catalog_(catalog) {}

  static bool is_runtime(std::string_view target);
  void handle(const net::HttpServerRequest& request, net::Respond respond);

 private:
  connect::RuntimeApi* find(std::string_view function);

  connect::FunctionCalls& calls_;
  const Catalog& catalog_;
  std::mutex mutex_;                                                      // guards the one below
  std::map<std::string, std::unique_ptr<connect::RuntimeApi>> by_queue_;  // FUNCTION, or FUNCTION:VERSION
};

}  // namespace pawl::server
