#include "connect/answers.h"

#include <algorithm>

#include "json/parse.h"
#include "json/utf8.h"

namespace pawl::connect {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

std::string utf8_text(std::string_view bytes) {
  std::string text;
  for (const char* at = bytes.data(); at != bytes.data() + bytes.size();) {
    const size_t size = json::utf8_sequence_size(at, bytes.data() + bytes.size());
    text += size == 0 ? kReplacement : std::string_view(at, size);
    at += std::max<size_t>(size, 1);
  }
  return text;
}

std::string presentable(std::string_view bytes) {
  bytes = without_blanks(bytes);
  const bool cut = bytes.size() > kCauseTextBytesMax;
  std::string text = utf8_text(bytes.substr(0, kCauseTextBytesMax));
  return cut ? text + "…" : text;
}

TaskAnswer failure(const TaskTarget& target, std::string_view error, const std::string& cause) {
  return TaskAnswer::failed(error, strike_secrets(cause, target.secrets));
}

TaskAnswer json_answer(const TaskTarget& target, const std::string& source, std::string_view text) {
  if (without_blanks(text).empty()) return TaskAnswer::succeeded(Value::null());
  auto parsed = json::parse(text);
  if (parsed) return TaskAnswer::succeeded(std::move(*parsed));
  const Error& error = parsed.error();
  return failure(target, "States.TaskFailed",
                 source + " is not JSON: " + error.code + " at " + error.where + ": " + error.what);
}

TaskAnswer too_large(const TaskRequest& request) {
  return TaskAnswer::failed("States.DataLimitExceeded",
                            "The state/task '" + request.resource +
                                "' returned a result with a size exceeding the maximum number of bytes service limit.");
}

std::optional<Duration> timeout_of(const TaskTarget& target, const TaskRequest& request) {
  if (!target.timeout) return request.timeout;
  return request.timeout ? std::min(*target.timeout, *request.timeout) : target.timeout;
}

}  // namespace pawl::connect
