// `pawl serve` with the functions of all cases, as a process in a directory of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/result.h"
#include "json/value.h"

namespace pawl::conformance {

// Lifecycle: the destructor ends the process and removes the directory. Concurrency: reading is for any thread.
class ServerProcess {
 public:
  // Errors: SERVE_DID_NOT_START, those of starting a process.
  static Result<std::unique_ptr<ServerProcess>> start(const std::string& command, const std::string& worker,
                                                      const std::vector<std::string>& functions);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& url() const { return url_; }
  // What the workers have logged of an execution.
  std::vector<json::Value> log_of(const std::string& execution_arn) const;

 private:
  explicit ServerProcess(std::filesystem::path directory);
  std::vector<std::string> lines() const;
  Result<void> wait_for_url();

  std::filesystem::path directory_;
  std::filesystem::path said_;  // what the server and its workers wrote
  pid_t pid_ = 0;
  std::string url_;
};

}  // namespace pawl::conformance
