// Any bytes are refused or read as requests, the same ones whether they come at once or in pieces; a request that is
// read is checked for its signature, which any bytes may claim. The first byte is the size of the pieces.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "net/http_server_parser.h"
#include "net/sigv4.h"

using namespace pawl;
using namespace pawl::net;

namespace {

// Takes all requests from the bytes, as a connection does, with at most `piece_size` new bytes at a time. Stops before
// one that is refused.
std::vector<HttpServerRequest> read_all(std::string_view bytes, size_t piece_size) {
  std::vector<HttpServerRequest> requests;
  std::optional<server::RequestParser> parser;
  std::string kept;
  while (!bytes.empty()) {
    kept.append(bytes.substr(0, piece_size));
    bytes.remove_prefix(std::min(piece_size, bytes.size()));
    while (!kept.empty()) {
      if (!parser) parser.emplace(HttpServerLimits());
      std::string_view rest = kept;
      const server::error_code error = parser->feed(rest);
      kept.erase(0, kept.size() - rest.size());
      if (error == server::http::error::need_more) break;
      if (error) return requests;
      if (parser->is_header_done() && parser->objection()) return requests;
      if (!parser->is_done()) continue;
      requests.push_back(std::move(parser->request));
      parser.reset();
    }
  }
  return requests;
}

void check_same(const HttpServerRequest& a, const HttpServerRequest& b) {
  PAWL_ASSERT(a.method == b.method && a.target == b.target && a.body == b.body, a.target, b.target);
  PAWL_ASSERT(a.headers.size() == b.headers.size(), a.headers.size(), b.headers.size());
  for (size_t i = 0; i < a.headers.size(); ++i)
    PAWL_ASSERT(a.headers.name(i) == b.headers.name(i) && a.headers.value(i) == b.headers.value(i), i);
}

void check_signature(const HttpServerRequest& request) {
  SigV4Policy policy;
  policy.secret_of = [](std::string_view) { return std::optional<std::string>("a secret that nobody knows"); };
  const auto verified =
      verify_sigv4({request.method, request.target, request.headers, request.body}, policy, Timestamp());
  PAWL_ASSERT(!verified && !verified.error().code.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto at_once = read_all(bytes, bytes.size() + 1);
  const auto in_pieces = read_all(bytes, static_cast<size_t>(data[0]) + 1);
  PAWL_ASSERT(at_once.size() == in_pieces.size(), at_once.size(), in_pieces.size());
  for (size_t i = 0; i < at_once.size(); ++i) check_same(at_once[i], in_pieces[i]);
  for (const HttpServerRequest& request : at_once) check_signature(request);
  return 0;
}
