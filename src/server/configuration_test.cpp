#include "server/configuration.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/print.h"
#include "net/hmac.h"
#include "text/yaml.h"

namespace pawl::server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<Configuration> read(const std::string& text) {
  auto document = text::parse_definition(text);
  if (!document) return std::unexpected(document.error());
  const Environment environment = [](const std::string& name) {
    return name == "SECRET" ? std::optional<std::string>("swordfish-swordfish") : std::nullopt;
  };
  return read_configuration({*document, "/etc/pawl", environment});
}

Error error_of(const std::string& text) {
  const auto configuration = read(text);
  return configuration ? Error{} : configuration.error();
}

TEST(ReadConfiguration, TakesEveryKey) {
  const auto read_all = read(R"(
listen: 0.0.0.0:9000
data: data
region: eu-north-1
account: "123456789012"
shards: 4
retention: 30d
drain_time: 1m
http: {threads: 2}
limits:
  header_size: 16KiB
  body_size: 8MiB
  connections: 100
  header_time: 5s
  body_time: 6
  idle_time: 7000ms
  write_time: 8s
  payload_size: 1MiB
  history_events: 50000
  waiting_starts: 500
  loaded_executions: 600
tasks: {file: tasks.yaml, allow_exec: true}
credentials: {AKID: "${SECRET}"}
tokens:
  - {name: grafana, role: read, token: "0123456789abcdef"}
tls: {certificate: /c.pem, key: k.pem}
logging: {level: debug, format: text}
events:
  keep: 5s
  remember: 1h
  sinks:
    - {name: audit, url: "http://audit:80/in", mode: binary, headers: {Authorization: "Bearer ${SECRET}"}}
    - {name: other, url: "https://other/"}
)");
  ASSERT_TRUE(read_all) << to_string(read_all.error());
  const ServerOptions& server = read_all->server;
  EXPECT_EQ(read_all->listen, "0.0.0.0:9000");
  EXPECT_EQ(server.directory, "/etc/pawl/data") << "seen from the file's folder";
  EXPECT_EQ(server.region + server.account, "eu-north-1123456789012");
  EXPECT_EQ(server.engine.shards, 4u);
  EXPECT_EQ(server.engine.retention, std::chrono::hours(24 * 30));
  EXPECT_EQ(read_all->drain_time, std::chrono::minutes(1));
  EXPECT_EQ(server.http_threads, 2u);
  EXPECT_EQ(server.http_limits.header_bytes_max, 16u * 1024);
  EXPECT_EQ(server.http_limits.body_bytes_max, 8u * 1024 * 1024);
  EXPECT_EQ(server.http_limits.connections_max, 100u);
  EXPECT_EQ(server.http_limits.header_time_max, Duration(5000));
  EXPECT_EQ(server.http_limits.body_time_max, Duration(6000)) << "a bare number is seconds";
  EXPECT_EQ(server.http_limits.idle_time_max, Duration(7000));
  EXPECT_EQ(server.http_limits.write_time_max, Duration(8000));
  EXPECT_EQ(server.engine.limits.payload_bytes_max, 1024u * 1024);
  EXPECT_EQ(server.engine.limits.events_max, 50'000u);
  EXPECT_EQ(server.engine.mailbox_max, 500u);
  EXPECT_EQ(server.engine.loaded_max, 600u);
  EXPECT_EQ(read_all->tasks_file, "/etc/pawl/tasks.yaml");
  EXPECT_TRUE(read_all->allow_exec);
  EXPECT_EQ(server.keys.at("AKID"), "swordfish-swordfish");
  EXPECT_THAT(server.tokens, ElementsAre(AccessToken{"grafana", Role::kRead, net::sha256("0123456789abcdef")}));
  EXPECT_EQ(server.tls.certificate_file, "/c.pem");
  EXPECT_EQ(server.tls.key_file, "/etc/pawl/k.pem");
  EXPECT_EQ(server.logging.level, LogLevel::kDebug);
  EXPECT_EQ(server.logging.format, LogFormat::kText);
  EXPECT_EQ(server.engine.events_keep, Duration(5000));
  EXPECT_EQ(server.engine.events_remember, std::chrono::hours(1));
  EXPECT_THAT(
      server.event_sinks,
      ElementsAre(
          connect::EventSink{"audit", "http://audit:80/in", true, {{"Authorization", "Bearer swordfish-swordfish"}}},
          connect::EventSink{"other", "https://other/", false, {}}));
}

TEST(ReadConfiguration, TakesFunctions) {
  const auto configuration = read(R"(
functions:
  order: {command: [bin/order, --fast], directory: work, environment: {KEY: "${SECRET}"}, processes: 2, slots: 8,
          memory: 64MiB, timeout: 10s, execution_timeout: 1h, retention_days: 7, operations: 3000}
  plain: {durable: false}
)");
  ASSERT_TRUE(configuration.has_value()) << to_string(configuration.error());
  const auto& functions = configuration->server.functions;
  ASSERT_EQ(functions.size(), 2U);
  EXPECT_EQ(functions[0].command.function, "order");
  EXPECT_THAT(functions[0].command.arguments, ElementsAre("bin/order", "--fast"));
  EXPECT_EQ(functions[0].command.directory, "/etc/pawl/work");
  EXPECT_EQ(functions[0].command.environment[0].second, "swordfish-swordfish");
  EXPECT_EQ(functions[0].command.processes, 2U);
  EXPECT_EQ(functions[0].command.slots, 8U);
  EXPECT_EQ(functions[0].command.memory_bytes_max, 64U * 1024 * 1024);
  EXPECT_EQ(
      json::print(functions[0].configuration),
      R"({"Timeout":10,"DurableConfig":{"ExecutionTimeout":3600,"RetentionPeriodInDays":7,"OperationsMax":3000}})");
  EXPECT_EQ(json::print(functions[1].configuration), R"({"Timeout":900})");
}

TEST(ReadConfiguration, RefusesFunctionsThatAreNone) {
  for (const char* text : {"functions: []", "functions: {order: 1}", "functions: {'a b': {}}",
                           "functions: {order: {command: bin/order}}", "functions: {order: {command: []}}"})
    EXPECT_EQ(error_of(text).code, "CONFIG_TYPE") << text;
  EXPECT_THAT(error_of("functions: {order: {comand: [a]}}").fix, HasSubstr("'command'"));
  EXPECT_EQ(error_of("functions: {order: {timeout: 16m}}").code, "CONFIG_RANGE");
}

TEST(ReadConfiguration, RefusesAnUnknownKeyWithItsPlaceAndTheOneThatWasMeant) {
  const Error error = error_of("region: x\nlimits:\n  boddy_size: 1MiB\n");
  EXPECT_EQ(error.code, "CONFIG_UNKNOWN_KEY");
  EXPECT_EQ(error.where, "3:3 /limits/boddy_size");
  EXPECT_THAT(error.fix, HasSubstr("'body_size'"));
  EXPECT_THAT(error_of("lisen: x").fix, HasSubstr("'listen'"));
  EXPECT_THAT(error_of("tokens: [{name: a, rle: read}]").fix, HasSubstr("'role'"));
  EXPECT_THAT(error_of("events: {sinks: [{name: a, ulr: b}]}").fix, HasSubstr("'url'"));
}

TEST(ReadConfiguration, RefusesValuesOfAnotherType) {
  for (const char* text : {"listen: 8083",
                           "shards: many",
                           "shards: 1.5",
                           "shards: [1]",
                           "retention: soon",
                           "retention: 5y",
                           "limits: 5",
                           "limits: {body_size: 4MB}",
                           "limits: {body_size: -1}",
                           "tasks: {allow_exec: 1}",
                           "credentials: [a]",
                           "credentials: {AKID: 5}",
                           "tokens: {}",
                           "tokens: [x]",
                           "events: {sinks: {}}",
                           "events: {sinks: [{name: a}]}",
                           "events: {sinks: [{name: a, url: ftp://b/}]}",
                           "events: {sinks: [{name: a, url: 'http://b/', mode: loud}]}",
                           "events: {sinks: [{name: a, url: 'http://b/'}, {name: a, url: 'http://c/'}]}",
                           "tokens: [{name: a, role: read}]",
                           "logging: {level: loud}",
                           "tokens: [{name: a, role: root, token: 0123456789abcdef}]",
                           "[1]",
                           "data: \"${SECRET\""})
    EXPECT_EQ(error_of(text).code, "CONFIG_TYPE") << text;
}

TEST(ReadConfiguration, RefusesValuesOutsideTheirLimits) {
  EXPECT_THAT(error_of("shards: 0").fix, HasSubstr("from 1 to 64"));
  EXPECT_THAT(error_of("limits: {body_size: 1}").fix, HasSubstr("from 1KiB to 1GiB"));
  EXPECT_THAT(error_of("limits: {idle_time: 2h}").fix, HasSubstr("from 1ms to 1h"));
  EXPECT_EQ(error_of("shards: -1").code, "CONFIG_RANGE");
  EXPECT_EQ(error_of("retention: 99999999d").code, "CONFIG_RANGE");
}

TEST(ReadConfiguration, RefusesAVariableThatTheEnvironmentLacks) {
  const Error error = error_of("credentials: {AKID: \"${NONE}\"}");
  EXPECT_EQ(error.code, "CONFIG_ENV_MISSING");
  EXPECT_THAT(error.what, HasSubstr("NONE"));
}

TEST(ReadConfiguration, TellsNoSecretInItsErrors) {
  const std::string token = "tokens: [{name: a, role: rad, token: \"${SECRET}\"}]";
  EXPECT_THAT(to_string(error_of(token)), Not(HasSubstr("swordfish")));
  EXPECT_THAT(to_string(error_of("tokens: [{name: a, role: read, token: short-secret}]")), Not(HasSubstr("secret")));
  EXPECT_THAT(to_string(error_of("tokens: [{name: a, role: read, token: \"sha256:secret\"}]")),
              Not(HasSubstr("secret")));
}

// The rows of the page's tables: | `key` | default | …
std::map<std::string, std::string> documented_keys() {
  std::ifstream file(PAWL_SOURCE_DIR "/docs/configuration.md");
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const size_t end = line.find("` | ");
    const size_t begin = end + 4;
    rows[line.substr(3, end - 3)] = line.substr(begin, line.find(" |", begin) - begin);
  }
  return rows;
}

TEST(ConfigurationPage, HasEveryKeyAndNoOther) {
  std::set<std::string> documented;
  for (const auto& [key, otherwise] : documented_keys())
    if (!key.starts_with("CONFIG_") && !key.starts_with("TOKEN_")) documented.insert(key);
  std::set<std::string> known;
  for (const std::string_view key : configuration_keys()) known.emplace(key);
  EXPECT_EQ(documented, known);
}

// `key: default` for one key, in its sections.
std::string as_yaml(const std::string& key, const std::string& value) {
  const size_t dot = key.find('.');
  if (dot == std::string::npos) return key + ": " + value;
  return key.substr(0, dot) + ": {" + key.substr(dot + 1) + ": " + value + "}";
}

// Everything that has a default, as one text.
std::string summary(const Configuration& c) {
  std::ostringstream out;
  const ServerOptions& s = c.server;
  const net::HttpServerLimits& h = s.http_limits;
  out << c.listen << ' ' << c.allow_exec << ' ' << c.drain_time.count() << ' ' << s.region << ' ' << s.account << ' '
      << s.engine.shards << ' ' << s.engine.retention.count() << ' ' << s.http_threads << ' ' << h.header_bytes_max
      << ' ' << h.body_bytes_max << ' ' << h.connections_max << ' ' << h.header_time_max.count() << ' '
      << h.body_time_max.count() << ' ' << h.idle_time_max.count() << ' ' << h.write_time_max.count() << ' '
      << s.engine.limits.payload_bytes_max << ' ' << s.engine.limits.events_max << ' ' << s.engine.mailbox_max << ' '
      << s.engine.loaded_max << ' ' << to_string(s.logging.level) << ' ' << static_cast<int>(s.logging.format);
  return out.str();
}

TEST(ConfigurationPage, TellsTheDefaults) {
  for (const auto& [key, otherwise] : documented_keys()) {
    if (!otherwise.starts_with("`")) continue;
    const auto written = read(as_yaml(key, otherwise.substr(1, otherwise.size() - 2)));
    ASSERT_TRUE(written) << key << ": " << to_string(written.error());
    EXPECT_EQ(summary(*written), summary(Configuration())) << key;
  }
}

}  // namespace
}  // namespace pawl::server
