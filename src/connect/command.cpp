#include "connect/command.h"

#include <array>
#include <cerrno>
#include <functional>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connect/spawn.h"

namespace pawl::connect {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return command_system_error("No pipe", errno);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// A write to a command that no longer reads must be an error, not a signal, whatever the process does with SIGPIPE. A
// signal that is blocked in this thread only stays pending in it, and is taken back before the mask is restored.
class BrokenPipeGuard {
 public:
  BrokenPipeGuard() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~BrokenPipeGuard() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) > 0) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BrokenPipeGuard(const BrokenPipeGuard&) = delete;
  BrokenPipeGuard& operator=(const BrokenPipeGuard&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
};

int milliseconds_until(SteadyTime deadline) {
  if (deadline == SteadyTime::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1'000'000));
}

SteadyTime deadline_after(Duration timeout) {
  constexpr Duration kLongest = std::chrono::years(100);
  return timeout > kLongest ? SteadyTime::max() : std::chrono::steady_clock::now() + timeout;
}

// A running command. The destructor ends what still runs and leaves no zombie.
class Child {
 public:
  Child(const Command& command, const std::stop_token& stop)
      : command_(command),
        stop_(stop),
        deadline_(deadline_after(command.timeout)),
        wake_(::eventfd(0, EFD_CLOEXEC)),
        interrupt_(stop, [this] { wake(); }) {}
  ~Child() {
    if (pid_ > 0) end_group();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  Result<void> spawn() {
    PAWL_TRY(Pipe input, make_pipe());
    PAWL_TRY(Pipe output, make_pipe());
    PAWL_TRY(Pipe errors, make_pipe());
    PAWL_TRY(pid_, connect::spawn({.arguments = command_.arguments,
                                   .environment = command_.environment,
                                   .directory = {},
                                   .input = input.read.get(),
                                   .output = output.write.get(),
                                   .errors = errors.write.get()}));
    ended_ = Descriptor(watch_process(pid_));
    if (!ended_.is_open()) return command_system_error("The command cannot be watched", errno);
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
    for (const Descriptor* end : {&input_, &output_, &errors_}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
    return {};
  }

  Result<CommandResult> run() {
    for (;;) {
      std::array<pollfd, 5> ready = {{{ended_.get(), POLLIN, 0},
                                      {wake_.get(), POLLIN, 0},
                                      {input_.get(), POLLOUT, 0},
                                      {output_.get(), POLLIN, 0},
                                      {errors_.get(), POLLIN, 0}}};
      const int count = ::poll(ready.data(), ready.size(), milliseconds_until(deadline_));
      if (stop_.stop_requested()) return fail("COMMAND_STOPPED", "The command was stopped.");
      if (count == 0)
        return fail("COMMAND_TIMEOUT", "The command took longer than its timeout.",
                    "Raise the timeout, or make it faster.");
      if (ready[2].revents != 0) write_input();
      if (ready[3].revents != 0) read_into(output_, result_.output, command_.output_bytes_max + 1);
      if (ready[4].revents != 0) read_errors();
      if (result_.output.size() > command_.output_bytes_max)
        return fail("COMMAND_TOO_LARGE", "The command wrote more than the limit.", "Write less, or raise the limit.");
      if (ready[0].revents != 0) return finish();
    }
  }

 private:
  void wake() const {
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof(one));
  }

  void write_input() {
    const size_t left = command_.input.size() - written_;
    const ssize_t n = left == 0 ? 0 : ::write(input_.get(), command_.input.data() + written_, left);
    if (n > 0) written_ += static_cast<size_t>(n);
    const bool broken = n < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || written_ == command_.input.size()) input_.close();
  }

  // Reads what is there, up to a size; closes at the end. True where something came.
  static bool read_into(Descriptor& from, std::string& to, size_t size_max) {
    std::array<char, 65536> buffer;
    if (to.size() >= size_max || !from.is_open()) return false;
    const ssize_t n = ::read(from.get(), buffer.data(), std::min(buffer.size(), size_max - to.size()));
    if (n > 0) to.append(buffer.data(), static_cast<size_t>(n));
    if (n == 0) from.close();
    return n > 0;
  }

  bool read_errors() {
    const bool more = read_into(errors_, result_.errors, result_.errors.size() + kCommandErrorsBytesMax);
    if (result_.errors.size() > kCommandErrorsBytesMax)
      result_.errors.erase(0, result_.errors.size() - kCommandErrorsBytesMax);
    return more;
  }

  // It ended: what it wrote before is still in the pipes. Whoever inherited them is not waited for.
  Result<CommandResult> finish() {
    while (read_into(output_, result_.output, command_.output_bytes_max + 1)) {
    }
    while (read_errors()) {
    }
    if (result_.output.size() > command_.output_bytes_max)
      return fail("COMMAND_TOO_LARGE", "The command wrote more than the limit.", "Write less, or raise the limit.");
    int status = 0;
    ::waitpid(std::exchange(pid_, 0), &status, 0);
    if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    return std::move(result_);
  }

  void end_group() {
    ::kill(-pid_, SIGTERM);
    pollfd ended{ended_.get(), POLLIN, 0};
    if (ended_.is_open()) ::poll(&ended, 1, static_cast<int>(kCommandGrace.count()));
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  const Command& command_;
  const std::stop_token& stop_;
  SteadyTime deadline_;
  Descriptor wake_;
  std::stop_callback<std::function<void()>> interrupt_;
  pid_t pid_ = 0;
  Descriptor ended_;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
  size_t written_ = 0;
  CommandResult result_;
};

}  // namespace

Result<CommandResult> run_command(const Command& command, const std::stop_token& stop) {
  const BrokenPipeGuard guard;
  Child child(command, stop);
  if (auto spawned = child.spawn(); !spawned) return std::unexpected(spawned.error());
  return child.run();
}

}  // namespace pawl::connect
