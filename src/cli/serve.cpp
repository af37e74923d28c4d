// `pawl serve`: a server on a data directory, until a signal ends it.
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/interrupt.h"
#include "json/print.h"
#include "server/server.h"

namespace pawl::cli {

namespace {

using json::Value;

constexpr Duration kDrainTime = std::chrono::seconds(10);
constexpr const char* kDurability = "an answer comes after its sync to disk (SQLite, synchronous=FULL)";

struct Address {
  std::string host;
  uint16_t port = 0;
};

// 127.0.0.1:8083, localhost:8083, [::1]:8083
Result<Address> parse_listen(const std::string& text) {
  const size_t colon = text.rfind(':');
  Address address;
  address.host = text.substr(0, colon);
  const bool has_brackets = address.host.starts_with('[') && address.host.ends_with(']');
  if (has_brackets) address.host = address.host.substr(1, address.host.size() - 2);
  const char* end = text.data() + text.size();
  const char* begin = colon == std::string::npos ? end : text.data() + colon + 1;
  const auto [stop, error] = std::from_chars(begin, end, address.port);
  if (address.host.empty() || error != std::errc{} || stop != end)
    return fail("SERVE_LISTEN_INVALID", "'" + text + "' is no address and port.", "Write it as 127.0.0.1:8083.",
                "--listen");
  return address;
}

Result<connect::TaskTargets> read_targets(const ServeOptions& options) {
  if (!options.tasks_file) return connect::TaskTargets{};
  PAWL_TRY(connect::TaskTargets targets, read_task_targets(*options.tasks_file));
  for (const connect::TaskTarget& target : targets)
    if (!target.url && !options.allow_exec)
      return fail("SERVE_EXEC_OFF",
                  "'" + target.pattern + "' is mapped to a command, which a server runs only where it is allowed to.",
                  "Give --allow-exec, or map it to an HTTP endpoint.", *options.tasks_file);
  return targets;
}

// {"AKID…": "secret", …}
Result<server::AccessKeys> read_keys(const ServeOptions& options) {
  if (!options.credentials_file) return server::AccessKeys{};
  PAWL_TRY(const json::Document document, read_document(*options.credentials_file));
  const auto invalid = [&] {
    return fail("SERVE_CREDENTIALS_INVALID", "The file does not map access key ids to secrets.",
                "Write {\"KEY_ID\": \"its secret\"}.", *options.credentials_file);
  };
  if (!document.root.is_object() || document.root.size() == 0) return invalid();
  server::AccessKeys keys;
  for (const json::Member& member : document.root.members()) {
    const bool has_secret = member.value.is_string() && !member.value.as_string().empty();
    if (!has_secret || member.key.as_string().empty()) return invalid();
    keys.emplace(member.key.as_string(), member.value.as_string());
  }
  return keys;
}

Result<server::ServerOptions> to_server_options(const ServeOptions& options) {
  PAWL_TRY(const Address address, parse_listen(options.listen));
  server::ServerOptions given;
  given.directory = options.directory;
  given.host = address.host;
  given.port = address.port;
  given.region = options.region;
  given.account = options.account;
  given.version = PAWL_VERSION;
  given.engine.shards = options.shards;
  PAWL_TRY(given.tasks, read_targets(options));
  PAWL_TRY(given.keys, read_keys(options));
  return given;
}

void print_banner(const server::Server& server, const ServeOptions& options) {
  const std::string directory = std::filesystem::absolute(options.directory).lexically_normal().string();
  if (options.json) {
    json::ObjectBuilder banner;
    banner.set("url", Value::string(server.url()));
    banner.set("dataDirectory", Value::string(directory));
    banner.set("durability", Value::string(kDurability));
    banner.set("version", Value::string(PAWL_VERSION));
    return complain(json::print(banner.build()) + "\n");
  }
  complain("pawl " PAWL_VERSION " serves " + server.url() + "\n");
  complain("  data directory: " + directory + "\n");
  complain("  durability: " + std::string(kDurability) + "\n");
}

void wait_for(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  ended.wait(lock, stop, [] { return false; });
}

}  // namespace

int serve(const ServeOptions& options) {
  auto given = to_server_options(options);
  const std::stop_source stop;
  const InterruptWatcher interrupt(stop);
  auto server = given ? server::Server::start(std::move(*given)) : std::unexpected(given.error());
  if (!server) {
    report(server.error(), options.json);
    return kExitRefused;
  }
  print_banner(**server, options);
  wait_for(stop.get_token());
  (*server)->stop(kDrainTime);
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
