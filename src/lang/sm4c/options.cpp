#include "lang/sm4c/options.h"

#include "text/assignment.h"

namespace pawl::sm4c {

Result<void> Options::set(std::string_view assignment) {
  const auto assigned = text::split_assignment(assignment);
  if (!assigned) return std::unexpected(assigned.error());
  if (assigned->key == "sm4c.wait") return text::set_choice(waits_always, *assigned, "declared", "always");
  if (assigned->key == "sm4c.exit_on_end") return text::set_choice(exits_on_end, *assigned, "false", "true");
  return text::unknown_option(*assigned, "sm4c.exit_on_end, sm4c.wait");
}

}  // namespace pawl::sm4c
