// `pawl dev`: a server that watches a folder of definitions and deploys what changes.
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>

#include "api/definition.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/files.h"
#include "cli/serving.h"

namespace pawl::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookEvery{300};

// What tells that a file has changed.
struct Stamp {
  fs::file_time_type changed;
  uintmax_t size = 0;

  friend bool operator==(const Stamp&, const Stamp&) = default;
};

// A broken file is taken for a definition where its name says so: its errors are then told.
bool is_definition(const std::string& path) {
  const auto document = read_document(path);
  return api::language_of(document ? document->root : json::Value(), path).has_value();
}

std::map<std::string, Stamp> look_at(const std::string& folder) {
  std::map<std::string, Stamp> seen;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error) || !may_be_definition(entry.path().string())) continue;
    seen[entry.path().string()] = {entry.last_write_time(error), entry.file_size(error)};
  }
  return seen;
}

class FolderWatch {
 public:
  FolderWatch(std::string folder, ClientOptions client) : folder_(std::move(folder)), client_(std::move(client)) {}

  void deploy_changes() {
    const auto seen = look_at(folder_);
    for (const auto& [path, stamp] : seen) {
      const auto known = known_.find(path);
      if ((known == known_.end() || known->second != stamp) && is_definition(path)) deploy_file(path);
    }
    for (const auto& [path, stamp] : known_)
      if (!seen.contains(path) && deployed_.contains(path))
        complain(path + " is gone; what was deployed from it stays\n");
    known_ = seen;
  }

 private:
  void deploy_file(const std::string& path) {
    client_.file = path;
    if (deploy(client_) != kExitOk) return;
    deployed_[path] = true;
    complain("deployed " + path + "\n");
  }

  const std::string folder_;
  ClientOptions client_;
  std::map<std::string, Stamp> known_;
  std::map<std::string, bool> deployed_;
};

void watch(const std::string& folder, const ClientOptions& client, const std::stop_token& stop) {
  FolderWatch changes(folder, client);
  std::mutex mutex;
  std::condition_variable_any asked;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    changes.deploy_changes();
    asked.wait_for(lock, stop, kLookEvery, [] { return false; });
  }
}

}  // namespace

int dev(DevOptions options) {
  if (!fs::is_directory(options.folder)) {
    report(Error{"DEV_NO_FOLDER", options.folder, "This is no folder.", "Name the folder that holds the definitions."},
           options.serve.json);
    return kExitRefused;
  }
  if (!options.serve.directory && !options.serve.config_file) options.serve.directory = options.folder + "/.pawl";
  return serve_while(options.serve, [&](const server::Server& server, const std::stop_token& stop) {
    ClientOptions client;
    client.endpoint = server.url();
    client.json = options.serve.json;
    watch(options.folder, client, stop);
  });
}

}  // namespace pawl::cli
