#include "connect/spawn.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

// --- a process that ends with us: posix_spawn cannot ask for that

void reset_signals() {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool take_streams(const SpawnRequest& request) {
  const int input = request.input >= 0 ? request.input : ::open("/dev/null", O_RDONLY);
  const int errors = request.errors >= 0 ? request.errors : STDERR_FILENO;
  const int output = request.output >= 0 ? request.output : errors;
  return input >= 0 && ::dup2(input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
         ::dup2(errors, STDERR_FILENO) >= 0 && ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

// In the child of a process that has threads: nothing here may allocate. Tells `report` why it did not become the
// program.
[[noreturn]] void become(const SpawnRequest& request, char* const* arguments, char* const* environment, pid_t parent,
                         int report) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // the parent ended before it could be watched
  reset_signals();
  if (take_streams(request) && (request.directory.empty() || ::chdir(request.directory.c_str()) == 0))
    ::execvpe(arguments[0], arguments, environment);
  const int number = errno;
  [[maybe_unused]] const auto told = ::write(report, &number, sizeof number);
  ::_exit(127);
}

// 0, or the error's number.
int fork_and_become(const SpawnRequest& request, pid_t& pid, char* const* arguments, char* const* environment) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return errno;
  const pid_t parent = ::getpid();
  pid = ::fork();
  if (pid == 0) become(request, arguments, environment, parent, report[1]);
  int number = pid < 0 ? errno : 0;
  ::close(report[1]);
  if (pid > 0 && ::read(report[0], &number, sizeof number) > 0) ::waitpid(pid, nullptr, 0);
  ::close(report[0]);
  return number;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A name that stands twice in an environment has its first value for most programs: each is given once.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
  std::map<std::string, std::string> variables;
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    const std::string_view whole(*entry);
    const size_t equals = whole.find('=');
    if (equals != std::string_view::npos) variables.emplace(whole.substr(0, equals), whole.substr(equals + 1));
  }
  for (const auto& [name, value] : added) variables.insert_or_assign(name, value);
  std::vector<std::string> environment;
  environment.reserve(variables.size());
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

bool is_missing_folder(const std::string& folder) {
  std::error_code error;
  return !folder.empty() && !std::filesystem::is_directory(folder, error);
}

std::unexpected<Error> spawn_error(const SpawnRequest& request, int number) {
  const std::string& program = request.arguments[0];
  if (is_missing_folder(request.directory))
    return fail("COMMAND_NO_FOLDER", "The command '" + program + "' cannot be run there: it is no folder.",
                "Make the folder, or name another one.", request.directory);
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
  const auto argument_pointers = pointers_to(arguments);
  const auto environment_pointers = pointers_to(environment);
  const int number = request.ends_with_us
                         ? fork_and_become(request, pid, argument_pointers.data(), environment_pointers.data())
                         : SpawnSetup(request).spawn(pid, argument_pointers.data(), environment_pointers.data());
  if (number != 0) return spawn_error(request, number);
  return pid;
}

// By number: glibc 2.36 declares pidfd_open without C linkage.
int watch_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace pawl::connect
