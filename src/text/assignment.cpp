#include "text/assignment.h"

#include <string>

namespace pawl::text {

namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

Result<Assignment> split_assignment(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    return fail("OPTION_INVALID", quoted(text) + " has no value.", "Write it as KEY=VALUE.");
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

Result<void> set_choice(bool& target, const Assignment& assignment, std::string_view off, std::string_view on) {
  if (assignment.value != off && assignment.value != on)
    return invalid_option(assignment, quoted(off) + " or " + quoted(on));
  target = assignment.value == on;
  return {};
}

std::unexpected<Error> invalid_option(const Assignment& assignment, std::string_view allowed) {
  return fail("OPTION_INVALID",
              quoted(assignment.value) + " is no value for the option " + quoted(assignment.key) + ".",
              "Use " + std::string(allowed) + ".");
}

std::unexpected<Error> unknown_option(const Assignment& assignment, std::string_view names) {
  return fail("OPTION_UNKNOWN", "There is no option " + quoted(assignment.key) + ".",
              "Use one of " + std::string(names) + ".");
}

}  // namespace pawl::text
