#include "connect/spawn.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pawl::connect {

namespace {

class SpawnSetup {
 public:
  explicit SpawnSetup(const SpawnRequest& request) {
    posix_spawn_file_actions_init(&actions_);
    if (!request.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions_, request.directory.c_str());
    take(request.input, STDIN_FILENO);
    if (request.input < 0) posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    take(request.errors, STDERR_FILENO);
    take(request.output < 0 ? STDERR_FILENO : request.output, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  int spawn(pid_t& pid, char* const* arguments, char* const* environment) {
    return ::posix_spawnp(&pid, arguments[0], &actions_, &attributes_, arguments, environment);
  }

 private:
  void take(int from, int as) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&actions_, from, as);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> environment;
  for (char** entry = ::environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  for (const auto& [name, value] : added) environment.push_back(name + "=" + value);
  return environment;
}

std::unexpected<Error> spawn_error(const std::string& program, int number) {
  if (number == EACCES || number == EPERM)
    return fail("COMMAND_NOT_PERMITTED", "The command '" + program + "' may not be run: " + std::strerror(number) + ".",
                "Make the file executable.");
  if (number == ENOENT)
    return fail("COMMAND_NOT_FOUND", "There is no command '" + program + "'.",
                "Give its path, or add its folder to PATH.");
  return command_system_error("The command '" + program + "' did not start", number);
}

}  // namespace

std::unexpected<Error> command_system_error(const std::string& doing, int number) {
  return fail("COMMAND_SYSTEM", doing + ": " + std::strerror(number) + ".", "Check the system's limits.");
}

Result<pid_t> spawn(const SpawnRequest& request) {
  std::vector<std::string> arguments = request.arguments;
  std::vector<std::string> environment = environment_with(request.environment);
  pid_t pid = 0;
  const int number = SpawnSetup(request).spawn(pid, pointers_to(arguments).data(), pointers_to(environment).data());
  if (number != 0) return spawn_error(arguments[0], number);
  return pid;
}

// By number: glibc 2.36 declares pidfd_open without C linkage.
int watch_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace pawl::connect
