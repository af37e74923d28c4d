// Lambda's Runtime API, as a worker sees it: GET …/invocation/next, POST …/invocation/ID/response and …/error, POST
// …/init/error, below /2018-06-01/runtime.
#pragma once

#include <functional>
#include <string>

#include "connect/function_calls.h"
#include "net/http_server.h"

namespace pawl::connect {

inline constexpr std::string_view kRuntimePath = "/2018-06-01/runtime";

// For one worker of one function. Any thread may call it; `calls` outlives every answer.
class RuntimeApi {
 public:
  using InitFailed = std::function<void(std::string_view error_type, std::string_view message)>;

  RuntimeApi(FunctionCalls& calls, WorkerId worker, std::string function, InitFailed init_failed = {})
      : calls_(calls), worker_(worker), function_(std::move(function)), init_failed_(std::move(init_failed)) {}

  // `path` is the target's, from kRuntimePath on.
  void handle(std::string_view path, const net::HttpServerRequest& request, net::Respond respond);

 private:
  void hand_out_next(const net::HttpServerRequest& request, net::Respond respond);
  bool take_end(std::string_view id, std::string_view what, const net::HttpServerRequest& request);

  FunctionCalls& calls_;
  const WorkerId worker_;
  const std::string function_;
  const InitFailed init_failed_;
};

}  // namespace pawl::connect
