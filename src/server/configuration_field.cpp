#include "server/configuration_field.h"

#include <array>
#include <charconv>
#include <filesystem>

#include "json/pointer.h"
#include "json/position.h"

namespace pawl::server {

namespace {

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr uint64_t kKibi = 1024;
constexpr std::array<Unit, 6> kTimes = {
    {{"", 1'000}, {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
constexpr std::array<Unit, 4> kSizes = {{{"", 1}, {"KiB", kKibi}, {"MiB", kKibi* kKibi}, {"GiB", kKibi* kKibi* kKibi}}};

// In the units' smallest one; nothing where the unit is unknown or the number too large.
template <size_t N>
std::optional<uint64_t> scaled(std::pair<uint64_t, std::string_view> quantity, const std::array<Unit, N>& units) {
  for (const Unit& unit : units)
    if (unit.name == quantity.second && quantity.first <= INT64_MAX / unit.factor) return quantity.first * unit.factor;
  return std::nullopt;
}

template <size_t N>
std::string in_largest_unit(uint64_t amount, const std::array<Unit, N>& units) {
  const Unit* largest = &units[1];
  for (const Unit& unit : units)
    if (!unit.name.empty() && amount % unit.factor == 0 && unit.factor >= largest->factor) largest = &unit;
  if (amount % largest->factor != 0) return std::to_string(amount);
  return std::to_string(amount / largest->factor) + std::string(largest->name);
}

}  // namespace

ConfigurationField ConfigurationField::child(const json::Value& value, std::string_view name) const {
  return {source_, value, json::child_pointer(pointer_, name)};
}

ConfigurationField ConfigurationField::child(const json::Value& value, size_t index) const {
  return {source_, value, json::child_pointer(pointer_, index)};
}

std::string ConfigurationField::place() const {
  return json::to_string(source_.document.positions.value_at(pointer_)) + " " + pointer_;
}

std::string ConfigurationField::key_place() const {
  return json::to_string(source_.document.positions.key_at(pointer_)) + " " + pointer_;
}

std::unexpected<Error> ConfigurationField::wrong_type(std::string_view wanted) const {
  return fail("CONFIG_TYPE", "This key takes " + std::string(wanted) + ".", "See docs/configuration.md.", place());
}

std::unexpected<Error> ConfigurationField::out_of_range(const std::string& allowed) const {
  return fail("CONFIG_RANGE", "The value is outside its limits.", "Write one " + allowed + ".", place());
}

Result<bool> ConfigurationField::flag() const {
  if (!value_.is_boolean()) return wrong_type("true or false");
  return value_.as_boolean();
}

Result<std::string> ConfigurationField::text() const {
  if (!value_.is_string() || value_.as_string().empty()) return wrong_type("a text");
  const std::string_view written = value_.as_string();
  std::string filled;
  for (size_t at = 0; at < written.size();) {
    const size_t begin = std::min(written.find("${", at), written.size());
    filled += written.substr(at, begin - at);
    if (begin == written.size()) break;
    const size_t end = written.find('}', begin);
    if (end == std::string_view::npos) return wrong_type("a text whose every ${ has its closing brace");
    const std::string name(written.substr(begin + 2, end - begin - 2));
    const auto found = source_.environment(name);
    if (!found)
      return fail("CONFIG_ENV_MISSING", "The environment has no variable '" + name + "'.",
                  "Set it: export " + name + "=…", place());
    filled += *found;
    at = end + 1;
  }
  return filled;
}

Result<std::string> ConfigurationField::path() const {
  PAWL_TRY(const std::string given, text());
  return (std::filesystem::path(source_.folder) / given).lexically_normal().string();
}

Result<uint64_t> ConfigurationField::integer(uint64_t least, uint64_t most) const {
  const auto number = value_.is_number() ? value_.as_integer() : std::nullopt;
  if (!number) return wrong_type("a whole number");
  if (*number < 0 || static_cast<uint64_t>(*number) < least || static_cast<uint64_t>(*number) > most)
    return out_of_range("from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<uint64_t>(*number);
}

std::optional<std::pair<uint64_t, std::string_view>> ConfigurationField::quantity() const {
  if (value_.is_number()) {
    const auto number = value_.as_integer();
    if (!number || *number < 0) return std::nullopt;
    return std::pair(static_cast<uint64_t>(*number), std::string_view());
  }
  if (!value_.is_string()) return std::nullopt;
  const std::string_view text = value_.as_string();
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  return std::pair(number, text.substr(static_cast<size_t>(end - text.data())));
}

Result<Duration> ConfigurationField::duration(Duration least, Duration most) const {
  const auto given = quantity();
  const auto milliseconds = given ? scaled(*given, kTimes) : std::nullopt;
  if (!milliseconds) return wrong_type("a time such as 500ms, 10s, 15m, 12h or 90d");
  const Duration time(static_cast<int64_t>(*milliseconds));
  if (time >= least && time <= most) return time;
  return out_of_range("from " + in_largest_unit(static_cast<uint64_t>(least.count()), kTimes) + " to " +
                      in_largest_unit(static_cast<uint64_t>(most.count()), kTimes));
}

Result<uint64_t> ConfigurationField::bytes(uint64_t least, uint64_t most) const {
  const auto given = quantity();
  const auto size = given ? scaled(*given, kSizes) : std::nullopt;
  if (!size) return wrong_type("a size such as 262144, 32KiB or 4MiB");
  if (*size >= least && *size <= most) return *size;
  return out_of_range("from " + in_largest_unit(least, kSizes) + " to " + in_largest_unit(most, kSizes));
}

}  // namespace pawl::server
