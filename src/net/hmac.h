// Message authentication: who holds the key can tell its own texts from others.
#pragma once

#include <string>
#include <string_view>

namespace pawl::net {

inline constexpr size_t kHmacBytes = 32;
inline constexpr size_t kSha256Bytes = 32;

// SHA-256, as bytes.
std::string sha256(std::string_view text);

// HMAC-SHA-256, as bytes.
std::string hmac_sha256(std::string_view key, std::string_view text);

// Compares without telling by its time where two texts differ.
bool equal_in_constant_time(std::string_view a, std::string_view b);

// So many bytes from the system's source of secrets.
std::string random_secret(size_t bytes);

}  // namespace pawl::net
