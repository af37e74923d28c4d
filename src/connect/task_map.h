// The file of --tasks: which Resource is answered by which HTTP endpoint, gRPC server or command, and which headers a
// connection brings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/parse.h"

namespace pawl::connect {

// A text with ${NAME}s replaced by the environment's values. Those values are secrets: `written` is what may be shown.
struct Secretive {
  std::string text;
  std::string written;
};

// A target without URL, address and command is a connection: headers for requests that a state or an OpenAPI document
// describes.
struct TaskTarget {
  std::string pattern;  // a Resource or a connection's ARN, exact or with '*'
  std::optional<Secretive> url;
  std::optional<Secretive> grpc;  // grpc://host:port, or grpcs:// for TLS
  std::vector<std::pair<std::string, Secretive>> headers;
  std::vector<Secretive> command;
  std::optional<Duration> timeout;
  std::vector<std::string> secrets;  // the values to strike from what is shown

  bool is_connection() const { return !url && !grpc && command.empty(); }
};

using TaskTargets = std::vector<TaskTarget>;
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Errors: TASKS_INVALID, TASKS_UNKNOWN_FIELD, TASKS_ENV_MISSING; `where` is "line:column pointer".
Result<TaskTargets> read_task_map(const json::Document& document, const Environment& environment);

// `text` with each of the secrets (of four characters or more) replaced by "***".
std::string strike_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace pawl::connect
