// The configuration file of `pawl serve`: YAML or JSON. Every key is on the page docs/configuration.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "server/configuration_field.h"
#include "server/server.h"

namespace pawl::server {

// A server that is configured logs; one that a program makes is quiet until it is told otherwise.
struct Configuration {
  Configuration() { server.logging.level = LogLevel::kInfo; }

  std::string listen = "127.0.0.1:8083";
  std::string tasks_file;  // empty: none
  bool allow_exec = false;
  std::string mocks_file;                          // empty: none
  Duration drain_time = std::chrono::seconds(10);  // for requests that have begun, when the server ends
  ServerOptions server;                            // but its host, port and tasks, which follow from the above
};

// Errors: CONFIG_UNKNOWN_KEY, with the key that was probably meant, and those of ConfigurationField; `where` is
// "line:column pointer".
Result<Configuration> read_configuration(const ConfigurationSource& source);

// The names of all keys, with dots: "tls.key".
std::vector<std::string_view> configuration_keys();

}  // namespace pawl::server
