// An http(s) URL in its parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::net {

inline constexpr size_t kUrlBytesMax = 8192;

struct Url {
  bool secure = false;  // https
  std::string host;     // without the brackets of an IPv6 address
  uint16_t port = 80;
  std::string target;       // path and query, "/" at least; the fragment is dropped
  std::string host_header;  // as the Host header says it
  bool is_address = false;  // the host is an IP address

  friend bool operator==(const Url&, const Url&) = default;
};

// Error: HTTP_BAD_URL. User names and passwords in a URL are refused: they would end up in logs.
Result<Url> parse_url(std::string_view text);

bool is_http_url(std::string_view text);  // begins with http:// or https://

}  // namespace pawl::net
