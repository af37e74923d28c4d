// Beast's parser, writing what it finds straight into the request. Only for the server's own files.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>

#include "net/http_server.h"

namespace pawl::net::server {

namespace http = boost::beast::http;
using boost::system::error_code;

inline constexpr size_t kBodyReserveMax = 64 * 1024;  // what a Content-Length may claim before the bytes are there
inline constexpr size_t kChunkedEndSize = std::string_view("0\r\n\r\n").size();

// One request; the next one needs another parser.
class RequestParser final : public http::basic_parser<true> {
 public:
  explicit RequestParser(const HttpServerLimits& limits) {
    header_limit(limits.header_bytes_max);
    body_limit(limits.body_bytes_max);
  }

  HttpServerRequest request;
  bool is_http_1_0 = false;

  // Takes bytes from the front, a part of the request at a time. need_more: what is left must come again, with more
  // behind it. Beast asserts that the end of a chunked body comes in at least five bytes, so fewer are never shown to
  // it.
  error_code feed(std::string_view& bytes) {
    if (is_header_done() && chunked() && bytes.size() < kChunkedEndSize) return http::error::need_more;
    error_code error;
    bytes.remove_prefix(put({bytes.data(), bytes.size()}, error));
    return error;
  }

  // Status and message where the header, though well-formed, is not one to serve.
  std::optional<std::pair<int, std::string_view>> objection() const {
    if (hosts_ > 1 || (hosts_ == 0 && !is_http_1_0)) return std::pair(400, "A request has one Host header.");
    if (strange_encoding_) return std::pair(501, "The only Transfer-Encoding is chunked.");
    if (expects_ && !expects_continue_) return std::pair(417, "The only Expect is 100-continue.");
    return std::nullopt;
  }
  bool expects_continue() const { return expects_continue_ && !is_http_1_0; }

 private:
  using View = boost::beast::string_view;

  void on_request_impl(http::verb, View method, View target, int version, error_code&) override {
    request.method.assign(method.data(), method.size());
    request.target.assign(target.data(), target.size());
    is_http_1_0 = version == 10;
  }
  void on_response_impl(int, View, int, error_code&) override {}
  void on_field_impl(http::field field, View name, View value, error_code&) override {
    if (has_header_) return;  // a trailer; what it says must not change what was decided by the header
    hosts_ += field == http::field::host;
    if (field == http::field::transfer_encoding) strange_encoding_ |= !equals_ignoring_case(value, "chunked");
    if (field == http::field::expect) {
      expects_ = true;
      expects_continue_ = equals_ignoring_case(value, "100-continue");
    }
    request.headers.add(name, value);
  }
  void on_header_impl(error_code&) override { has_header_ = true; }
  void on_body_init_impl(const boost::optional<uint64_t>& length, error_code&) override {
    if (length) request.body.reserve(std::min<uint64_t>(*length, kBodyReserveMax));
  }
  size_t on_body_impl(View bytes, error_code&) override {
    request.body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_chunk_header_impl(uint64_t, View, error_code&) override {}
  size_t on_chunk_body_impl(uint64_t, View bytes, error_code& error) override { return on_body_impl(bytes, error); }
  void on_finish_impl(error_code&) override {}

  bool has_header_ = false;
  unsigned hosts_ = 0;
  bool strange_encoding_ = false;
  bool expects_ = false;
  bool expects_continue_ = false;
};

// What a client that sends no valid request hears.
inline HttpServerResponse answer_of(const error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return error_answer(431, "The headers are larger than the limit. Send less, or raise it.");
  if (error == http::error::body_limit)
    return error_answer(413, "The body is larger than the limit. Send less, or raise it.");
  return error_answer(400, "The request is no HTTP/1.1.");
}

}  // namespace pawl::net::server
