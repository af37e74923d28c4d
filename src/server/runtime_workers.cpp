#include "server/runtime_workers.h"

#include "server/functions.h"
#include "server/rest.h"
#include "server/server.h"

namespace pawl::server {

namespace {

constexpr std::string_view kPrefix = "/runtime/";

net::HttpServerResponse refused(int status, std::string_view message) { return net::error_answer(status, message); }

}  // namespace

bool RuntimeWorkers::is_runtime(std::string_view target) {
  return target.starts_with(kPrefix) && target.contains(connect::kRuntimePath);
}

// A name that no function has, or has yet, has no workers.
connect::RuntimeApi* RuntimeWorkers::find(const std::string& function) {
  const std::lock_guard lock(mutex_);
  const auto found = by_function_.find(function);
  if (found != by_function_.end()) return found->second.get();
  const std::string name = function.substr(0, function.find(':'));
  if (catalog_.find_machine(std::string(kFunctionPrefix) + name) == nullptr) return nullptr;
  auto api = std::make_unique<connect::RuntimeApi>(calls_, calls_.new_worker(), function);
  return by_function_.emplace(function, std::move(api)).first->second.get();
}

void RuntimeWorkers::handle(const net::HttpServerRequest& request, net::Respond respond) {
  if (!is_loopback(request.peer) || comes_from_elsewhere(request))
    return respond(refused(403, "Workers are answered on this machine only."));
  const std::string_view target = request.target;
  const size_t place = target.find(connect::kRuntimePath);
  connect::RuntimeApi* api = find(decode_percent(target.substr(kPrefix.size(), place - kPrefix.size())));
  if (api == nullptr) return respond(refused(404, "There is no such function."));
  api->handle(target.substr(place), request, std::move(respond));
}

}  // namespace pawl::server
