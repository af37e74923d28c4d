// Where two values differ, in words.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace pawl::cases {

using json::Value;

inline constexpr size_t kDifferencesMax = 20;       // of one comparison; more are counted, not shown
inline constexpr size_t kShownValueBytesMax = 300;  // of a value in a difference

// One line for each place: `output /a/0: expected 1, got 2`. Objects are compared without regard to order, numbers by
// value.
void compare(const std::string& what, const Value& expected, const Value& actual,
             std::vector<std::string>& differences);

// For lists whose order tells a story: both in full, and the first place where they part.
void compare_lists(const std::string& what, const Value& expected, const Value& actual,
                   std::vector<std::string>& differences);

}  // namespace pawl::cases
