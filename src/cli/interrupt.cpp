#include "cli/interrupt.h"

#include <array>
#include <cstdint>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/commands.h"

namespace pawl::cli {

namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptWatcher::InterruptWatcher(std::stop_source stop) : stop_(std::move(stop)) {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC);
  ending_ = ::eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { watch(); });
}

InterruptWatcher::~InterruptWatcher() {
  const uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(ending_, &one, sizeof(one));
  thread_.join();
  ::close(signals_);
  ::close(ending_);
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void InterruptWatcher::watch() {
  for (;;) {
    std::array<pollfd, 2> ready = {{{signals_, POLLIN, 0}, {ending_, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), -1);
    if (ready[1].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(signals_, &info, sizeof(info)) != sizeof(info)) continue;
    if (signal_ != 0) ::_exit(kExitSignalBase + static_cast<int>(info.ssi_signo));
    signal_ = static_cast<int>(info.ssi_signo);
    stop_.request_stop();
  }
}

}  // namespace pawl::cli
