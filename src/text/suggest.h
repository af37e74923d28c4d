// "Did you mean …?"
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace pawl::text {

inline constexpr size_t kSuggestBytesMax = 128;  // longer words get no suggestion, so that the work is bounded

// The candidate that a mistyped word most likely stands for: the fewest inserted, removed, replaced and swapped
// characters, whatever their case; of equals the first. Empty where nothing is near (more than a third of the word
// would change).
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace pawl::text
