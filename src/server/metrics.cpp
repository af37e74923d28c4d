#include "server/metrics.h"

#include <charconv>
#include <cstdio>

#include <unistd.h>

#include "connect/event_sinks.h"
#include "engine/engine.h"
#include "server/back_office.h"
#include "server/express_runs.h"
#include "server/kpi_report.h"
#include "server/log.h"

namespace pawl::server {

namespace {

using store::ExecutionStatus;

constexpr double kMicrosecondsPerSecond = 1e6;  // divided by, since 1e-6 is no binary number: 0.0001, not 9.99…e-05

std::string to_text(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

void add_head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out.append("# HELP ").append(name).append(" ").append(help).append("\n");
  out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

// `labels` is `status="200"`, or empty.
void add_sample(std::string& out, std::string_view name, std::string_view labels, const std::string& value) {
  out.append(name);
  if (!labels.empty()) out.append("{").append(labels).append("}");
  out.append(" ").append(value).append("\n");
}

void add_counter(std::string& out, std::string_view name, std::string_view help, uint64_t value) {
  add_head(out, name, "counter", help);
  add_sample(out, name, "", std::to_string(value));
}

void add_gauge(std::string& out, std::string_view name, std::string_view help, const std::string& value) {
  add_head(out, name, "gauge", help);
  add_sample(out, name, "", value);
}

// The samples of a histogram, `per` of whose amounts are what is told; the head is the caller's.
void add_histogram(std::string& out, const std::string& name, const std::string& labels, const Histogram& histogram,
                   double per) {
  const std::string before = labels.empty() ? "" : labels + ",";
  uint64_t count = 0;
  for (size_t i = 0; i < histogram.bounds().size(); ++i) {
    count += histogram.bucket(i);
    const std::string bound = to_text(static_cast<double>(histogram.bounds()[i]) / per);
    add_sample(out, name + "_bucket", before + "le=\"" + bound + "\"", std::to_string(count));
  }
  count += histogram.bucket(histogram.bounds().size());
  add_sample(out, name + "_bucket", before + "le=\"+Inf\"", std::to_string(count));
  add_sample(out, name + "_sum", labels, to_text(static_cast<double>(histogram.sum()) / per));
  add_sample(out, name + "_count", labels, std::to_string(count));
}

// Names are what users wrote.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result;
}

std::string labels_of(const KpiReading& reading) {
  return "definition=\"" + escaped(reading.definition) + "\",subject=\"" + std::string(name_of(reading.kpi.subject)) +
         "\",name=\"" + escaped(reading.kpi.name) + "\",kpi=\"" + reading.kpi.field + "\"";
}

uint64_t count_of(const Histogram& histogram) {
  uint64_t count = 0;
  for (size_t i = 0; i <= histogram.bounds().size(); ++i) count += histogram.bucket(i);
  return count;
}

// The second number of /proc/self/statm: resident pages.
uint64_t resident_bytes() {
  unsigned long long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%*u %llu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

constexpr std::array<std::pair<ExecutionStatus, std::string_view>, 4> kEnds = {
    {{ExecutionStatus::kSucceeded, "SUCCEEDED"},
     {ExecutionStatus::kFailed, "FAILED"},
     {ExecutionStatus::kTimedOut, "TIMED_OUT"},
     {ExecutionStatus::kAborted, "ABORTED"}}};

uint64_t count_closed(const engine::EngineMetrics& metrics) {
  uint64_t closed = 0;
  for (const auto& [status, name] : kEnds) closed += metrics.closed_as(status).value();
  return closed;
}

}  // namespace

RequestMetrics::RequestMetrics(std::span<const std::string_view> routes) {
  for (const std::string_view route : routes) routes_.try_emplace(std::string(route));
  routes_.try_emplace("other");
}

void RequestMetrics::observe(std::string_view route, int status, uint64_t elapsed_us) {
  auto found = routes_.find(route);
  if (found == routes_.end()) found = routes_.find("other");
  size_t index = 0;
  while (index + 1 < kStatuses.size() && kStatuses[index] != status) ++index;
  found->second.by_status[index].add();
  found->second.time.observe(elapsed_us);
}

// Routes that nobody asked for are left out.
void RequestMetrics::print(std::string& out) const {
  add_head(out, "pawl_http_requests_total", "counter", "Requests by route and status.");
  for (const auto& [name, route] : routes_) {
    for (size_t i = 0; i < kStatuses.size(); ++i) {
      const uint64_t count = route.by_status[i].value();
      const std::string status = kStatuses[i] == 0 ? "other" : std::to_string(kStatuses[i]);
      const std::string labels = "route=\"" + name + "\",status=\"" + status + "\"";
      if (count != 0) add_sample(out, "pawl_http_requests_total", labels, std::to_string(count));
    }
  }
  add_head(out, "pawl_http_request_seconds", "histogram", "Time from a request's last byte to its answer.");
  for (const auto& [name, route] : routes_)
    if (count_of(route.time) != 0)
      add_histogram(out, "pawl_http_request_seconds", "route=\"" + name + "\"", route.time, kMicrosecondsPerSecond);
}

std::string MetricsPage::print() {
  std::string out;
  print_executions(out);
  print_commits(out);
  print_queues(out);
  print_tasks(out);
  print_events(out);
  print_kpis(out);
  sources_.requests.print(out);
  print_process(out);
  return out;
}

void MetricsPage::print_executions(std::string& out) {
  const engine::EngineMetrics& metrics = sources_.engine.metrics();
  add_counter(out, "pawl_executions_started_total", "Executions started, durably.", metrics.started.value());
  add_head(out, "pawl_executions_closed_total", "counter", "Executions that ended, by status.");
  for (const auto& [status, name] : kEnds)
    add_sample(out, "pawl_executions_closed_total", "status=\"" + std::string(name) + "\"",
               std::to_string(metrics.closed_as(status).value()));
  add_counter(out, "pawl_executions_redriven_total", "Executions that went on after an end without success.",
              metrics.redriven.value());
  add_gauge(out, "pawl_executions_open", "Executions that have not ended.", std::to_string(open_executions()));
}

// What was open before is what is open now, without what happened since the process began.
int64_t MetricsPage::open_executions() {
  const engine::EngineMetrics& metrics = sources_.engine.metrics();
  const auto since = [&] {
    const uint64_t opened = metrics.started.value() + metrics.redriven.value();
    return static_cast<int64_t>(opened) - static_cast<int64_t>(count_closed(metrics));
  };
  std::call_once(counted_, [&] { open_before_ = static_cast<int64_t>(sources_.count_open_executions()) - since(); });
  return std::max<int64_t>(0, open_before_ + since());
}

void MetricsPage::print_commits(std::string& out) const {
  const engine::EngineMetrics& metrics = sources_.engine.metrics();
  add_counter(out, "pawl_commits_total", "Commits, those that failed included.", count_of(metrics.commit_time));
  add_counter(out, "pawl_commits_failed_total", "Commits that were rolled back.", metrics.failed_commits.value());
  add_head(out, "pawl_commit_seconds", "histogram", "Time of a commit, its sync included.");
  add_histogram(out, "pawl_commit_seconds", "", metrics.commit_time, kMicrosecondsPerSecond);
  add_head(out, "pawl_commit_executions", "histogram", "Executions that went on in one commit.");
  add_histogram(out, "pawl_commit_executions", "", metrics.commit_chunks, 1);
  add_head(out, "pawl_timer_lag_seconds", "histogram", "How late timers fired.");
  add_histogram(out, "pawl_timer_lag_seconds", "", metrics.timer_lag, kMicrosecondsPerSecond);
}

void MetricsPage::print_queues(std::string& out) const {
  add_head(out, "pawl_queue_depth", "gauge", "What waits, by queue.");
  const std::vector<size_t> depths = sources_.engine.queue_depths();
  for (size_t i = 0; i < depths.size(); ++i)
    add_sample(out, "pawl_queue_depth", "queue=\"shard-" + std::to_string(i + 1) + "\"", std::to_string(depths[i]));
  add_sample(out, "pawl_queue_depth", "queue=\"back_office\"", std::to_string(sources_.back_office.waiting()));
  add_sample(out, "pawl_queue_depth", "queue=\"express\"", std::to_string(sources_.express.waiting()));
}

void MetricsPage::print_tasks(std::string& out) const {
  const TaskMetrics& tasks = sources_.tasks;
  add_head(out, "pawl_tasks_total", "counter", "Answers of tasks, by outcome.");
  for (const auto& [outcome, counter] :
       {std::pair("succeeded", &tasks.succeeded), std::pair("accepted", &tasks.accepted),
        std::pair("failed", &tasks.failed), std::pair("timed_out", &tasks.timed_out)})
    add_sample(out, "pawl_tasks_total", "outcome=\"" + std::string(outcome) + "\"", std::to_string(counter->value()));
  add_gauge(out, "pawl_tasks_in_flight", "Tasks that were called and have not answered.",
            std::to_string(tasks.in_flight.value()));
}

void MetricsPage::print_events(std::string& out) const {
  const engine::EngineMetrics& metrics = sources_.engine.metrics();
  add_counter(out, "pawl_events_received_total", "Events that arrived, each once.", metrics.events_received.value());
  add_counter(out, "pawl_events_duplicate_total", "Events that were dropped because they were there before.",
              metrics.events_duplicate.value());
  add_counter(out, "pawl_events_matched_total", "Waits that got an event.", metrics.events_matched.value());
  add_counter(out, "pawl_events_started_total", "Executions that events started.", metrics.events_started.value());
  add_counter(out, "pawl_events_produced_total", "Events that executions produced.", metrics.events_produced.value());
  add_gauge(out, "pawl_events_kept", "Events that are kept for waits to come.",
            std::to_string(metrics.events_kept.value()));
  add_gauge(out, "pawl_event_sink_queue", "Produced events that a sink has not got yet, counted for each sink.",
            std::to_string(metrics.sink_queue.value()));
  add_counter(out, "pawl_event_sink_delivered_total", "Events that sinks got.", sources_.sinks.delivered().value());
  add_counter(out, "pawl_event_sink_failed_total", "Attempts that a sink did not take.",
              sources_.sinks.failed().value());
}

void MetricsPage::print_kpis(std::string& out) const {
  const std::vector<KpiReading> readings = sources_.kpis.look();
  add_head(out, "pawl_kpi_crossed", "gauge", "Whether a KPI lies on the wrong side of its threshold.");
  for (const KpiReading& reading : readings)
    add_sample(out, "pawl_kpi_crossed", labels_of(reading), is_crossed(reading.kpi, reading.measured) ? "1" : "0");
  add_head(out, "pawl_kpi_value", "gauge", "What a KPI's threshold is held against: a number, or seconds.");
  for (const KpiReading& reading : readings)
    add_sample(out, "pawl_kpi_value", labels_of(reading), to_text(reading.measured));
}

void MetricsPage::print_process(std::string& out) const {
  add_gauge(out, "pawl_http_connections", "Open connections.", std::to_string(sources_.connections()));
  add_counter(out, "pawl_log_lines_dropped_total", "Lines of the log that nobody took in time.",
              sources_.log.dropped());
  add_gauge(out, "pawl_uptime_seconds", "Since the server began.",
            to_text(static_cast<double>(uptime_.elapsed_us()) / kMicrosecondsPerSecond));
  add_gauge(out, "process_resident_memory_bytes", "Memory that the process has.", std::to_string(resident_bytes()));
  add_head(out, "pawl_build_info", "gauge", "The version.");
  add_sample(out, "pawl_build_info", "version=\"" + sources_.version + "\"", "1");
}

}  // namespace pawl::server
