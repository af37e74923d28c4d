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

// A name that no function has, or has yet, has no workers; nor has a version that is not published.
connect::RuntimeApi* RuntimeWorkers::find(std::string_view function) {
  const auto parsed = Arns::parse_function(function);
  if (!parsed) return nullptr;
  const bool is_latest = parsed->qualifier.empty() || parsed->qualifier == kLatest;
  const std::string queue = is_latest ? parsed->name : parsed->name + ":" + parsed->qualifier;
  const std::lock_guard lock(mutex_);
  const auto found = by_queue_.find(queue);
  if (found != by_queue_.end()) return found->second.get();
  const MachinePointer machine = catalog_.find_machine(std::string(kFunctionPrefix) + parsed->name);
  if (machine == nullptr || (!is_latest && find_published(*machine, parsed->qualifier) == nullptr)) return nullptr;
  auto api = std::make_unique<connect::RuntimeApi>(calls_, calls_.new_worker(), queue);
  return by_queue_.emplace(queue, std::move(api)).first->second.get();
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
