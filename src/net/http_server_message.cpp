#include "net/http_server_message.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ctime>

namespace pawl::net {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}
bool is_value_character(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F); }

bool is_safe_header(std::string_view name, std::string_view value) {
  return !name.empty() && std::ranges::all_of(name, is_name_character) &&
         std::ranges::all_of(value, is_value_character);
}

std::string_view reason_of(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
  }
  return "Status";
}

void append_number(std::string& out, uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  out.append(digits, end);
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  if (!is_safe_header(name, value)) return;
  out.append(name).append(": ").append(value).append("\r\n");
}

// A body of unknown length comes in chunks, or, for a client that knows none, until the connection closes.
void append_length(std::string& out, const HttpServerResponse& response, bool is_http_1_0) {
  if (response.source != nullptr) {
    if (!is_http_1_0) append_header(out, "Transfer-Encoding", "chunked");
    return;
  }
  out.append("Content-Length: ");
  append_number(out, response.body.size());
  out.append("\r\n");
}

}  // namespace

void HttpHeaders::add(std::string_view name, std::string_view value) {
  entries_.push_back(
      {static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(name.size()), static_cast<uint32_t>(value.size())});
  bytes_.append(name).append(value);
}

std::optional<std::string_view> HttpHeaders::find(std::string_view name) const {
  for (size_t i = 0; i < entries_.size(); ++i)
    if (equals_ignoring_case(this->name(i), name)) return value(i);
  return std::nullopt;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::ranges::equal(a, b, {}, lower, lower);
}

namespace {

// What a client can tell refusals apart by, before anything looked at what the request is about.
std::string_view code_of(int status) {
  if (status == 403) return "HTTP_FORBIDDEN";
  if (status == 404) return "HTTP_NOT_FOUND";
  if (status == 408) return "HTTP_REQUEST_TOO_SLOW";
  if (status == 413) return "HTTP_BODY_TOO_LARGE";
  if (status == 431) return "HTTP_HEADERS_TOO_LARGE";
  if (status == 500) return "HTTP_NOT_ANSWERED";
  if (status == 503) return "HTTP_CONNECTIONS_FULL";
  return "HTTP_REQUEST_INVALID";
}

}  // namespace

HttpServerResponse error_answer(int status, std::string_view message) {
  HttpServerResponse response;
  response.status = status;
  response.body.append(R"({"code":")").append(code_of(status));
  response.body.append(R"(","message":")").append(message).append("\"}");
  return response;
}

bool status_has_body(int status) { return status >= 200 && status != 204 && status != 304; }

void append_head(std::string& out, const HttpServerResponse& response, const HeadOptions& options) {
  out.append("HTTP/1.1 ");
  append_number(out, static_cast<uint64_t>(response.status));
  out.append(" ").append(reason_of(response.status)).append("\r\n");
  if (!options.date.empty()) append_header(out, "Date", options.date);
  if (status_has_body(response.status)) {
    if (!response.content_type.empty()) append_header(out, "Content-Type", response.content_type);
    append_length(out, response, options.is_http_1_0);
  }
  if (!options.keep_alive) out.append("Connection: close\r\n");
  if (options.keep_alive && options.is_http_1_0) out.append("Connection: keep-alive\r\n");
  for (const auto& [name, value] : response.headers) append_header(out, name, value);
  out.append("\r\n");
}

std::string http_date(int64_t seconds_since_1970) {
  const time_t time = seconds_since_1970;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[40];
  const size_t size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return std::string(text, size);
}

}  // namespace pawl::net
