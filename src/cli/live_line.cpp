#include "cli/live_line.h"

#include <algorithm>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/console.h"
#include "json/utf8.h"

namespace pawl::cli {

namespace {

using namespace std::chrono_literals;
constexpr auto kFirstDrawing = 300ms;  // what ends sooner needs no line
constexpr auto kBetweenDrawings = 100ms;
constexpr std::string_view kWipe = "\r\033[K";

size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Cut to one line, and without control characters, which a state's name may hold.
std::string fit(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  const size_t bytes = std::min(text.size(), terminal_width() - 1);
  text.resize(bytes);
  text.resize(json::find_invalid_utf8(text));
  return text;
}

}  // namespace

LiveLine::LiveLine(bool enabled) : started_(std::chrono::steady_clock::now()), enabled_(enabled) {
  if (enabled_) thread_ = std::jthread([this](std::stop_token stop) { draw_until_stopped(stop); });
}

LiveLine::~LiveLine() {
  if (!enabled_) return;
  thread_.request_stop();
  thread_.join();
  if (drawn_) complain(kWipe);
}

void LiveLine::show_state(std::string_view name) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  state_ = name;
  ++entered_;
}

void LiveLine::draw_until_stopped(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (auto pause = kFirstDrawing;; pause = kBetweenDrawings) {
    changed_.wait_for(lock, stop, pause, [] { return false; });
    if (stop.stop_requested()) return;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - started_);
    const std::string line =
        std::to_string(seconds.count()) + " s · " + std::to_string(entered_) + " states entered · " + state_;
    complain(std::string(kWipe) + fit(line));
    drawn_ = true;
  }
}

}  // namespace pawl::cli
