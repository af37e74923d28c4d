// What the ways of sending a request share: checks of what is sent, and what an answer or its failure becomes.
// Includes Beast: for the .cpp files of the client only.
#pragma once

#include <boost/asio/ssl.hpp>
#include <boost/beast/http.hpp>

#include "net/http_client.h"
#include "net/url.h"

namespace pawl::net {

// Error: HTTP_BAD_HEADER.
Result<void> check_headers(const HttpRequest& request);

// The request line and the headers, as they are sent, with the blank line.
std::string make_head(const HttpRequest& request, const Url& url, bool keep_alive);

HttpResponse to_response(boost::beast::http::response<boost::beast::http::string_body>&& message);

std::unexpected<Error> resolve_error(const boost::system::error_code& error);
std::unexpected<Error> connect_error(const std::string& why);
std::unexpected<Error> slow_connect_error();
std::unexpected<Error> tls_error(const boost::system::error_code& error);
std::unexpected<Error> read_error(const boost::system::error_code& error);
std::unexpected<Error> timeout_error();

// The server's certificate is checked against the context's authorities and the host's name.
void prepare_tls(SSL* tls, const Url& url);

}  // namespace pawl::net
