#include "server/server.h"

#include <algorithm>

#include "net/http_server.h"
#include "server/endpoint.h"
#include "server/functions.h"
#include "server/kpi_report.h"
#include "server/lambda.h"
#include "server/mocked_tasks.h"
#include "server/service.h"
#include "server/world_tasks.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::server {

namespace {

constexpr Duration kGrace = std::chrono::seconds(10);  // of a server that nobody stopped

// What is not about functions is held against the limit by the endpoint.
net::HttpServerOptions http_options(const ServerOptions& options) {
  net::HttpServerLimits limits = options.http_limits;
  limits.body_bytes_max = std::max(limits.body_bytes_max, kFunctionBodyBytesMax);
  return {.host = options.host,
          .port = options.port,
          .threads = options.http_threads,
          .tls = options.tls,
          .limits = limits,
          .when_idle = {}};
}

// Time jumps where there is one shard only, and to no execution's end of retention.
void prepare_virtual_time(ServerOptions& options) {
  options.engine.shards = 1;
  options.engine.retention = engine::kKeepForever;
}

// What a worker signs with, where the server wants signatures; else anything will do, and something must be there.
std::vector<std::pair<std::string, std::string>> credentials_for_workers(const AccessKeys& keys) {
  const auto key = keys.begin();
  const bool is_any = key == keys.end();
  return {{"AWS_ACCESS_KEY_ID", is_any ? "pawl" : key->first},
          {"AWS_SECRET_ACCESS_KEY", is_any ? "pawl" : key->second}};
}

// Traces of executions are told apart from those of other data directories by the directory's key.
connect::MappedTasksOptions task_options(const ServerOptions& options, const Signer& signer) {
  return {.call_urls = true,
          .answer_bytes_max = options.engine.limits.payload_bytes_max,
          .trace_seed = signer.sign("trace", "")};
}

}  // namespace

// In the order of making; stop() takes them down from the outside in.
struct Server::Parts {
  Parts(ServerOptions given, std::unique_ptr<store::SqliteStore> opened, Signer read_signer)
      : options(std::move(given)),
        log(options.logging),
        store(std::move(opened)),
        signer(std::move(read_signer)),
        tokens(signer),
        arns(options.region, options.account),
        virtual_clock(options.virtual_now.value_or(Timestamp())),
        clock(options.virtual_now ? static_cast<const Clock&>(virtual_clock) : system_clock),
        functions(tokens),
        world(std::move(options.tasks), task_options(options, signer), log, nested, functions),
        tasks(std::move(options.mocks), options.task_handler == nullptr ? world : *options.task_handler),
        activities(arns),
        express(tasks, clock, options.engine.limits, options.virtual_now.has_value()),
        sinks(std::move(options.event_sinks), {}) {
    worker_credentials = credentials_for_workers(options.keys);
    if (options.virtual_now) options.engine.advance_clock = [this](Timestamp to) { advance_clock(to); };
  }

  void advance_clock(Timestamp to);
  void make_endpoint();
  void log_failure(const engine::Closed& closed);
  Result<void> deploy_functions();
  Result<void> run_functions(const std::string& url);

  ServerOptions options;
  std::vector<std::pair<std::string, std::string>> worker_credentials;
  Log log;
  std::unique_ptr<store::SqliteStore> store;
  Signer signer;
  TaskTokens tokens;
  Arns arns;
  SystemClock system_clock;
  VirtualClock virtual_clock;
  const Clock& clock;
  Catalog catalog{arns};
  StartRules rules{catalog};
  Schedules schedules{rules, catalog, clock};
  NestedExecutions nested;
  FunctionConnector functions;
  ExecutionEnds ends;
  WorldTasks world;
  MockedTasks tasks;
  ActivityRegister activities;
  BackOffice back_office;
  ExpressRuns express;
  connect::EventSinks sinks;
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<Service> service;
  RuntimeWorkers workers{functions.calls(), catalog};
  RequestMetrics requests{Endpoint::routes()};
  std::unique_ptr<KpiReport> kpis;
  std::unique_ptr<MetricsPage> metrics;
  std::unique_ptr<Endpoint> endpoint;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<connect::FunctionProcesses> processes;
};

// What is scheduled on the way there happens first. Schedules alone do not move the clock: they would never let it
// stand.
void Server::Parts::advance_clock(Timestamp to) {
  const Timestamp fires = schedules.next_fire();
  virtual_clock.advance_to(std::min(fires, to));
  if (fires <= to) schedules.fire_due();
}

void Server::Parts::make_endpoint() {
  kpis = std::make_unique<KpiReport>(*store, catalog, clock);
  metrics = std::make_unique<MetricsPage>(MetricsSources{*engine, back_office, express, world.metrics(), sinks,
                                                         requests, log, *kpis, [this] { return store->count_open(); },
                                                         [this] { return http == nullptr ? 0 : http->connections(); },
                                                         options.version});
  const bool trusts_everyone = options.keys.empty();
  endpoint = std::make_unique<Endpoint>(
      *service, EndpointParts{Credentials(std::move(options.keys), options.region),
                              Authorization(std::move(options.tokens), trusts_everyone), options.version, requests,
                              *metrics, log, workers, options.http_limits.body_bytes_max});
}

// The error's name only: a cause may hold what the execution works with.
void Server::Parts::log_failure(const engine::Closed& closed) {
  const bool is_aborted = closed.status == kernel::Status::kAborted;
  const LogLevel level = is_aborted ? LogLevel::kInfo : LogLevel::kWarning;
  if (closed.status == kernel::Status::kSucceeded || !log.is_on(level)) return;
  const RevisionPointer revision = catalog.find_revision(closed.row.definition);
  const Value* error = closed.outcome.find("Error");
  log.write(level, is_aborted ? "execution aborted" : "execution failed",
            {{"execution", generated_name(closed.row.id)},
             {"name", closed.row.name},
             {"machine", revision == nullptr ? std::string_view() : revision->machine},
             {"status", kernel::name_of(closed.status)},
             {"error", error != nullptr && error->is_string() ? error->as_string() : std::string_view()}});
}

// A function that is there as it is configured is left alone.
Result<void> Server::Parts::deploy_functions() {
  for (const ServedFunction& function : options.functions) {
    const std::string& name = function.command.function;
    const auto known = catalog.find_machine(std::string(kFunctionPrefix) + name);
    const bool is_same =
        known != nullptr && configuration_of(*catalog.find_revision(known->current)).members == function.configuration;
    if (is_same) continue;
    if (const auto made = commit_change(*service, change_of(*service, name, function.configuration)); !made)
      return fail("FUNCTION_NOT_DEPLOYED", "The function '" + name + "' was not stored: " + made.error().message,
                  "See what the store says.");
  }
  return {};
}

// Workers that this machine starts reach the server on this machine.
Result<void> Server::Parts::run_functions(const std::string& url) {
  const std::string scheme = options.tls.is_wanted() ? "https" : "http";
  const std::string near = is_loopback(options.host) ? url : scheme + "://127.0.0.1:" + std::to_string(http->port());
  connect::FunctionSurroundings surroundings{near, options.region, worker_credentials,
                                             [engine = engine.get()] { engine->help(); }};
  processes = std::make_unique<connect::FunctionProcesses>(
      functions.calls(), std::move(surroundings),
      [this](std::string_view what, const std::string& function, const std::string& detail) {
        const bool is_usual = what == "started" || what == "ended";
        log.write(is_usual ? LogLevel::kInfo : LogLevel::kWarning, "worker " + std::string(what),
                  {{"function", function}, {"detail", detail}});
      });
  for (const ServedFunction& function : options.functions) {
    if (function.command.arguments.empty()) continue;
    if (auto run = processes->run(function.command); !run) return run;
  }
  return {};
}

// A name that only begins like an address may lead anywhere.
bool is_loopback(std::string_view host) {
  const bool is_address = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_address);
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  if (!is_loopback(options.host) && options.keys.empty())
    return fail("SERVE_NOT_LOOPBACK",
                "'" + options.host + "' is reached from other machines, and nobody has to sign requests.",
                "Listen on 127.0.0.1, or say with --credentials who may ask.", "--listen");
  if (options.virtual_now) prepare_virtual_time(options);
  PAWL_TRY(auto store, store::SqliteStore::open(options.directory));
  PAWL_TRY(Signer signer, Signer::open(options.directory));
  auto parts = std::make_unique<Parts>(std::move(options), std::move(store), std::move(signer));
  if (auto loaded = parts->catalog.load(*parts->store); !loaded) return std::unexpected(loaded.error());
  if (auto loaded = parts->activities.load(*parts->store); !loaded) return std::unexpected(loaded.error());
  parts->options.engine.event_sinks = parts->sinks.names();
  parts->options.engine.on_sink_queued = [&sinks = parts->sinks] { sinks.wake(); };
  parts->options.engine.on_closed = [&parts = *parts](const engine::Closed& closed) {
    parts.ends.tell(closed);
    parts.log_failure(closed);
  };
  if (auto loaded = parts->schedules.load(*parts->store); !loaded) return std::unexpected(loaded.error());
  parts->rules.load();
  engine::Borders borders{*parts->store, parts->catalog, parts->tasks,  parts->activities,
                          parts->tokens, parts->clock,   &parts->nested};
  borders.triggers = &parts->rules;
  PAWL_TRY(parts->engine, engine::Engine::open(borders, parts->options.engine));
  parts->service = std::make_unique<Service>(Service{parts->catalog, parts->rules, parts->schedules, *parts->engine,
                                                     *parts->store, parts->signer, parts->tokens, parts->arns,
                                                     parts->clock, parts->back_office, parts->express,
                                                     parts->activities, parts->tasks, parts->functions, parts->ends});
  parts->nested.serve(*parts->service);
  parts->functions.serve(*parts->service);
  parts->sinks.serve(*parts->engine);
  parts->schedules.serve(*parts->engine, !parts->options.virtual_now);
  if (auto deployed = parts->deploy_functions(); !deployed) return std::unexpected(deployed.error());
  parts->make_endpoint();
  net::HttpServerOptions http = http_options(parts->options);
  http.when_idle = [engine = parts->engine.get()] { engine->help(); };
  std::unique_ptr<Server> server(new Server(std::move(parts)));
  auto listening =
      net::HttpServer::listen(http, [endpoint = server->parts_->endpoint.get()](auto request, auto respond) {
        endpoint->handle(std::move(request), std::move(respond));
      });
  if (!listening) return std::unexpected(listening.error());
  server->parts_->http = std::move(*listening);
  if (auto run = server->parts_->run_functions(server->url()); !run) return std::unexpected(run.error());
  return server;
}

Server::~Server() { stop(kGrace); }

// No worker waits for a task, no new requests, no schedule fires, then no new changes, then no answers of tasks; the
// engine ends with what it holds.
void Server::stop(Duration grace) {
  parts_->activities.queues().close();
  parts_->ends.close();
  parts_->processes.reset();
  parts_->functions.calls().close();
  if (parts_->http != nullptr) parts_->http->shutdown(grace);
  parts_->schedules.close();
  parts_->express.close();
  parts_->back_office.close();
  parts_->world.close();
  parts_->sinks.close();
  parts_->engine.reset();
}

uint16_t Server::port() const { return parts_->http->port(); }

std::string Server::url() const {
  const bool is_ipv6 = parts_->options.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + parts_->options.host + "]" : parts_->options.host;
  return (parts_->options.tls.is_wanted() ? "https://" : "http://") + host + ":" + std::to_string(port());
}

size_t Server::waiting_workers() const { return parts_->activities.queues().pollers(); }

Log& Server::log() { return parts_->log; }

}  // namespace pawl::server
