// A running server: a data directory, the engine on it, and the HTTP port.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "connect/event_sinks.h"
#include "connect/function_processes.h"
#include "connect/task_map.h"
#include "engine/engine.h"
#include "net/http_server.h"
#include "server/authorization.h"
#include "server/credentials.h"
#include "server/log.h"

namespace pawl::server {

// A function that the server has from its start on.
struct ServedFunction {
  connect::FunctionCommand command;                         // no arguments: its workers come by themselves
  json::Value configuration = json::Value::empty_object();  // as AWS names it: "Timeout", "DurableConfig", …
};

struct ServerOptions {
  std::string directory;
  std::string host = "127.0.0.1";
  uint16_t port = 8083;  // 0: a free one
  std::string region = "us-east-1";
  std::string account = "000000000000";
  AccessKeys keys;                  // who may sign requests; none: everyone may ask, from this machine only
  std::vector<AccessToken> tokens;  // who may use what is not AWS's protocol
  std::string version;              // that /health tells
  uint32_t http_threads = 1;
  net::HttpServerLimits http_limits{.body_bytes_max = 8 * 1024 * 1024};  // a function's payload may have 6 MiB
  net::HttpServerTls tls;
  LogOptions logging{.level = LogLevel::kOff};
  connect::TaskTargets tasks;                   // where Resources are answered
  json::Value mocks;                            // a MockConfigFile.json, for executions on …#CASE; null: none
  std::optional<Timestamp> virtual_now;         // for tests: the clock begins here, and jumps when nothing is in flight
  engine::TaskHandler* task_handler = nullptr;  // answers every task in place of `tasks`; outlives the server
  engine::EngineOptions engine;
  std::vector<connect::EventSink> event_sinks;  // get what executions produce
  std::vector<ServedFunction> functions;
};

// Lifecycle: start() opens the data directory, goes on with what was under way, and listens; stop(), or the destructor,
// answers what was asked, ends, and leaves the rest for the next start. Concurrency: stop() is for one thread, none of
// the server's.
class Server {
 public:
  // Errors: SERVE_NOT_LOOPBACK, SERVE_KEY_…, CATALOG_DAMAGED, those of the store and of the listener.
  static Result<std::unique_ptr<Server>> start(ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  std::string url() const;  // "http://127.0.0.1:8083", or https
  Log& log();
  size_t waiting_workers() const;  // that ask for a task of an activity
  void stop(Duration grace);

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// Whether only this machine reaches the host.
bool is_loopback(std::string_view host);

}  // namespace pawl::server
