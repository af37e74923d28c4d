#include "connect/task_map.h"

#include <algorithm>
#include <array>

#include "json/pointer.h"
#include "json/position.h"
#include "net/url.h"
#include "text/suggest.h"

namespace pawl::connect {

using json::Value;

namespace {

constexpr size_t kSecretBytesMin = 4;  // shorter ones would strike out half of every text
constexpr double kTimeoutSecondsMax = 99'999'999;
constexpr std::string_view kConnectionMark = ":connection/";  // in the ARNs of connections

// pets.yaml#getPet without who stands in for it: the operation itself is called, with the headers.
bool is_operation_alone(std::string_view pattern, const Value& source) {
  const auto has = [&](std::string_view field) { return source.find(field) != nullptr; };
  return pattern.contains('#') && !has("http") && !has("grpc") && !has("exec");
}
constexpr std::array<std::string_view, 5> kFields = {"http", "grpc", "exec", "headers", "timeout"};

// What gRPC takes for the name and the value of metadata.
bool is_metadata(std::string_view name, std::string_view value) {
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  const auto is_shown = [](char c) { return c >= ' ' && c <= '~'; };
  return !name.empty() && !name.ends_with("-bin") && std::ranges::all_of(name, is_name) &&
         std::ranges::all_of(value, is_shown);
}

// Reads one file. Every error says where it stands.
class Reader {
 public:
  Reader(const json::Document& document, const Environment& environment)
      : document_(document), environment_(environment) {}

  Result<TaskTargets> read() const {
    if (!document_.root.is_object()) return invalid("", "A file of tasks is an object: each Resource with its target.");
    TaskTargets targets;
    for (const json::Member& member : document_.root.members()) {
      const std::string_view pattern = member.key.as_string();
      const std::string pointer = json::child_pointer("", pattern);
      const bool is_connection = pattern.contains(kConnectionMark) || is_operation_alone(pattern, member.value);
      PAWL_TRY(TaskTarget target,
               is_connection ? read_connection(member.value, pointer) : read_target(member.value, pointer));
      target.pattern = pattern;
      targets.push_back(std::move(target));
    }
    return targets;
  }

 private:
  std::string place(const std::string& pointer) const {
    const Position position = document_.positions.value_at(pointer);
    return position.line == 0 ? pointer : json::to_string(position) + " " + pointer;
  }

  std::unexpected<Error> invalid(const std::string& pointer, std::string what) const {
    return fail("TASKS_INVALID", std::move(what),
                "Write {http: URL}, {grpc: grpc://host:port} or {exec: [command, …]}; see docs/tasks.md.",
                place(pointer));
  }

  Result<TaskTarget> read_target(const Value& source, const std::string& pointer) const {
    if (!source.is_object()) return invalid(pointer, "The target of a Resource is an object.");
    if (auto known = check_fields(source, pointer); !known) return std::unexpected(known.error());
    const bool has_http = source.find("http") != nullptr;
    const bool has_grpc = source.find("grpc") != nullptr;
    const bool has_exec = source.find("exec") != nullptr;
    if (int{has_http} + int{has_grpc} + int{has_exec} != 1)
      return invalid(pointer, "A target has one of http, grpc and exec.");
    TaskTarget target;
    auto read = has_http   ? read_http(source, pointer, target)
                : has_grpc ? read_grpc(source, pointer, target)
                           : read_exec(source, pointer, target);
    if (!read) return std::unexpected(read.error());
    PAWL_TRY(target.timeout, read_timeout(source.find("timeout"), pointer));
    return target;
  }

  Result<TaskTarget> read_connection(const Value& source, const std::string& pointer) const {
    const bool has_headers_only = source.is_object() && source.size() == 1 && source.find("headers") != nullptr;
    if (!has_headers_only) return invalid(pointer, "A connection has headers, and nothing else.");
    TaskTarget target;
    if (auto read = read_headers(source, pointer, target); !read) return std::unexpected(read.error());
    return target;
  }

  Result<void> check_fields(const Value& source, const std::string& pointer) const {
    for (const json::Member& member : source.members()) {
      const std::string_view key = member.key.as_string();
      if (std::ranges::find(kFields, key) != kFields.end()) continue;
      const std::string_view near = text::nearest(key, kFields);
      return fail("TASKS_UNKNOWN_FIELD", "A target has no field '" + std::string(key) + "'.",
                  near.empty() ? "It has http, grpc or exec, headers and timeout."
                               : "Did you mean '" + std::string(near) + "'?",
                  place(json::child_pointer(pointer, key)));
    }
    return {};
  }

  Result<void> read_http(const Value& source, const std::string& pointer, TaskTarget& target) const {
    const std::string here = pointer + "/http";
    PAWL_TRY(target.url, read_text(*source.find("http"), here, target));
    if (auto url = net::parse_url(target.url->text); !url)
      return fail(url.error().code, url.error().what, url.error().fix, place(here));
    return read_headers(source, pointer, target);
  }

  Result<void> read_grpc(const Value& source, const std::string& pointer, TaskTarget& target) const {
    const std::string here = pointer + "/grpc";
    PAWL_TRY(target.grpc, read_text(*source.find("grpc"), here, target));
    const std::string_view address = target.grpc->text;
    const size_t scheme = address.starts_with("grpc://") ? 7 : address.starts_with("grpcs://") ? 8 : 0;
    const size_t port = address.rfind(':');
    const bool is_address = scheme > 0 && port > scheme && port + 1 < address.size();
    if (!is_address) return invalid(here, "An address is grpc://host:port, or grpcs://host:port with TLS.");
    if (auto read = read_headers(source, pointer, target); !read) return read;
    for (const auto& [name, value] : target.headers)
      if (!is_metadata(name, value.text))
        return invalid(json::child_pointer(pointer + "/headers", name),
                       "Metadata has names of letters, digits, '-', '_' and '.', and values of ASCII.");
    return {};
  }

  Result<void> read_headers(const Value& source, const std::string& pointer, TaskTarget& target) const {
    const Value* headers = source.find("headers");
    if (headers == nullptr) return {};
    if (!headers->is_object()) return invalid(pointer + "/headers", "The headers are an object.");
    for (const json::Member& member : headers->members()) {
      const std::string at = json::child_pointer(pointer + "/headers", member.key.as_string());
      PAWL_TRY(Secretive value, read_text(member.value, at, target));
      target.headers.emplace_back(std::string(member.key.as_string()), std::move(value));
    }
    return {};
  }

  Result<void> read_exec(const Value& source, const std::string& pointer, TaskTarget& target) const {
    const std::string here = pointer + "/exec";
    const Value& words = *source.find("exec");
    if (source.find("headers") != nullptr) return invalid(pointer + "/headers", "A command has no headers.");
    if (!words.is_array() || words.size() == 0) return invalid(here, "exec is a list: the command and its arguments.");
    for (size_t i = 0; i < words.size(); ++i) {
      PAWL_TRY(Secretive word, read_text(words.at(i), json::child_pointer(here, i), target));
      if (word.text.contains('\0'))
        return invalid(json::child_pointer(here, i), "An argument holds the character NUL.");
      target.command.push_back(std::move(word));
    }
    return {};
  }

  Result<std::optional<Duration>> read_timeout(const Value* timeout, const std::string& pointer) const {
    if (timeout == nullptr) return std::nullopt;
    const double seconds = timeout->is_number() ? timeout->as_double() : 0;
    if (!(seconds > 0) || seconds > kTimeoutSecondsMax)
      return invalid(pointer + "/timeout", "A timeout is a number of seconds above 0.");
    return std::max(Duration(1), Duration(static_cast<int64_t>(seconds * 1000)));
  }

  // A string with its ${NAME}s filled in; "$$" stays as it is.
  Result<Secretive> read_text(const Value& source, const std::string& pointer, TaskTarget& target) const {
    if (!source.is_string()) return invalid(pointer, "This is no string.");
    const std::string_view written = source.as_string();
    Secretive result{"", std::string(written)};
    for (size_t at = 0; at < written.size();) {
      const size_t begin = std::min(written.find("${", at), written.size());
      result.text += written.substr(at, begin - at);
      if (begin == written.size()) break;
      const size_t end = written.find('}', begin);
      if (end == std::string_view::npos) return invalid(pointer, "A ${ has no closing brace.");
      PAWL_TRY(const std::string value, look_up(std::string(written.substr(begin + 2, end - begin - 2)), pointer));
      result.text += value;
      target.secrets.push_back(value);
      at = end + 1;
    }
    return result;
  }

  Result<std::string> look_up(const std::string& name, const std::string& pointer) const {
    if (auto value = environment_(name)) return *value;
    return fail("TASKS_ENV_MISSING", "The environment has no variable '" + name + "'.", "Set it: export " + name + "=…",
                place(pointer));
  }

  const json::Document& document_;
  const Environment& environment_;
};

}  // namespace

Result<TaskTargets> read_task_map(const json::Document& document, const Environment& environment) {
  return Reader(document, environment).read();
}

std::string strike_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kSecretBytesMin) continue;
    for (size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
      text.replace(at, secret.size(), "***");
  }
  return text;
}

}  // namespace pawl::connect
