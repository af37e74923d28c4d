// A hash that is the same on every machine and in every version, so that it can be stored: 64-bit FNV-1a.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl {

inline constexpr uint64_t kFnvBasis = 0xcbf29ce484222325;

// Goes on from `hash`, so that several texts can be hashed as one.
constexpr uint64_t hash_fnv(std::string_view text, uint64_t hash = kFnvBasis) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace pawl
