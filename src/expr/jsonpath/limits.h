// The bounds of parsing and evaluating a path, beside kPathBytesMax and kPathSegmentsMax (path.h) and those of regex.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pawl::jsonpath::internal {

inline constexpr uint32_t kFilterDepthMax = 32;  // filters, parentheses, negations and function calls within each other

// Values looked at in one evaluation, which bounds its time and its memory. $..*..*..* soon has more.
inline constexpr uint64_t kVisitedNodesMax = 5'000'000;

}  // namespace pawl::jsonpath::internal
