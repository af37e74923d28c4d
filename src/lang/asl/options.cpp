#include "lang/asl/options.h"

#include <charconv>
#include <string>

namespace pawl::asl {
namespace {

std::unexpected<Error> invalid(std::string_view key, std::string_view value, std::string_view allowed) {
  return fail("OPTION_INVALID",
              "\"" + std::string(value) + "\" is no value for the option \"" + std::string(key) + "\".",
              "Use " + std::string(allowed) + ".");
}

Result<void> set_choice(bool& target, std::string_view assignment, size_t equals, std::string_view off,
                        std::string_view on) {
  const std::string_view value = assignment.substr(equals + 1);
  if (value != off && value != on)
    return invalid(assignment.substr(0, equals), value, "\"" + std::string(off) + "\" or \"" + std::string(on) + "\"");
  target = value == on;
  return {};
}

Result<void> set_task_timeout(std::optional<int64_t>& target, std::string_view value) {
  int64_t seconds = 0;
  const char* end = value.data() + value.size();
  const auto [rest, failure] = std::from_chars(value.data(), end, seconds);
  if (failure != std::errc() || rest != end || seconds < 1 || seconds > kTaskTimeoutSecondsMax)
    return invalid("task_timeout", value, "a number of seconds from 1 to " + std::to_string(kTaskTimeoutSecondsMax));
  target = seconds;
  return {};
}

}  // namespace

Result<void> Options::set(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  const std::string_view key = assignment.substr(0, equals);
  if (equals == std::string_view::npos)
    return fail("OPTION_INVALID", "\"" + std::string(assignment) + "\" has no value.", "Write it as KEY=VALUE.");
  if (key == "errors") return set_choice(spec_errors, assignment, equals, "aws", "spec");
  if (key == "type") return set_choice(express, assignment, equals, "standard", "express");
  if (key == "task_timeout") return set_task_timeout(task_timeout_seconds, assignment.substr(equals + 1));
  return fail("OPTION_UNKNOWN", "There is no option \"" + std::string(key) + "\".",
              "Use one of errors, task_timeout, type.");
}

}  // namespace pawl::asl
