#include "net/url.h"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>

namespace pawl::net {

namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

std::unexpected<Error> bad_url(std::string what) {
  return fail("HTTP_BAD_URL", std::move(what), "Write http://host[:port]/path or https://host[:port]/path.");
}

bool is_printable_ascii(char c) { return c > 0x20 && c < 0x7F; }

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_ip_address(const std::string& host, int family) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(family, host.c_str(), bytes) == 1;
}

Result<uint16_t> parse_port(std::string_view text) {
  uint32_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0 || port > 65535)
    return bad_url("The port of the URL is not a number from 1 to 65535.");
  return static_cast<uint16_t>(port);
}

// "[::1]:80" or "host:80" -> the host, and what follows it.
Result<std::string_view> split_host(std::string_view authority, Url& url) {
  if (authority.starts_with('[')) {
    const size_t close = authority.find(']');
    if (close == std::string_view::npos) return bad_url("The URL's IPv6 address has no closing bracket.");
    url.host = authority.substr(1, close - 1);
    url.is_address = true;
    if (!is_ip_address(url.host, AF_INET6)) return bad_url("The URL has brackets around what is no IPv6 address.");
    return authority.substr(close + 1);
  }
  const size_t colon = std::min(authority.find(':'), authority.size());
  url.host = authority.substr(0, colon);
  if (url.host.empty()) return bad_url("The URL has no host.");
  if (!std::ranges::all_of(url.host, is_host_character))
    return bad_url("The URL's host has a character that no host has.");
  url.is_address = is_ip_address(url.host, AF_INET);
  return authority.substr(colon);
}

Result<void> parse_authority(std::string_view authority, Url& url) {
  if (authority.contains('@'))
    return fail("HTTP_BAD_URL", "The URL holds a user name or a password.", "Send credentials in a header.");
  PAWL_TRY(const std::string_view rest, split_host(authority, url));
  url.host_header = authority;
  url.port = url.secure ? 443 : 80;
  if (rest.empty()) return {};
  if (!rest.starts_with(':')) return bad_url("The URL has something other than a port after its host.");
  PAWL_TRY(url.port, parse_port(rest.substr(1)));
  return {};
}

}  // namespace

bool is_http_url(std::string_view text) { return text.starts_with(kHttp) || text.starts_with(kHttps); }

Result<Url> parse_url(std::string_view text) {
  if (text.size() > kUrlBytesMax) return bad_url("The URL is longer than 8192 bytes.");
  if (!is_http_url(text)) return bad_url("The URL begins with neither http:// nor https://.");
  if (!std::ranges::all_of(text, is_printable_ascii))
    return bad_url("The URL has a blank, a control character or one outside of ASCII; these are written as %XX.");
  Url url;
  url.secure = text.starts_with(kHttps);
  text.remove_prefix(url.secure ? kHttps.size() : kHttp.size());
  text = text.substr(0, text.find('#'));
  const size_t authority_end = std::min(text.find_first_of("/?"), text.size());
  if (auto parsed = parse_authority(text.substr(0, authority_end), url); !parsed)
    return std::unexpected(parsed.error());
  const std::string_view target = text.substr(authority_end);
  url.target = target.starts_with('/') ? std::string(target) : "/" + std::string(target);
  return url;
}

}  // namespace pawl::net
