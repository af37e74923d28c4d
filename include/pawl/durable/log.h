// The logger of durable functions: lines that know their execution, operation and request, silent while a function
// replays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pawl/durable/json.h"

namespace pawl::durable {

enum class LogLevel { Debug, Info, Warn, Error };

std::string_view to_string(LogLevel level);  // "INFO"

struct LogRecord {
  LogLevel level = LogLevel::Info;
  std::string message;
  Json fields;  // of the caller; null or an object
  std::string execution_arn;
  std::string request_id;
  std::string tenant_id;
  std::string operation_id;  // empty outside of operations
  std::string operation_name;
  int attempt = 0;  // of a step; 0 outside of steps
};

// Called on the invocation's thread and on those of steps, several at once.
using LogSink = std::function<void(const LogRecord&)>;

// One JSON object with a timestamp on standard output for each record: the platform's form.
void log_to_stdout(const LogRecord& record);

namespace detail {
struct LogScope;
}

// Cheap to copy. Safe on any thread while the step or the invocation that it belongs to runs.
class Logger {
 public:
  explicit Logger(std::shared_ptr<const detail::LogScope> scope) : scope_(std::move(scope)) {}

  void debug(std::string_view message, Json fields = {}) const { log(LogLevel::Debug, message, std::move(fields)); }
  void info(std::string_view message, Json fields = {}) const { log(LogLevel::Info, message, std::move(fields)); }
  void warn(std::string_view message, Json fields = {}) const { log(LogLevel::Warn, message, std::move(fields)); }
  void error(std::string_view message, Json fields = {}) const { log(LogLevel::Error, message, std::move(fields)); }
  void log(LogLevel level, std::string_view message, Json fields = {}) const;

 private:
  std::shared_ptr<const detail::LogScope> scope_;
};

}  // namespace pawl::durable
