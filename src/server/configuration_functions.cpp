#include "server/configuration_functions.h"

#include <algorithm>
#include <array>

#include "server/functions.h"
#include "text/suggest.h"

namespace pawl::server {

namespace {

using Field = ConfigurationField;
using std::chrono::hours;
using std::chrono::seconds;

constexpr uint32_t kProcessesMax = 1'000;
constexpr uint32_t kSlotsMax = 10'000;
constexpr uint64_t kMemoryMin = 16ULL * 1024 * 1024;
constexpr uint64_t kMemoryMax = 1024ULL * 1024 * 1024 * 1024;

struct Draft {
  connect::FunctionCommand command;
  FunctionSettings settings;
};

Result<void> read_command(const Field& field, Draft& out) {
  if (!field.value().is_array() || field.value().size() == 0)
    return field.wrong_type("a command: a list of its program and arguments");
  for (size_t i = 0; i < field.value().size(); ++i) {
    PAWL_TRY(std::string word, field.child(field.value().at(i), i).text());
    out.command.arguments.push_back(std::move(word));
  }
  return {};
}

Result<void> read_environment(const Field& field, Draft& out) {
  if (!field.value().is_object()) return field.wrong_type("names of variables with their values");
  for (const json::Member& member : field.value().members()) {
    PAWL_TRY(std::string value, field.child(member.value, member.key.as_string()).text());
    out.command.environment.emplace_back(member.key.as_string(), std::move(value));
  }
  return {};
}

template <typename T, typename Given>
Result<void> put(T& place, const Result<Given>& given) {
  if (!given) return std::unexpected(given.error());
  place = static_cast<T>(*given);
  return {};
}

struct Key {
  std::string_view name;
  Result<void> (*read)(const Field&, Draft&);
};

constexpr std::array kKeys = {
    Key{"command", read_command},
    Key{"directory", [](const Field& f, Draft& d) { return put(d.command.directory, f.path()); }},
    Key{"environment", read_environment},
    Key{"processes", [](const Field& f, Draft& d) { return put(d.command.processes, f.integer(1, kProcessesMax)); }},
    Key{"slots", [](const Field& f, Draft& d) { return put(d.command.slots, f.integer(1, kSlotsMax)); }},
    Key{"memory",
        [](const Field& f, Draft& d) { return put(d.command.memory_bytes_max, f.bytes(kMemoryMin, kMemoryMax)); }},
    Key{"durable", [](const Field& f, Draft& d) { return put(d.settings.is_durable, f.flag()); }},
    Key{"timeout",
        [](const Field& f, Draft& d) {
          return put(d.settings.timeout, f.duration(seconds(1), seconds(kFunctionSecondsMax)));
        }},
    Key{"execution_timeout",
        [](const Field& f, Draft& d) {
          return put(d.settings.execution_timeout, f.duration(seconds(1), seconds(kExecutionSecondsMax)));
        }},
    Key{"retention_days",
        [](const Field& f, Draft& d) { return put(d.settings.retention_days, f.integer(1, kRetentionDaysMax)); }},
    Key{"operations",
        [](const Field& f, Draft& d) { return put(d.settings.operations_max, f.integer(1, kOperationsMax)); }},
};

std::unexpected<Error> unknown(const Field& field, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Key& key : kKeys) known.push_back(key.name);
  const std::string_view near = text::nearest(name, known);
  return fail("CONFIG_UNKNOWN_KEY", "There is no key '" + std::string(name) + "' here.",
              near.empty() ? "See docs/configuration.md." : "Did you mean '" + std::string(near) + "'?",
              field.key_place());
}

Result<ServedFunction> read_function(const Field& field, std::string_view name) {
  const auto parsed = Arns::parse_function(name);
  if (!parsed || parsed->name != name) return field.wrong_type("functions by their names: letters, digits, - and _");
  if (!field.value().is_object()) return field.wrong_type("a function's keys with their values");
  Draft draft;
  draft.command.function = name;
  for (const json::Member& member : field.value().members()) {
    const Field child = field.child(member.value, member.key.as_string());
    const auto key = std::ranges::find(kKeys, member.key.as_string(), &Key::name);
    if (key == kKeys.end()) return unknown(child, member.key.as_string());
    if (auto read = key->read(child, draft); !read) return std::unexpected(read.error());
  }
  return ServedFunction{std::move(draft.command), function_members(draft.settings)};
}

}  // namespace

Result<void> read_functions(const ConfigurationField& field, Configuration& out) {
  if (!field.value().is_object()) return field.wrong_type("functions by their names");
  for (const json::Member& member : field.value().members()) {
    const std::string_view name = member.key.as_string();
    PAWL_TRY(ServedFunction function, read_function(field.child(member.value, name), name));
    out.server.functions.push_back(std::move(function));
  }
  return {};
}

}  // namespace pawl::server
