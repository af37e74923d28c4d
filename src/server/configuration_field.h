// One value of the configuration file, read as what its key wants.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "json/parse.h"

namespace pawl::server {

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// What all values of one file share.
struct ConfigurationSource {
  const json::Document& document;
  std::string folder;  // relative paths are seen from here
  Environment environment;
};

// Errors: CONFIG_TYPE where the value is of another type, CONFIG_RANGE where it is outside its limits,
// CONFIG_ENV_MISSING; `where` is "line:column pointer". No error tells a text that came from the environment.
class ConfigurationField {
 public:
  ConfigurationField(const ConfigurationSource& source, const json::Value& value, std::string pointer)
      : source_(source), value_(value), pointer_(std::move(pointer)) {}

  const json::Value& value() const { return value_; }
  const std::string& pointer() const { return pointer_; }
  ConfigurationField child(const json::Value& value, std::string_view name) const;
  ConfigurationField child(const json::Value& value, size_t index) const;

  Result<bool> flag() const;
  Result<std::string> text() const;  // not empty; with its ${NAME}s filled in from the environment
  Result<std::string> path() const;
  Result<uint64_t> integer(uint64_t least, uint64_t most) const;
  // 10, 10s, 500ms, 15m, 12h, 90d.
  Result<Duration> duration(Duration least, Duration most) const;
  // 1024, 32KiB, 4MiB, 1GiB.
  Result<uint64_t> bytes(uint64_t least, uint64_t most) const;

  std::string place() const;
  std::string key_place() const;
  std::unexpected<Error> wrong_type(std::string_view wanted) const;
  std::unexpected<Error> out_of_range(const std::string& allowed) const;

 private:
  // A whole number and the unit behind it; a bare number has none.
  std::optional<std::pair<uint64_t, std::string_view>> quantity() const;

  const ConfigurationSource& source_;
  const json::Value& value_;
  std::string pointer_;
};

}  // namespace pawl::server
