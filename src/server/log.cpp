#include "server/log.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <signal.h>

#include "base/time.h"
#include "json/print.h"
#include "json/utf8.h"
#include "json/value.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

constexpr size_t kWriteBytesMax = 4096;     // at once: what a pipe that says it has room takes without waiting
constexpr int kPatienceMilliseconds = 250;  // for a reader to take something, once the log has ended

std::string_view cut(std::string_view text) { return text.substr(0, kLogFieldBytesMax); }

// Valid UTF-8 without control characters: one event stays one line, whatever a client sent.
std::string cleaned(std::string_view text) {
  std::string out;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const size_t size = json::utf8_sequence_size(at, end);
    const bool is_control = size <= 1 && static_cast<unsigned char>(*at) < 0x20;
    if (size == 0 || is_control || *at == 0x7F)
      out += '?';
    else
      out.append(at, size);
    at += size == 0 ? 1 : size;
  }
  return out;
}

std::string json_line(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  using json::Value;
  json::ObjectBuilder line(3 + fields.size());
  line.set("time", Value::string(text::format_timestamp(SystemClock().now())));
  line.set("level", Value::string(to_string(level)));
  line.set("event", Value::string(event));
  for (const LogField& field : fields)
    if (!field.text.empty()) line.set(field.name, Value::string(cleaned(cut(field.text))));
  return json::print(line.build()) + "\n";
}

std::string text_line(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  std::string line = text::format_timestamp(SystemClock().now());
  line.append(" ").append(to_string(level)).append(" ").append(event);
  for (const LogField& field : fields) {
    if (field.text.empty()) continue;
    const std::string text = cleaned(cut(field.text));
    const bool is_word = text.find_first_of(" \"=") == std::string::npos;
    line.append(" ").append(field.name).append("=");
    line += is_word ? text : json::print(json::Value::string(text));
  }
  return line + "\n";
}

bool wants_json(LogFormat format, int descriptor) {
  return format == LogFormat::kJson || (format == LogFormat::kAuto && ::isatty(descriptor) == 0);
}

}  // namespace

std::optional<LogLevel> parse_log_level(std::string_view text) {
  for (const LogLevel level : {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError, LogLevel::kOff})
    if (text == to_string(level)) return level;
  return std::nullopt;
}

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
    case LogLevel::kOff:
      return "off";
  }
  return "";
}

std::optional<LogFormat> parse_log_format(std::string_view text) {
  if (text == "auto") return LogFormat::kAuto;
  if (text == "text") return LogFormat::kText;
  if (text == "json") return LogFormat::kJson;
  return std::nullopt;
}

Log::Log(const LogOptions& options, int descriptor)
    : level_(options.level), is_json_(wants_json(options.format, descriptor)), descriptor_(descriptor) {
  if (level_ != LogLevel::kOff) thread_ = std::thread([this] { work(); });
}

Log::~Log() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Log::write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!is_on(level)) return;
  std::string line = is_json_ ? json_line(level, event, fields) : text_line(level, event, fields);
  {
    const std::lock_guard lock(mutex_);
    if (lines_.size() >= kLogLinesMax) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    lines_.push_back(std::move(line));
  }
  changed_.notify_one();
}

// A reader of stderr that is gone must not end the server: SIGPIPE stays blocked.
void Log::work() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || !lines_.empty(); });
    if (lines_.empty()) return;
    const std::string line = std::move(lines_.front());
    lines_.pop_front();
    lock.unlock();
    const bool written = put(line);
    lock.lock();
    if (!written && closing_) return;
  }
}

// Waits for the reader as long as the log has not ended.
bool Log::put(std::string_view bytes) const {
  while (!bytes.empty()) {
    pollfd ready{descriptor_, POLLOUT, 0};
    if (::poll(&ready, 1, kPatienceMilliseconds) == 0) {
      if (closing_) return false;
      continue;
    }
    const ssize_t size = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kWriteBytesMax));
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

}  // namespace pawl::server
