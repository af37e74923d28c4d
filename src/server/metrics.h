// The server's numbers, and the page /metrics that tells them in Prometheus's text form. Each number is explained in
// docs/operators.md.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "base/time.h"

namespace pawl::engine {
class Engine;
}
namespace pawl::connect {
class EventSinks;
}

namespace pawl::server {

class BackOffice;
class ExpressRuns;
class KpiReport;
class Log;

// Tasks on their way into the world.
struct TaskMetrics {
  Gauge in_flight;
  Counter succeeded;
  Counter accepted;  // those that wait for their token
  Counter failed;
  Counter timed_out;
};

// Requests by route (an operation's name, or a path) and status. The routes are known from the beginning, so that
// counting takes no lock; what is asked for elsewhere counts as "other".
class RequestMetrics {
 public:
  explicit RequestMetrics(std::span<const std::string_view> routes);

  void observe(std::string_view route, int status, uint64_t elapsed_us);
  void print(std::string& out) const;

 private:
  static constexpr std::array<int, 17> kStatuses = {200, 201, 202, 204, 400, 401, 403, 404, 405,
                                                    409, 413, 415, 429, 500, 501, 503, 0};  // 0: any other
  struct Route {
    std::array<Counter, kStatuses.size()> by_status;
    Histogram time{kTimeBounds};
  };
  std::map<std::string, Route, std::less<>> routes_;
};

// What the page is made of; everything outlives it.
struct MetricsSources {
  const engine::Engine& engine;
  BackOffice& back_office;
  ExpressRuns& express;
  const TaskMetrics& tasks;
  const connect::EventSinks& sinks;
  const RequestMetrics& requests;
  const Log& log;
  KpiReport& kpis;
  std::function<uint64_t()> count_open_executions;  // asked once: counting takes a while where there are many
  std::function<uint64_t()> connections;
  std::string version;
};

// Any thread may print it.
class MetricsPage {
 public:
  explicit MetricsPage(MetricsSources sources) : sources_(std::move(sources)) {}
  std::string print();

 private:
  void print_executions(std::string& out);
  void print_commits(std::string& out) const;
  void print_queues(std::string& out) const;
  void print_tasks(std::string& out) const;
  void print_events(std::string& out) const;
  void print_kpis(std::string& out) const;
  void print_process(std::string& out) const;
  int64_t open_executions();

  MetricsSources sources_;
  Stopwatch uptime_;
  std::once_flag counted_;
  int64_t open_before_ = 0;  // of executions, before this process counted
};

}  // namespace pawl::server
