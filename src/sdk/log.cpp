// The logger, and the form of its lines on standard output.
#include "pawl/durable/log.h"

#include <chrono>
#include <cstdio>
#include <ctime>

#include "sdk/context_state.h"

namespace pawl::durable {
namespace {

std::string timestamp() {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  const int milliseconds = static_cast<int>(now.time_since_epoch().count() % 1000);
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, milliseconds);
  return text;
}

void add_unless_empty(Json& line, const char* name, const std::string& value) {
  if (!value.empty()) line[name] = value;
}

}  // namespace

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return "DEBUG";
    case LogLevel::Info:
      return "INFO";
    case LogLevel::Warn:
      return "WARN";
    case LogLevel::Error:
      return "ERROR";
  }
  return "";
}

void log_to_stdout(const LogRecord& record) {
  Json line = Json::object();
  add_unless_empty(line, "requestId", record.request_id);
  line["timestamp"] = timestamp();
  line["level"] = to_string(record.level);
  add_unless_empty(line, "executionArn", record.execution_arn);
  add_unless_empty(line, "tenantId", record.tenant_id);
  add_unless_empty(line, "operationId", record.operation_id);
  add_unless_empty(line, "operationName", record.operation_name);
  if (record.attempt > 0) line["attempt"] = record.attempt;
  line["message"] = record.message;
  if (record.fields.is_object()) {
    for (const Json::Member& member : record.fields.as_object()) line[member.name] = member.value;
  }
  // One call, so that lines of several threads do not mix.
  const std::string text = line.dump() + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void Logger::log(LogLevel level, std::string_view message, Json fields) const {
  if (level < scope_->level || (scope_->is_silent && scope_->is_silent())) return;
  LogRecord record = scope_->common;
  record.level = level;
  record.message = message;
  record.fields = std::move(fields);
  scope_->sink(record);
}

}  // namespace pawl::durable
