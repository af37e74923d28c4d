// Random ids, for what need not be the same on a replay.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace pawl::durable::detail {

std::string random_uuid();
// The text of a version 4 UUID with these bits.
std::string format_uuid(std::uint64_t high, std::uint64_t low);

}  // namespace pawl::durable::detail
