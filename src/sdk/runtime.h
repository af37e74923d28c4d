// The Lambda Runtime API: takes invocations, runs them, answers them.
#pragma once

#include <memory>
#include <string>

#include "pawl/durable/handler.h"
#include "sdk/http_connection.h"

namespace pawl::durable::detail {

// One slot: an invocation at a time, over one connection.
class RuntimeSlot {
 public:
  RuntimeSlot(const Handler& handler, const Config& config, Endpoint runtime);

  // Takes one invocation and answers it. Throws HttpError where the runtime cannot be reached, or refuses.
  void run_one();

 private:
  void handle(const HttpResponse& invocation, const std::string& request_id);
  void answer(const std::string& request_id, const Answer& answer);

  const Handler& handler_;
  const Config& config_;
  HttpConnection runtime_;
  std::unique_ptr<DurableService> service_;
};

// Serves with all slots until the runtime goes away; the exit code.
int serve_runtime(const Handler& handler, const Config& config, const std::string& runtime_api);

}  // namespace pawl::durable::detail
