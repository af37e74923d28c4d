#include "lang/serverless/options.h"

#include "text/assignment.h"

namespace pawl::serverless {

Result<void> Options::set(std::string_view assignment) {
  const auto assigned = text::split_assignment(assignment);
  if (!assigned) return std::unexpected(assigned.error());
  if (assigned->key == "state_filter") return text::set_choice(keyed_state_filter, *assigned, "raw", "keyed");
  if (assigned->key == "jsonpath") return text::set_choice(strict_jayway, *assigned, "serverless", "jayway");
  return text::unknown_option(*assigned, "jsonpath, state_filter");
}

}  // namespace pawl::serverless
