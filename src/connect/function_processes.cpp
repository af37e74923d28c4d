#include "connect/function_processes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connect/runtime_api.h"
#include "connect/spawn.h"
#include "engine/lending.h"

namespace pawl::connect {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

// A result may have 6 MiB, and lies as a text in the answer: the worst escape, of a control character, makes six bytes
// of one.
constexpr uint64_t kAnswerBytesMax = 40ULL * 1024 * 1024;
constexpr Duration kGrace = std::chrono::seconds(2);  // between SIGTERM and SIGKILL, when everything ends

// One place of a function: the process that fills it now, or the time at which the next one does.
struct Place {
  FunctionCommand command;
  WorkerId worker;
  std::unique_ptr<RuntimeApi> api;
  std::unique_ptr<net::HttpServer> listener;
  pid_t pid = 0;  // 0: none runs
  int ended = -1;
  Duration delay = kRespawnDelayFirst;
  SteadyTime started{};
  SteadyTime respawn = SteadyTime::max();
};

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) return "signal: " + std::string(::strsignal(WTERMSIG(status)));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

class FunctionProcesses::Watcher {
 public:
  Watcher(FunctionCalls& calls, FunctionSurroundings surroundings, Notice notice)
      : calls_(calls),
        surroundings_(std::move(surroundings)),
        notice_(std::move(notice)),
        wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        thread_([this] { watch(); }) {}
  ~Watcher() {
    close();
    ::close(wake_);
  }

  // Processes end with the thread that starts them, so that none outlives a server that is killed: the watching one.
  Result<void> run(const FunctionCommand& command) {
    std::packaged_task<Result<void>()> job([this, &command] { return fill_places(command); });
    std::future<Result<void>> done = job.get_future();
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) return {};
      jobs_.push_back(std::move(job));
    }
    wake();
    return done.get();
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_closed_, true)) return;
    }
    wake();
    thread_.join();
  }

 private:
  void wake() const {
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
  }

  // --- one process

  SpawnRequest request_for(const Place& place) const {
    SpawnRequest request;
    request.arguments = place.command.arguments;
    request.directory = place.command.directory;
    request.ends_with_us = true;
    request.environment = {
        {"AWS_LAMBDA_RUNTIME_API", "127.0.0.1:" + std::to_string(place.listener->port())},
        {"AWS_ENDPOINT_URL_LAMBDA", surroundings_.endpoint},
        {"AWS_REGION", surroundings_.region},
        {"AWS_DEFAULT_REGION", surroundings_.region},
        {"AWS_LAMBDA_FUNCTION_NAME", place.command.function},
        {"AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"},
        {"AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128"},
        {"AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + place.command.function},
        {"AWS_LAMBDA_LOG_STREAM_NAME", "pawl"},
        {"PAWL_DURABLE_SLOTS", std::to_string(place.command.slots)},
    };
    request.environment.insert(request.environment.end(), surroundings_.environment.begin(),
                               surroundings_.environment.end());
    request.environment.insert(request.environment.end(), place.command.environment.begin(),
                               place.command.environment.end());
    return request;
  }

  Result<void> fill_places(const FunctionCommand& command) {
    for (uint32_t i = 0; i < command.processes; ++i) {
      auto place = std::make_unique<Place>();
      place->command = command;
      if (auto filled = fill(*place); !filled) return filled;
      places_.push_back(std::move(place));
    }
    return {};
  }

  // Every process is another worker: what the one before it had taken is not this one's.
  Result<void> fill(Place& place) {
    place.listener.reset();  // before what it asks
    place.worker = calls_.new_worker();
    place.api = std::make_unique<RuntimeApi>(
        calls_, place.worker, place.command.function,
        [this, function = place.command.function](std::string_view error_type, std::string_view message) {
          notice_("init failed", function, std::string(error_type).append(": ").append(message));
        });
    net::HttpServerOptions options;
    options.limits.body_bytes_max = kAnswerBytesMax;
    options.when_idle = surroundings_.help_engine;
    const bool lends = surroundings_.help_engine != nullptr;
    PAWL_TRY(place.listener,
             net::HttpServer::listen(options, [api = place.api.get(), lends](const auto& request, auto respond) {
               const std::string_view path = request.target;
               if (!path.starts_with(kRuntimePath)) return respond({.status = 404, .headers = {}, .body = {}});
               std::optional<engine::Lending> lending;
               if (lends) lending.emplace();
               api->handle(path, request, std::move(respond));
             }));
    if (auto begun = begin(place); !begun) return begun;
    place.started = std::chrono::steady_clock::now();
    place.respawn = SteadyTime::max();
    notice_("started", place.command.function, "process " + std::to_string(place.pid));
    return {};
  }

  // One that cannot be watched is ended: nobody would hear of its end.
  Result<void> begin(Place& place) {
    PAWL_TRY(const pid_t pid, spawn(request_for(place)));
    place.ended = watch_process(pid);
    if (place.ended < 0) {
      const int number = errno;
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
      return command_system_error("The process of a function cannot be watched", number);
    }
    place.pid = pid;
    if (place.command.memory_bytes_max != 0) {
      const rlimit limit{place.command.memory_bytes_max, place.command.memory_bytes_max};
      ::prlimit(pid, RLIMIT_AS, &limit, nullptr);
    }
    return {};
  }

  // One that ran for long is started again at once; one that ends again and again, later and later.
  void take_end(Place& place) {
    int status = 0;
    ::kill(-place.pid, SIGKILL);  // what it has left behind, while the number is still its own
    ::waitpid(std::exchange(place.pid, 0), &status, 0);
    ::close(std::exchange(place.ended, -1));
    const auto now = std::chrono::steady_clock::now();
    const bool ran_for_long = now - place.started >= kRespawnDelayMax;
    place.delay = ran_for_long ? kRespawnDelayFirst : std::min(place.delay * 2, kRespawnDelayMax);
    place.respawn = now + place.delay;
    const std::string ending = ending_of(status);
    calls_.leave(place.worker, "Runtime.ExitError", "Error: Runtime exited with error: " + ending);
    notice_("ended", place.command.function, ending);
  }

  void end(Place& place, SteadyTime deadline) {
    if (place.pid == 0) return;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ended{place.ended, POLLIN, 0};
    ::poll(&ended, 1, static_cast<int>(std::max<int64_t>(0, left.count())));
    ::kill(-place.pid, SIGKILL);
    ::waitpid(std::exchange(place.pid, 0), nullptr, 0);
    ::close(std::exchange(place.ended, -1));
  }

  // --- watching

  void watch() {
    std::unique_lock lock(mutex_);
    while (!is_closed_) {
      for (auto& job : std::exchange(jobs_, {})) job();
      std::vector<pollfd> ready = {{wake_, POLLIN, 0}};
      for (const auto& place : places_)
        if (place->pid != 0) ready.push_back({place->ended, POLLIN, 0});
      const int patience = milliseconds_to_next();
      lock.unlock();
      ::poll(ready.data(), ready.size(), patience);
      lock.lock();
      if (ready[0].revents != 0) {
        uint64_t count = 0;
        [[maybe_unused]] const auto taken = ::read(wake_, &count, sizeof count);
      }
      look_after_all();
    }
    for (auto& job : std::exchange(jobs_, {})) job();
    end_all();
  }

  void end_all() {
    for (auto& place : places_)
      if (place->pid != 0) ::kill(-place->pid, SIGTERM);
    const SteadyTime deadline = std::chrono::steady_clock::now() + kGrace;
    for (auto& place : places_) end(*place, deadline);
  }

  void end_late(WorkerId late) {
    for (const auto& place : places_) {
      if (place->worker != late || place->pid == 0) continue;
      notice_("timed out", place->command.function, "process " + std::to_string(place->pid));
      ::kill(-place->pid, SIGKILL);
    }
  }

  void refill(Place& place, SteadyTime now) {
    const auto filled = fill(place);
    if (filled) return;
    place.respawn = now + kRespawnDelayMax;
    notice_("not started", place.command.function, to_string(filled.error()));
  }

  void look_after_all() {
    for (const WorkerId late : calls_.expire(SystemClock().now())) end_late(late);
    const auto now = std::chrono::steady_clock::now();
    for (const auto& place : places_) {
      pollfd ended{place->ended, POLLIN, 0};
      if (place->pid != 0 && ::poll(&ended, 1, 0) > 0) take_end(*place);
      if (place->pid == 0 && place->respawn <= now && !is_closed_) refill(*place, now);
    }
  }

  int milliseconds_to_next() const {
    constexpr int64_t kLongest = 1'000;  // a call may be taken at any time, and its deadline with it
    int64_t next = kLongest;
    const Timestamp deadline = calls_.next_deadline();
    if (deadline != kNever) next = std::min(next, (deadline - SystemClock().now()).count());
    const auto now = std::chrono::steady_clock::now();
    for (const auto& place : places_)
      if (place->respawn != SteadyTime::max())
        next = std::min<int64_t>(next, std::chrono::ceil<std::chrono::milliseconds>(place->respawn - now).count());
    return static_cast<int>(std::max<int64_t>(0, next));
  }

  FunctionCalls& calls_;
  const FunctionSurroundings surroundings_;
  const Notice notice_;
  const int wake_;
  mutable std::mutex mutex_;  // guards what is below
  std::vector<std::packaged_task<Result<void>()>> jobs_;
  std::vector<std::unique_ptr<Place>> places_;
  bool is_closed_ = false;
  std::thread thread_;
};

FunctionProcesses::FunctionProcesses(FunctionCalls& calls, FunctionSurroundings surroundings, Notice notice)
    : watcher_(std::make_unique<Watcher>(calls, std::move(surroundings), std::move(notice))) {}
FunctionProcesses::~FunctionProcesses() = default;

Result<void> FunctionProcesses::run(const FunctionCommand& command) { return watcher_->run(command); }
void FunctionProcesses::close() { watcher_->close(); }

}  // namespace pawl::connect
