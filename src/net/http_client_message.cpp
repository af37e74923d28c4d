#include "net/http_client_message.h"

#include <algorithm>
#include <cctype>

namespace pawl::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

bool is_token_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_value_character(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F); }

}  // namespace

// What is given is written as it is: a line break in a value would begin another header.
Result<void> check_headers(const HttpRequest& request) {
  for (const auto& [name, value] : request.headers) {
    if (name.empty() || !std::ranges::all_of(name, is_token_character))
      return fail("HTTP_BAD_HEADER", "A header's name has a character that none may have.",
                  "Use letters, digits and '-'.");
    if (!std::ranges::all_of(value, is_value_character))
      return fail("HTTP_BAD_HEADER", "The value of the header '" + name + "' has a control character.",
                  "Leave out line breaks and other control characters.");
  }
  return {};
}

HttpResponse to_response(http::response<http::string_body>&& message) {
  HttpResponse response;
  response.status = message.result_int();
  response.reason = message.reason();
  for (const auto& field : message.base()) {
    std::string name(field.name_string());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    response.headers.emplace_back(std::move(name), std::string(field.value()));
  }
  response.body = std::move(message.body());
  return response;
}

namespace {

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// The last one with the name counts; those that frame the message are made here.
bool is_sent(const HttpRequest& request, size_t at) {
  const std::string& name = request.headers[at].first;
  if (is_same_name(name, "Content-Length") || is_same_name(name, "Transfer-Encoding")) return false;
  for (size_t later = at + 1; later < request.headers.size(); ++later)
    if (is_same_name(name, request.headers[later].first)) return false;
  return true;
}

bool has_header(const HttpRequest& request, std::string_view name) {
  return std::ranges::any_of(request.headers, [&](const auto& header) { return is_same_name(header.first, name); });
}

}  // namespace

std::string make_head(const HttpRequest& request, const Url& url, bool keep_alive) {
  std::string head = request.method + " " + url.target + " HTTP/1.1\r\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!has_header(request, "Host")) add("Host", url.host_header);
  if (!keep_alive && !has_header(request, "Connection")) add("Connection", "close");
  for (size_t i = 0; i < request.headers.size(); ++i)
    if (is_sent(request, i)) add(request.headers[i].first, request.headers[i].second);
  const bool has_body = !request.body.empty() || request.method == "POST" || request.method == "PUT";
  if (has_body) add("Content-Length", std::to_string(request.body.size()));
  return head + "\r\n";
}

std::unexpected<Error> resolve_error(const error_code& error) {
  return fail("HTTP_RESOLVE_FAILED", "The host's name is not known: " + error.message() + ".", "Check the name.");
}

std::unexpected<Error> connect_error(const std::string& why) {
  return fail("HTTP_CONNECT_FAILED", "No connection: " + why + ".", "Check that the server runs there.");
}

std::unexpected<Error> slow_connect_error() {
  return fail("HTTP_CONNECT_FAILED", "No connection in the time for connecting.", "Check that the server runs there.");
}

std::unexpected<Error> tls_error(const error_code& error) {
  return fail("HTTP_TLS", "The TLS handshake failed: " + error.message() + ".",
              "Check the server's certificate and name; SSL_CERT_FILE names further authorities.");
}

std::unexpected<Error> read_error(const error_code& error) {
  if (error == http::error::body_limit || error == http::error::header_limit || error == http::error::buffer_overflow)
    return fail("HTTP_TOO_LARGE", "The answer is larger than the limit.", "Answer with less, or raise the limit.");
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error.category() == asio::error::get_system_category())
    return fail("HTTP_CONNECTION_LOST", "The connection ended before the answer did.", "Look at the server's log.");
  return fail("HTTP_BAD_ANSWER", "The answer is not HTTP: " + error.message() + ".",
              "Check that the port speaks HTTP.");
}

std::unexpected<Error> timeout_error() {
  return fail("HTTP_TIMEOUT", "There was no answer in time.", "Raise the timeout, or look at the server.");
}

void prepare_tls(SSL* tls, const Url& url) {
  SSL_set_min_proto_version(tls, TLS1_2_VERSION);
  if (!url.is_address) SSL_set_tlsext_host_name(tls, url.host.c_str());
}

}  // namespace pawl::net
