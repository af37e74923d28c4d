// `pawl serve`: a server on a data directory, until a signal ends it.
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/interrupt.h"
#include "cli/serving.h"
#include "json/print.h"
#include "server/configuration.h"
#include "server/functions.h"
#include "server/server.h"

namespace pawl::cli {

namespace {

using json::Value;
using server::Configuration;

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

Result<connect::TaskTargets> read_targets(const Configuration& configuration) {
  if (configuration.tasks_file.empty()) return connect::TaskTargets{};
  PAWL_TRY(connect::TaskTargets targets, read_task_targets(configuration.tasks_file));
  for (const connect::TaskTarget& target : targets)
    if (!target.command.empty() && !configuration.allow_exec)
      return fail("SERVE_EXEC_OFF",
                  "'" + target.pattern + "' is mapped to a command, which a server runs only where it is allowed to.",
                  "Give --allow-exec, or map it to an HTTP endpoint.", configuration.tasks_file);
  return targets;
}

// {"AKID…": "secret", …}
Result<server::AccessKeys> read_keys(const std::string& file) {
  PAWL_TRY(const json::Document document, read_document(file));
  const auto invalid = [&] {
    return fail("SERVE_CREDENTIALS_INVALID", "The file does not map access key ids to secrets.",
                "Write {\"KEY_ID\": \"its secret\"}.", file);
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

Result<Configuration> read_configuration_file(const std::string& file) {
  PAWL_TRY(const json::Document document, read_document(file));
  const std::string folder = std::filesystem::path(file).parent_path().string();
  auto configuration = server::read_configuration({document, folder, environment_variable});
  if (!configuration) return std::unexpected(in_file(configuration.error(), file));
  return configuration;
}

template <typename T, typename Given>
void prefer(T& place, const std::optional<Given>& given) {
  if (given) place = *given;
}

// What the command line says wins over the file.
Result<Configuration> merge_options(const ServeOptions& options) {
  Configuration configuration;
  if (options.config_file) {
    PAWL_TRY(configuration, read_configuration_file(*options.config_file));
  }
  prefer(configuration.listen, options.listen);
  prefer(configuration.tasks_file, options.tasks_file);
  configuration.allow_exec |= options.allow_exec;
  prefer(configuration.mocks_file, options.mocks_file);
  server::ServerOptions& server = configuration.server;
  prefer(server.directory, options.directory);
  prefer(server.region, options.region);
  prefer(server.account, options.account);
  prefer(server.engine.shards, options.shards);
  if (options.log_level) server.logging.level = *server::parse_log_level(*options.log_level);
  if (options.log_format) server.logging.format = *server::parse_log_format(*options.log_format);
  if (options.credentials_file) {
    PAWL_TRY(server.keys, read_keys(*options.credentials_file));
  }
  return configuration;
}

// The words of a command, as a shell would take them, but for everything that it would replace. None where a quote is
// not closed.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool is_inside = false;
  for (const char c : text) {
    const bool is_end = quote == 0 && c == ' ';
    const bool is_quote = quote == 0 ? c == '\'' || c == '"' : c == quote;
    if (!is_end && !is_inside) words.emplace_back();
    is_inside = !is_end;
    if (is_quote) quote = quote == 0 ? c : 0;
    if (!is_end && !is_quote) words.back().push_back(c);
  }
  return quote == 0 ? words : std::vector<std::string>();
}

Result<void> add_function(const std::string& given, bool is_durable, server::ServerOptions& server) {
  const size_t equals = std::min(given.find('='), given.size());
  server::ServedFunction function;
  function.command.function = given.substr(0, equals);
  function.command.arguments = split_words(std::string_view(given).substr(std::min(equals + 1, given.size())));
  const auto named = server::Arns::parse_function(function.command.function);
  const bool is_name = named && named->name == function.command.function;
  if (!is_name || function.command.arguments.empty())
    return fail("SERVE_FUNCTION_INVALID",
                "'" + given + "' is no name (letters, digits, - and _) and command, with its quotes closed.",
                "Write --function order=build/bin/order.", is_durable ? "--function" : "--plain-function");
  function.configuration = server::function_members({.is_durable = is_durable});
  std::erase_if(server.functions, [&](const server::ServedFunction& known) {
    return known.command.function == function.command.function;
  });
  server.functions.push_back(std::move(function));
  return {};
}

Result<void> add_functions(const ServeOptions& options, server::ServerOptions& server) {
  for (const std::string& given : options.functions)
    if (auto added = add_function(given, true, server); !added) return added;
  for (const std::string& given : options.plain_functions)
    if (auto added = add_function(given, false, server); !added) return added;
  return {};
}

Result<Configuration> configure(const ServeOptions& options) {
  PAWL_TRY(Configuration configuration, merge_options(options));
  server::ServerOptions& server = configuration.server;
  if (server.directory.empty())
    return fail("SERVE_NO_DATA", "Nothing says where the data directory is.",
                "Give --data DIR, or the key `data` of the configuration.", "--data");
  PAWL_TRY(const Address address, parse_listen(configuration.listen));
  server.host = address.host;
  server.port = address.port;
  server.version = PAWL_VERSION;
  PAWL_TRY(server.tasks, read_targets(configuration));
  if (!configuration.mocks_file.empty()) {
    PAWL_TRY(const json::Document mocks, read_document(configuration.mocks_file));
    server.mocks = mocks.root;
  }
  if (auto added = add_functions(options, server); !added) return std::unexpected(added.error());
  if (options.virtual_time) server.virtual_now = SystemClock().now();
  return configuration;
}

void print_banner(const server::Server& server, const std::string& given_directory, bool as_json) {
  const std::string directory = std::filesystem::absolute(given_directory).lexically_normal().string();
  if (as_json) {
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
  return serve_while(options, [](const server::Server&, const std::stop_token& stop) { wait_for(stop); });
}

int serve_while(const ServeOptions& options, const ServerWork& work) {
  auto configuration = configure(options);
  const std::stop_source stop;
  const InterruptWatcher interrupt(stop);
  auto server = configuration ? server::Server::start(configuration->server) : std::unexpected(configuration.error());
  if (!server) {
    report(server.error(), options.json);
    return kExitRefused;
  }
  print_banner(**server, configuration->server.directory, options.json);
  server::Log& log = (*server)->log();
  log.write(server::LogLevel::kInfo, "server started",
            {{"url", (*server)->url()}, {"data", configuration->server.directory}, {"version", PAWL_VERSION}});
  work(**server, stop.get_token());
  log.write(server::LogLevel::kInfo, "server stops", {});
  (*server)->stop(configuration->drain_time);
  log.write(server::LogLevel::kInfo, "server stopped", {});
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
