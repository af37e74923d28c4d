// Where an HTTP/1.1 message ends: as much of the protocol as the benchmarks' own client and worker need.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include <strings.h>

namespace pawl::bench {

inline constexpr std::string_view kHeadEnd = "\r\n\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// The value of a header; empty where there is none.
inline std::string_view header(std::string_view head, std::string_view name) {
  for (size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at + 2)) {
    const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    const bool matches = line.size() > name.size() && line[name.size()] == ':' &&
                         ::strncasecmp(line.data(), name.data(), name.size()) == 0;
    if (!matches) continue;
    const size_t begin = line.find_first_not_of(' ', name.size() + 1);
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
  }
  return {};
}

// The bytes of the first message in the buffer, head and body; none where it is not whole yet.
inline std::optional<size_t> message_bytes(std::string_view buffer) {
  const size_t end = buffer.find(kHeadEnd);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view head = buffer.substr(0, end);
  const size_t body = end + kHeadEnd.size();
  if (header(head, "transfer-encoding") == "chunked") {
    const size_t last = buffer.find(kLastChunk, body);
    return last == std::string_view::npos ? std::nullopt : std::optional(last + kLastChunk.size());
  }
  size_t length = 0;
  const std::string_view text = header(head, "content-length");
  std::from_chars(text.data(), text.data() + text.size(), length);
  return buffer.size() < body + length ? std::nullopt : std::optional(body + length);
}

// Of an answer: "HTTP/1.1 200 OK".
inline int status_of(std::string_view answer) {
  int status = 0;
  if (answer.size() > 12) std::from_chars(answer.data() + 9, answer.data() + 12, status);
  return status;
}

}  // namespace pawl::bench
