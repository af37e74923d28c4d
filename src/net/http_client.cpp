// Beast asserts that the end of a chunked body comes in at least five bytes. A server may send fewer at a time, and
// what follows the assertion is right for them too: without this, such an answer would end the process.
#define BOOST_DISABLE_ASSERTS

#include "net/http_client.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "net/http_client_message.h"

namespace pawl::net {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using SteadyTime = std::chrono::steady_clock::time_point;
using TlsStream = asio::ssl::stream<tcp::socket&>;

// One request on a connection of its own. Each step is started, then the loop runs until it is done, the deadline has
// passed or a stop was asked for; the two last close the socket, which ends the step.
class Exchange {
 public:
  Exchange(const HttpRequest& request, const Url& url, std::stop_token stop)
      : request_(request),
        url_(url),
        stop_(std::move(stop)),
        interrupt_(stop_, [this] { loop_.stop(); }),
        started_(std::chrono::steady_clock::now()) {}

  Result<HttpResponse> run() {
    const SteadyTime deadline = started_ + std::min(request_.timeout, request_.connect_timeout);
    if (auto connected = connect(deadline); !connected) return not_connected(connected.error());
    if (!url_.secure) return talk(socket_);
    asio::ssl::context context(asio::ssl::context::tls_client);
    TlsStream stream(socket_, context);
    if (auto secured = secure(context, stream, deadline); !secured) return not_connected(secured.error());
    return talk(stream);
  }

 private:
  // Runs what was started; an error where it was not done in time.
  Result<void> finish(SteadyTime deadline) {
    loop_.restart();
    if (!stop_.stop_requested()) loop_.run_until(deadline);
    const bool done = done_;
    if (!done) abandon();
    if (stop_.stop_requested()) return fail("HTTP_STOPPED", "The request was stopped.");
    if (!done) return timeout_error();
    return {};
  }

  // Connecting has a limit of its own; only the limit of the whole request is a timeout to whoever sent it.
  std::unexpected<Error> not_connected(const Error& error) const {
    const bool time_is_left = std::chrono::steady_clock::now() < started_ + request_.timeout;
    if (error.code != "HTTP_TIMEOUT" || !time_is_left) return std::unexpected(error);
    return slow_connect_error();
  }

  void abandon() {
    error_code ignored;
    resolver_.cancel();
    socket_.close(ignored);
    loop_.restart();
    loop_.run();
  }

  // Hands `start` a handler that notes the error, and runs it to its end.
  template <typename Start>
  Result<error_code> step(SteadyTime deadline, Start start) {
    done_ = false;
    error_code outcome;
    start([&](const error_code& error, const auto&...) {
      outcome = error;
      done_ = true;
    });
    if (auto finished = finish(deadline); !finished) return std::unexpected(finished.error());
    return outcome;
  }

  Result<void> connect(SteadyTime deadline) {
    tcp::resolver::results_type addresses;
    PAWL_TRY(const error_code unresolved, step(deadline, [&](auto handler) {
               resolver_.async_resolve(
                   url_.host, std::to_string(url_.port),
                   [&, handler](const error_code& error, tcp::resolver::results_type found) mutable {
                     addresses = std::move(found);
                     handler(error);
                   });
             }));
    if (unresolved) return resolve_error(unresolved);
    PAWL_TRY(const error_code refused,
             step(deadline, [&](auto handler) { asio::async_connect(socket_, addresses, handler); }));
    if (refused) return connect_error(refused.message());
    socket_.set_option(tcp::no_delay(true));
    return {};
  }

  Result<void> secure(asio::ssl::context& context, TlsStream& stream, SteadyTime deadline) {
    error_code error;
    context.set_default_verify_paths(error);
    const bool has_authorities = !request_.authorities_file.empty();
    if (has_authorities) context.load_verify_file(request_.authorities_file, error);
    if (has_authorities && error)
      return fail("HTTP_TLS", "The file of authorities cannot be read: " + error.message() + ".",
                  "Name a file with certificates in PEM form.");
    stream.set_verify_mode(asio::ssl::verify_peer, error);
    stream.set_verify_callback(asio::ssl::host_name_verification(url_.host), error);
    prepare_tls(stream.native_handle(), url_);
    PAWL_TRY(const error_code refused,
             step(deadline, [&](auto handler) { stream.async_handshake(asio::ssl::stream_base::client, handler); }));
    if (refused) return tls_error(refused);
    return {};
  }

  template <typename Stream>
  Result<HttpResponse> talk(Stream& stream) {
    const SteadyTime deadline = started_ + request_.timeout;
    const std::string head = make_head(request_, url_, false);
    const std::array message{asio::buffer(head), asio::buffer(request_.body)};
    // A server may answer and close before it has read everything: its answer counts, whatever became of the writing.
    const auto written = step(deadline, [&](auto handler) { asio::async_write(stream, message, handler); });
    if (!written) return std::unexpected(written.error());
    boost::beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.header_limit(kHeaderBytesMax);
    parser.body_limit(request_.body_bytes_max);
    if (request_.on_body) {
      PAWL_TRY(const error_code cut_off,
               step(deadline, [&](auto handler) { http::async_read_header(stream, buffer, parser, handler); }));
      if (cut_off) return read_error(cut_off);
      if (parser.get().result() == http::status::ok) return hand_over(stream, buffer, parser);
    }
    PAWL_TRY(const error_code unread,
             step(deadline, [&](auto handler) { http::async_read(stream, buffer, parser, handler); }));
    if (unread) return read_error(unread);
    return to_response(parser.release());
  }

  template <typename Stream, typename Parser>
  Result<HttpResponse> hand_over(Stream& stream, boost::beast::flat_buffer& buffer, Parser& parser) {
    parser.body_limit(boost::none);
    while (!parser.is_done()) {
      const SteadyTime deadline = std::chrono::steady_clock::now() + request_.timeout;
      PAWL_TRY(const error_code unread,
               step(deadline, [&](auto handler) { http::async_read_some(stream, buffer, parser, handler); }));
      std::string& piece = parser.get().body();
      if (!piece.empty()) request_.on_body(piece);
      piece.clear();
      if (unread) return read_error(unread);
    }
    return to_response(parser.release());
  }

  const HttpRequest& request_;
  const Url& url_;
  asio::io_context loop_{1};
  tcp::resolver resolver_{loop_};
  tcp::socket socket_{loop_};
  bool done_ = false;
  std::stop_token stop_;
  std::stop_callback<std::function<void()>> interrupt_;
  SteadyTime started_;
};

}  // namespace

Result<HttpResponse> send(const HttpRequest& request, std::stop_token stop) {
  PAWL_TRY(const Url url, parse_url(request.url));
  if (auto checked = check_headers(request); !checked) return std::unexpected(checked.error());
  try {
    return Exchange(request, url, std::move(stop)).run();
  } catch (const std::exception& failure) {  // what Asio throws where the system has no descriptor or memory left
    return fail("HTTP_CONNECT_FAILED", std::string("No connection: ") + failure.what() + ".",
                "Check the system's limits.");
  }
}

}  // namespace pawl::net
