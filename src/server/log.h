// The server's log: one line an event, on stderr, for people or as JSON.
//
// What is logged: events, names, ids, sizes, codes. Never: payloads, tokens, keys, signatures, headers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace pawl::server {

inline constexpr size_t kLogLinesMax = 10'000;    // that wait to be written; further ones are dropped and counted
inline constexpr size_t kLogFieldBytesMax = 512;  // of a field's text; the rest is cut off

enum class LogLevel : uint8_t { kDebug, kInfo, kWarning, kError, kOff };
std::optional<LogLevel> parse_log_level(std::string_view text);  // "debug", "info", "warning", "error", "off"
std::string_view to_string(LogLevel level);

enum class LogFormat : uint8_t { kAuto, kText, kJson };            // kAuto: text on a terminal, else JSON
std::optional<LogFormat> parse_log_format(std::string_view text);  // "auto", "text", "json"

struct LogOptions {
  LogLevel level = LogLevel::kInfo;  // events below it are not logged
  LogFormat format = LogFormat::kAuto;
};

struct LogField {
  std::string_view name;
  std::string_view text;
};

// Lifecycle: has a thread of its own while anything may be logged; the destructor writes what waits, but does not wait
// for a reader that takes nothing. Concurrency: any thread may write; a line is put into a queue, so that a slow reader
// of stderr holds nobody up. Limits: the two above.
class Log {
 public:
  explicit Log(const LogOptions& options, int descriptor = STDERR_FILENO);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool is_on(LogLevel level) const { return level >= level_ && level_ != LogLevel::kOff; }
  // A field without text is left out.
  void write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  void work();
  bool put(std::string_view bytes) const;

  const LogLevel level_;
  const bool is_json_;
  const int descriptor_;
  std::atomic<uint64_t> dropped_ = 0;
  std::atomic<bool> closing_ = false;
  std::mutex mutex_;  // guards the next
  std::deque<std::string> lines_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace pawl::server
