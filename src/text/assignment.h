// KEY=VALUE, as the options of the languages are set.
#pragma once

#include <string_view>

#include "base/result.h"

namespace pawl::text {

struct Assignment {
  std::string_view key;
  std::string_view value;
};

// Error: OPTION_INVALID where it has no value.
Result<Assignment> split_assignment(std::string_view text);

// Sets a switch with two positions. Error: OPTION_INVALID.
Result<void> set_choice(bool& target, const Assignment& assignment, std::string_view off, std::string_view on);

// `allowed` says what the value may be: "a number of seconds"; `names` are the options there are.
std::unexpected<Error> invalid_option(const Assignment& assignment, std::string_view allowed);
std::unexpected<Error> unknown_option(const Assignment& assignment, std::string_view names);

}  // namespace pawl::text
