#include "server/configuration.h"

#include <algorithm>
#include <array>
#include <concepts>

#include "net/url.h"
#include "server/configuration_functions.h"
#include "text/suggest.h"

namespace pawl::server {

namespace {

using Field = ConfigurationField;
using json::Value;
using std::chrono::hours;
using std::chrono::seconds;

constexpr Duration kMillisecond{1};
constexpr Duration kTimeLimitMax = hours(1);  // of one step of a request
constexpr Duration kRetentionMax = hours(24 * 36'500);
constexpr uint64_t kKiB = 1024;
constexpr uint64_t kMiB = 1024 * kKiB;

template <typename T>
Result<void> put(T& place, Result<std::type_identity_t<T>> given) {
  if (!given) return std::unexpected(std::move(given).error());
  place = *std::move(given);
  return {};
}
template <std::integral T>
  requires(!std::same_as<T, uint64_t> && !std::same_as<T, bool>)
Result<void> put(T& place, Result<uint64_t> given) {
  if (!given) return std::unexpected(std::move(given).error());
  place = static_cast<T>(*given);
  return {};
}

// {KEY_ID: its secret, …}
Result<void> read_credentials(const Field& field, Configuration& out) {
  if (!field.value().is_object()) return field.wrong_type("access key ids with their secrets");
  for (const json::Member& member : field.value().members()) {
    PAWL_TRY(std::string secret, field.child(member.value, member.key.as_string()).text());
    out.server.keys.emplace(member.key.as_string(), std::move(secret));
  }
  return {};
}

std::unexpected<Error> unknown(const Field& field, std::string_view key, std::span<const std::string_view> known) {
  const std::string_view near = text::nearest(key, known);
  return fail("CONFIG_UNKNOWN_KEY", "There is no key '" + std::string(key) + "' here.",
              near.empty() ? "See docs/configuration.md." : "Did you mean '" + std::string(near) + "'?",
              field.key_place());
}

Result<void> read_token_member(const Field& field, std::string_view name, AccessToken& token) {
  constexpr std::array<std::string_view, 3> kFields = {"name", "role", "token"};
  PAWL_TRY(const std::string text, field.text());
  if (name == "name") return put(token.name, text);
  if (name == "role") {
    const auto role = parse_role(text);
    if (!role) return field.wrong_type("one of read, operate and admin");
    token.role = *role;
    return {};
  }
  if (name != "token") return unknown(field, name, kFields);
  auto digest = read_token_digest(text);
  if (!digest) return fail(digest.error().code, digest.error().what, digest.error().fix, field.place());
  token.digest = *std::move(digest);
  return {};
}

Result<AccessToken> read_token(const Field& field) {
  constexpr std::string_view kWanted = "tokens with name, role and token each";
  if (!field.value().is_object()) return field.wrong_type(kWanted);
  AccessToken token;
  for (const json::Member& member : field.value().members()) {
    const Field child = field.child(member.value, member.key.as_string());
    if (auto read = read_token_member(child, member.key.as_string(), token); !read)
      return std::unexpected(read.error());
  }
  const bool has_role = field.value().find("role") != nullptr;
  if (token.name.empty() || token.digest.empty() || !has_role) return field.wrong_type(kWanted);
  return token;
}

Result<void> read_tokens(const Field& field, Configuration& out) {
  if (!field.value().is_array()) return field.wrong_type("a list of tokens");
  for (size_t i = 0; i < field.value().size(); ++i) {
    PAWL_TRY(AccessToken token, read_token(field.child(field.value().at(i), i)));
    out.server.tokens.push_back(std::move(token));
  }
  return {};
}

Result<void> read_sink_headers(const Field& field, connect::EventSink& sink) {
  if (!field.value().is_object()) return field.wrong_type("names of headers with their values");
  for (const json::Member& member : field.value().members()) {
    PAWL_TRY(std::string value, field.child(member.value, member.key.as_string()).text());
    sink.headers.emplace_back(member.key.as_string(), std::move(value));
  }
  return {};
}

Result<void> read_sink_member(const Field& field, std::string_view name, connect::EventSink& sink) {
  constexpr std::array<std::string_view, 4> kFields = {"name", "url", "mode", "headers"};
  if (name == "headers") return read_sink_headers(field, sink);
  if (std::ranges::find(kFields, name) == kFields.end()) return unknown(field, name, kFields);
  PAWL_TRY(const std::string text, field.text());
  if (name == "name") return put(sink.name, text);
  if (name == "url") return put(sink.url, text);
  if (text != "structured" && text != "binary") return field.wrong_type("structured or binary");
  sink.is_binary = text == "binary";
  return {};
}

Result<connect::EventSink> read_sink(const Field& field) {
  constexpr std::string_view kWanted = "sinks with name and url each";
  if (!field.value().is_object()) return field.wrong_type(kWanted);
  connect::EventSink sink;
  for (const json::Member& member : field.value().members()) {
    const Field child = field.child(member.value, member.key.as_string());
    if (auto read = read_sink_member(child, member.key.as_string(), sink); !read) return std::unexpected(read.error());
  }
  if (sink.name.empty() || sink.url.empty()) return field.wrong_type(kWanted);
  if (!net::parse_url(sink.url)) return field.wrong_type("an http or https URL");
  return sink;
}

Result<void> read_sinks(const Field& field, Configuration& out) {
  if (!field.value().is_array()) return field.wrong_type("a list of sinks");
  for (size_t i = 0; i < field.value().size(); ++i) {
    const Field child = field.child(field.value().at(i), i);
    PAWL_TRY(connect::EventSink sink, read_sink(child));
    if (std::ranges::count(out.server.event_sinks, sink.name, &connect::EventSink::name) != 0)
      return child.wrong_type("a sink with another name than those before");
    out.server.event_sinks.push_back(std::move(sink));
  }
  return {};
}

template <typename T>
Result<void> read_choice(const Field& field, T& place, std::optional<T> (*parse)(std::string_view),
                         std::string_view wanted) {
  PAWL_TRY(const std::string text, field.text());
  const auto parsed = parse(text);
  if (!parsed) return field.wrong_type(wanted);
  place = *parsed;
  return {};
}

struct Key {
  std::string_view name;
  Result<void> (*read)(const Field&, Configuration&);
};

constexpr std::array kKeys = {
    Key{"listen", [](const Field& f, Configuration& c) { return put(c.listen, f.text()); }},
    Key{"data", [](const Field& f, Configuration& c) { return put(c.server.directory, f.path()); }},
    Key{"region", [](const Field& f, Configuration& c) { return put(c.server.region, f.text()); }},
    Key{"account", [](const Field& f, Configuration& c) { return put(c.server.account, f.text()); }},
    Key{"shards", [](const Field& f, Configuration& c) { return put(c.server.engine.shards, f.integer(1, 64)); }},
    Key{"retention",
        [](const Field& f, Configuration& c) {
          return put(c.server.engine.retention, f.duration(seconds(1), kRetentionMax));
        }},
    Key{"drain_time", [](const Field& f, Configuration& c) { return put(c.drain_time, f.duration({}, hours(1))); }},
    Key{"http.threads", [](const Field& f, Configuration& c) { return put(c.server.http_threads, f.integer(1, 64)); }},
    Key{"limits.header_size",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.header_bytes_max, f.bytes(kKiB, kMiB));
        }},
    Key{"limits.body_size",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.body_bytes_max, f.bytes(kKiB, 1024 * kMiB));
        }},
    Key{"limits.connections",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.connections_max, f.integer(1, 1'000'000));
        }},
    Key{"limits.header_time",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.header_time_max, f.duration(kMillisecond, kTimeLimitMax));
        }},
    Key{"limits.body_time",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.body_time_max, f.duration(kMillisecond, kTimeLimitMax));
        }},
    Key{"limits.idle_time",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.idle_time_max, f.duration(kMillisecond, kTimeLimitMax));
        }},
    Key{"limits.write_time",
        [](const Field& f, Configuration& c) {
          return put(c.server.http_limits.write_time_max, f.duration(kMillisecond, kTimeLimitMax));
        }},
    Key{"limits.payload_size",
        [](const Field& f, Configuration& c) {
          return put(c.server.engine.limits.payload_bytes_max, f.bytes(kKiB, 64 * kMiB));
        }},
    Key{"limits.history_events",
        [](const Field& f, Configuration& c) {
          return put(c.server.engine.limits.events_max, f.integer(100, 100'000'000));
        }},
    Key{"limits.waiting_starts",
        [](const Field& f, Configuration& c) { return put(c.server.engine.mailbox_max, f.integer(1, 10'000'000)); }},
    Key{"limits.loaded_executions",
        [](const Field& f, Configuration& c) { return put(c.server.engine.loaded_max, f.integer(1, 10'000'000)); }},
    Key{"tasks.file", [](const Field& f, Configuration& c) { return put(c.tasks_file, f.path()); }},
    Key{"tasks.allow_exec", [](const Field& f, Configuration& c) { return put(c.allow_exec, f.flag()); }},
    Key{"tasks.mocks", [](const Field& f, Configuration& c) { return put(c.mocks_file, f.path()); }},
    Key{"events.keep",
        [](const Field& f, Configuration& c) { return put(c.server.engine.events_keep, f.duration({}, hours(1))); }},
    Key{"events.remember",
        [](const Field& f, Configuration& c) {
          return put(c.server.engine.events_remember, f.duration({}, hours(24)));
        }},
    Key{"events.sinks", read_sinks},
    Key{"functions", read_functions},
    Key{"credentials", read_credentials},
    Key{"tokens", read_tokens},
    Key{"tls.certificate",
        [](const Field& f, Configuration& c) { return put(c.server.tls.certificate_file, f.path()); }},
    Key{"tls.key", [](const Field& f, Configuration& c) { return put(c.server.tls.key_file, f.path()); }},
    Key{"logging.level",
        [](const Field& f, Configuration& c) {
          return read_choice(f, c.server.logging.level, parse_log_level, "debug, info, warning, error or off");
        }},
    Key{"logging.format",
        [](const Field& f,
           Configuration&
               c) { return read_choice(f, c.server.logging.format, parse_log_format, "auto, text or json"); }},
};

// The words that may follow a prefix: "" or "tls.".
std::vector<std::string_view> words_after(std::string_view prefix) {
  std::vector<std::string_view> words;
  for (const Key& key : kKeys) {
    if (!key.name.starts_with(prefix)) continue;
    const std::string_view rest = key.name.substr(prefix.size());
    const std::string_view word = rest.substr(0, rest.find('.'));
    if (words.empty() || words.back() != word) words.push_back(word);
  }
  return words;
}

// A section holds keys or sections: what its prefix says.
Result<void> read_section(const Field& section, const std::string& prefix, Configuration& out) {
  if (!section.value().is_object()) return section.wrong_type("keys with their values");
  const std::vector<std::string_view> words = words_after(prefix);
  for (const json::Member& member : section.value().members()) {
    const std::string_view word = member.key.as_string();
    const Field field = section.child(member.value, word);
    if (std::ranges::find(words, word) == words.end()) return unknown(field, word, words);
    const std::string name = prefix + std::string(word);
    const auto key = std::ranges::find(kKeys, name, &Key::name);
    auto read = key != kKeys.end() ? key->read(field, out) : read_section(field, name + ".", out);
    if (!read) return read;
  }
  return {};
}

}  // namespace

Result<Configuration> read_configuration(const ConfigurationSource& source) {
  Configuration configuration;
  const Field root(source, source.document.root, "");
  if (auto read = read_section(root, "", configuration); !read) return std::unexpected(read.error());
  return configuration;
}

std::vector<std::string_view> configuration_keys() {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) names.push_back(key.name);
  return names;
}

}  // namespace pawl::server
