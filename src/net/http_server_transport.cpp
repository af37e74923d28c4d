#include "net/http_server_transport.h"

#include <algorithm>
#include <array>
#include <climits>

#include <openssl/err.h>

namespace pawl::net::server {

namespace {

std::string last_reason() {
  const char* reason = ::ERR_reason_error_string(::ERR_peek_last_error());
  ::ERR_clear_error();
  return reason == nullptr ? "it cannot be read" : reason;
}

std::unexpected<Error> unusable(const std::string& file, std::string_view what, std::string_view fix) {
  return fail("HTTP_TLS_FILES", std::string(what) + ": " + last_reason() + ".", std::string(fix), file);
}

}  // namespace

Result<std::shared_ptr<const TlsIdentity>> TlsIdentity::read(const HttpServerTls& files) {
  const std::shared_ptr<const TlsIdentity> identity(new TlsIdentity(::SSL_CTX_new(::TLS_server_method())));
  SSL_CTX* context = identity->context();
  if (context == nullptr) return unusable("", "TLS is not there", "Check the installation of OpenSSL.");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context,
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  ::SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  if (::SSL_CTX_use_certificate_chain_file(context, files.certificate_file.c_str()) != 1)
    return unusable(files.certificate_file, "The certificate cannot be used",
                    "Name a file with the certificate in PEM form.");
  if (::SSL_CTX_use_PrivateKey_file(context, files.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    return unusable(files.key_file, "The private key cannot be used",
                    "Name a file with the certificate's key in PEM form, without a password.");
  return identity;
}

Transport::Transport(tcp::socket socket, const TlsIdentity* identity) : socket_(std::move(socket)) {
  error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(tcp::no_delay(true), ignored);
  if (identity == nullptr) return;
  tls_.reset(::SSL_new(identity->context()));
  ::SSL_set_fd(tls_.get(), socket_.native_handle());
  ::SSL_set_accept_state(tls_.get());
}

// What OpenSSL makes of a call that gave nothing, in Asio's words.
error_code Transport::failure_of(int result) {
  const int reason = ::SSL_get_error(tls_.get(), result);
  ::ERR_clear_error();
  if (reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE) {
    wanted_ = reason == SSL_ERROR_WANT_READ ? tcp::socket::wait_read : tcp::socket::wait_write;
    return asio::error::would_block;
  }
  return reason == SSL_ERROR_ZERO_RETURN ? error_code(asio::error::eof) : error_code(asio::error::connection_reset);
}

size_t Transport::read_some(char* buffer, size_t size, error_code& error) {
  wanted_ = tcp::socket::wait_read;
  if (tls_ == nullptr) return socket_.read_some(asio::buffer(buffer, size), error);
  const int result = ::SSL_read(tls_.get(), buffer, static_cast<int>(std::min<size_t>(size, INT_MAX)));
  error = result > 0 ? error_code() : failure_of(result);
  return result > 0 ? static_cast<size_t>(result) : 0;
}

size_t Transport::write_some(std::string_view first, std::string_view second, error_code& error) {
  wanted_ = tcp::socket::wait_write;
  if (tls_ != nullptr && second.empty()) return write_records(first, error);
  if (tls_ != nullptr) return write_records(std::string(first).append(second), error);
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(first), asio::buffer(second)};
  return socket_.write_some(buffers, error);
}

size_t Transport::write_records(std::string_view bytes, error_code& error) {
  size_t sent = 0;
  error = {};
  while (sent < bytes.size() && !error) {
    const size_t size = std::min<size_t>(bytes.size() - sent, INT_MAX);
    const int result = ::SSL_write(tls_.get(), bytes.data() + sent, static_cast<int>(size));
    if (result > 0)
      sent += static_cast<size_t>(result);
    else
      error = failure_of(result);
  }
  return sent;
}

void Transport::shut_down(error_code& error) {
  if (tls_ != nullptr && !is_handshaking()) ::SSL_shutdown(tls_.get());
  ::ERR_clear_error();
  socket_.shutdown(tcp::socket::shutdown_send, error);
}

}  // namespace pawl::net::server
