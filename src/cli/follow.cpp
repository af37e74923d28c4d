#include "cli/follow.h"

#include <cctype>
#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "base/time.h"
#include "cli/client_output.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace pawl::cli {

namespace {

constexpr int kAttemptsMax = 10;  // to reach the server again, without an event between them
constexpr Duration kAttemptPause{500};

void pause(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  ended.wait_for(lock, stop, kAttemptPause, [] { return false; });
}

// Reads the stream to the execution's end, and comes back where it is cut off, as by a restart of the server.
class Follower {
 public:
  Follower(const Client& client, std::string path, std::stop_token stop)
      : client_(client), path_(std::move(path)), stop_(std::move(stop)) {}

  Result<void> run() {
    for (int attempts = 0; attempts < kAttemptsMax;) {
      const std::string before = last_;
      EventReader reader([this](const StreamEvent& event) { take(event); });  // what was cut off is dropped
      const auto status = client_.stream(path_, last_, [&](std::string_view bytes) { reader.feed(bytes); }, stop_);
      if (is_ended_ || stop_.stop_requested() || (status && *status == kNoMore)) return {};
      const bool is_lost = status || status.error().code == "SERVER_UNREACHABLE";
      if (!is_lost || (!status && last_.empty())) return std::unexpected(status.error());
      attempts = last_ == before ? attempts + 1 : 0;
      pause(stop_);
    }
    return fail("SERVER_UNREACHABLE", "The server does not go on with its stream.", "Look at what the server logs.");
  }

 private:
  static constexpr int kNoMore = 204;

  void take(const StreamEvent& event) {
    last_ = event.id;
    is_ended_ = event.type == "end";
    if (is_ended_) return;
    print_line(event.data);
    std::fflush(stdout);
  }

  const Client& client_;
  std::string path_;
  std::stop_token stop_;
  std::string last_;  // the last event's id
  bool is_ended_ = false;
};

Result<void> follow(const ClientOptions& options, const std::stop_token& stop) {
  const Client client(options);
  const std::string path =
      "/api/executions/" + as_path_part(options.execution) + "/facts/stream?as=" + (options.facts ? "facts" : "events");
  return Follower(client, path, stop).run();
}

}  // namespace

int follow_history(const ClientOptions& options) {
  const std::stop_source stop;
  const InterruptWatcher interrupt(stop);
  const int code = conclude_list(follow(options, stop.get_token()), options.json);
  return interrupt.signal() == 0 ? code : kExitSignalBase + interrupt.signal();
}

void EventReader::feed(std::string_view bytes) {
  unread_.append(bytes);
  size_t begin = 0;
  for (size_t end; (end = unread_.find('\n', begin)) != std::string::npos; begin = end + 1)
    take_line(std::string_view(unread_).substr(begin, end - begin));
  unread_.erase(0, begin);
}

void EventReader::take_line(std::string_view line) {
  if (line.empty()) {
    if (!event_.data.empty()) on_event_(event_);
    event_ = {event_.id, {}, {}};
    return;
  }
  const auto value_of = [&](std::string_view field) { return std::string(line.substr(field.size())); };
  if (line.starts_with("id: ")) event_.id = value_of("id: ");
  if (line.starts_with("event: ")) event_.type = value_of("event: ");
  if (line.starts_with("data: ")) event_.data = value_of("data: ");
}

std::string as_path_part(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string part;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("-._~:").contains(c))
      part.push_back(c);
    else
      part.append({'%', kDigits[byte >> 4], kDigits[byte & 0xF]});
  }
  return part;
}

}  // namespace pawl::cli
