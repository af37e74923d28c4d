#include "lang/sm4c/options.h"

#include <string>

namespace pawl::sm4c {
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
  if (key == "sm4c.wait") return set_choice(waits_always, key, value, "declared", "always");
  if (key == "sm4c.exit_on_end") return set_choice(exits_on_end, key, value, "false", "true");
  return fail("OPTION_UNKNOWN", "There is no option \"" + std::string(key) + "\".",
              "Use one of sm4c.exit_on_end, sm4c.wait.");
}

}  // namespace pawl::sm4c
