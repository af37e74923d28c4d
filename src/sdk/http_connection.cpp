#include "sdk/http_connection.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "sdk/transport.h"

namespace pawl::durable::detail {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

template <typename Number>
Number number_of(std::string_view text, int base, const char* what) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc() || end != text.data() + text.size()) throw HttpError(what);
  return number;
}

void parse_head(HttpResponse& response, std::string_view head) {
  std::size_t end = head.find('\n');
  const std::string_view first = trimmed(head.substr(0, end));
  if (!first.starts_with("HTTP/1.") || first.size() < 12) throw HttpError("the answer is not HTTP/1.1");
  response.status = number_of<int>(first.substr(9, 3), 10, "the answer has no status");
  head.remove_prefix(std::min(head.size(), end + 1));
  while (!head.empty()) {
    end = std::min(head.find('\n'), head.size());
    const std::string_view line = trimmed(head.substr(0, end));
    head.remove_prefix(std::min(head.size(), end + 1));
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) throw HttpError("a header of the answer has no name");
    response.headers.emplace_back(lower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1))));
  }
}

}  // namespace

std::string percent_encode(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[static_cast<unsigned char>(c) & 15];
    }
  }
  return out;
}

std::string Endpoint::authority() const {
  const bool standard = port == (tls ? 443 : 80);
  return standard ? host : host + ":" + std::to_string(port);
}

Endpoint Endpoint::parse(std::string_view url) {
  Endpoint endpoint;
  if (url.starts_with("https://")) {
    endpoint.tls = true;
  } else if (!url.starts_with("http://")) {
    throw std::invalid_argument("\"" + std::string(url) + "\" is no http:// or https:// address");
  }
  url.remove_prefix(endpoint.tls ? 8 : 7);
  const std::size_t slash = std::min(url.find('/'), url.size());
  endpoint.base_path = std::string(url.substr(slash));
  while (!endpoint.base_path.empty() && endpoint.base_path.back() == '/') endpoint.base_path.pop_back();
  const std::string_view authority = url.substr(0, slash);
  const std::size_t colon = authority.rfind(':');
  const bool has_port = colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos;
  endpoint.host = std::string(authority.substr(0, has_port ? colon : authority.size()));
  if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  endpoint.port = endpoint.tls ? 443 : 80;
  if (has_port) {
    const std::string_view digits = authority.substr(colon + 1);
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), endpoint.port);
    if (problem != std::errc() || end != digits.data() + digits.size())
      throw std::invalid_argument("\"" + std::string(digits) + "\" is no port");
  }
  if (endpoint.host.empty()) throw std::invalid_argument("the address has no host");
  return endpoint;
}

std::string_view HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

HttpConnection::HttpConnection(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
HttpConnection::~HttpConnection() = default;
HttpConnection::HttpConnection(HttpConnection&&) noexcept = default;

HttpResponse HttpConnection::call(const HttpRequest& request, Deadline deadline) {
  std::string text = request.method + " " + endpoint_.base_path + request.target +
                     " HTTP/1.1\r\nHost: " + endpoint_.authority() + "\r\n";
  for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
  if (request.method != "GET") text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  text += "\r\n" + request.body;
  const bool reused = transport_ != nullptr;
  try {
    return exchange(text, deadline);
  } catch (const HttpError&) {
    transport_ = nullptr;
    if (!reused || answered_ || std::chrono::steady_clock::now() >= deadline) throw;
  }
  try {
    return exchange(text, deadline);
  } catch (const HttpError&) {
    transport_ = nullptr;
    throw;
  }
}

HttpResponse HttpConnection::exchange(const std::string& text, Deadline deadline) {
  answered_ = false;
  buffer_.clear();
  if (!transport_) transport_ = connect_to(endpoint_, deadline);
  transport_->write(text, deadline);
  HttpResponse response;
  do {
    response = HttpResponse();
    parse_head(response, read_head(deadline));
  } while (response.status == 100);
  read_body(response, deadline);
  if (lower(response.header("connection")) == "close") transport_ = nullptr;
  return response;
}

std::string HttpConnection::read_head(Deadline deadline) {
  std::size_t end = 0;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (buffer_.size() > kHeaderBytesMax) throw HttpError("the headers of the answer are too long");
    fill_some(deadline);
  }
  std::string head = buffer_.substr(0, end + 4);
  buffer_.erase(0, end + 4);
  return head;
}

void HttpConnection::read_body(HttpResponse& response, Deadline deadline) {
  if (response.status == 204 || response.status == 304) return;
  if (lower(response.header("transfer-encoding")) == "chunked") return read_chunks(response, deadline);
  const std::string_view length = response.header("content-length");
  if (length.empty()) throw HttpError("the answer has no length");
  const auto bytes = number_of<std::size_t>(length, 10, "the answer's length is no number");
  if (bytes > kBodyBytesMax) throw HttpError("the answer is too long");
  fill(bytes, deadline);
  response.body = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
}

void HttpConnection::read_chunks(HttpResponse& response, Deadline deadline) {
  for (;;) {
    const std::string line = read_line(deadline);
    const auto bytes = number_of<std::size_t>(trimmed(std::string_view(line).substr(0, line.find(';'))), 16,
                                              "a chunk of the answer has no length");
    if (bytes > kBodyBytesMax || response.body.size() + bytes > kBodyBytesMax)
      throw HttpError("the answer is too long");
    if (bytes == 0) break;
    fill(bytes + 2, deadline);
    response.body.append(buffer_, 0, bytes);
    buffer_.erase(0, bytes + 2);
  }
  while (!trimmed(read_line(deadline)).empty()) {
  }
}

std::string HttpConnection::read_line(Deadline deadline) {
  std::size_t end = 0;
  while ((end = buffer_.find('\n')) == std::string::npos) {
    if (buffer_.size() > kHeaderBytesMax) throw HttpError("a line of the answer is too long");
    fill_some(deadline);
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return line;
}

void HttpConnection::fill(std::size_t bytes, Deadline deadline) {
  while (buffer_.size() < bytes) fill_some(deadline);
}

void HttpConnection::fill_some(Deadline deadline) {
  std::array<char, 16 * 1024> bytes;
  const std::size_t got = transport_->read(bytes, deadline);
  if (got == 0) throw HttpError("the service closed the connection");
  answered_ = true;
  buffer_.append(bytes.data(), got);
}

}  // namespace pawl::durable::detail
