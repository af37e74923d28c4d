#include "server_process.h"

#include <chrono>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connect/spawn.h"
#include "json/parse.h"

namespace pawl::conformance {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kStartPatience = 60s;
constexpr auto kEndPatience = 10s;

Result<std::filesystem::path> make_directory() {
  const bool has_shared_memory = std::filesystem::is_directory("/dev/shm");  // where a sync costs nothing
  const std::filesystem::path parent = has_shared_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  std::string made = (parent / "pawl-durable-XXXXXX").string();
  if (::mkdtemp(made.data()) == nullptr) return fail("SERVE_DID_NOT_START", "No directory could be made.", "", made);
  return made;
}

std::vector<std::string> arguments_of(const std::string& command, const std::string& worker,
                                      const std::vector<std::string>& functions, const std::string& data) {
  std::vector<std::string> arguments = {command,       "serve",       "--data", data,    "--listen",
                                        "127.0.0.1:0", "--log-level", "error",  "--json"};
  for (const std::string& function : functions) {
    arguments.emplace_back("--function");
    arguments.push_back(function + "=" + worker);
  }
  return arguments;
}

}  // namespace

ServerProcess::ServerProcess(std::filesystem::path directory)
    : directory_(std::move(directory)), said_(directory_ / "said") {}

Result<std::unique_ptr<ServerProcess>> ServerProcess::start(const std::string& command, const std::string& worker,
                                                            const std::vector<std::string>& functions) {
  PAWL_TRY(const std::filesystem::path directory, make_directory());
  std::unique_ptr<ServerProcess> process(new ServerProcess(directory));
  connect::SpawnRequest request;
  request.arguments = arguments_of(command, worker, functions, (directory / "data").string());
  request.errors = ::open(process->said_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  auto pid = connect::spawn(request);
  ::close(request.errors);
  if (!pid) return std::unexpected(pid.error());
  process->pid_ = *pid;
  if (const auto ready = process->wait_for_url(); !ready) return std::unexpected(ready.error());
  return process;
}

ServerProcess::~ServerProcess() {
  if (pid_ != 0) {
    ::kill(pid_, SIGTERM);
    const auto deadline = steady_clock::now() + kEndPatience;
    while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
      if (steady_clock::now() > deadline) ::kill(pid_, SIGKILL);
      std::this_thread::sleep_for(5ms);
    }
  }
  std::filesystem::remove_all(directory_);
}

std::vector<std::string> ServerProcess::lines() const {
  std::ifstream file(said_);
  std::vector<std::string> read;
  for (std::string line; std::getline(file, line);) read.push_back(line);
  return read;
}

Result<void> ServerProcess::wait_for_url() {
  const auto deadline = steady_clock::now() + kStartPatience;
  while (steady_clock::now() < deadline) {
    for (const std::string& line : lines()) {
      if (!line.starts_with("{\"url\"")) continue;
      PAWL_TRY(const json::Value banner, json::parse(line));
      url_ = banner.find("url")->as_string();
      return {};
    }
    if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = 0;
      break;
    }
    std::this_thread::sleep_for(5ms);
  }
  const std::vector<std::string> said = lines();
  return fail("SERVE_DID_NOT_START", said.empty() ? "The server said nothing." : said.back());
}

std::vector<json::Value> ServerProcess::log_of(const std::string& execution_arn) const {
  std::vector<json::Value> records;
  for (const std::string& line : lines()) {
    const auto record = json::parse(line);
    const json::Value* arn = record ? record->find("executionArn") : nullptr;
    if (arn != nullptr && arn->is_string() && arn->as_string() == execution_arn) records.push_back(*record);
  }
  return records;
}

}  // namespace pawl::conformance
