#include "lang/asl/options.h"

#include <charconv>
#include <string>

#include "text/assignment.h"

namespace pawl::asl {
namespace {

Result<void> set_task_timeout(std::optional<int64_t>& target, const text::Assignment& assignment) {
  const std::string_view value = assignment.value;
  int64_t seconds = 0;
  const char* end = value.data() + value.size();
  const auto [rest, failure] = std::from_chars(value.data(), end, seconds);
  if (failure != std::errc() || rest != end || seconds < 1 || seconds > kTaskTimeoutSecondsMax)
    return text::invalid_option(assignment, "a number of seconds from 1 to " + std::to_string(kTaskTimeoutSecondsMax));
  target = seconds;
  return {};
}

}  // namespace

Result<void> Options::set(std::string_view assignment) {
  const auto assigned = text::split_assignment(assignment);
  if (!assigned) return std::unexpected(assigned.error());
  if (assigned->key == "errors") return text::set_choice(spec_errors, *assigned, "aws", "spec");
  if (assigned->key == "type") return text::set_choice(express, *assigned, "standard", "express");
  if (assigned->key == "task_timeout") return set_task_timeout(task_timeout_seconds, *assigned);
  return text::unknown_option(*assigned, "errors, task_timeout, type");
}

}  // namespace pawl::asl
