#include "lang/serverless/options.h"

#include <string>

namespace pawl::serverless {
namespace {

Result<void> set_choice(bool& target, std::string_view key, std::string_view value, std::string_view off,
                        std::string_view on) {
  if (value != off && value != on)
    return fail("OPTION_INVALID",
                "\"" + std::string(value) + "\" is no value for the option \"" + std::string(key) + "\".",
                "Use \"" + std::string(off) + "\" or \"" + std::string(on) + "\".");
  target = value == on;
  return {};
}

}  // namespace

Result<void> Options::set(std::string_view assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    return fail("OPTION_INVALID", "\"" + std::string(assignment) + "\" has no value.", "Write it as KEY=VALUE.");
  const std::string_view key = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  if (key == "state_filter") return set_choice(keyed_state_filter, key, value, "raw", "keyed");
  if (key == "jsonpath") return set_choice(strict_jayway, key, value, "serverless", "jayway");
  return fail("OPTION_UNKNOWN", "There is no option \"" + std::string(key) + "\".",
              "Use one of jsonpath, state_filter.");
}

}  // namespace pawl::serverless
