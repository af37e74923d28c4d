// AWS Signature Version 4 of a request.
#pragma once

#include <string>
#include <string_view>

#include "sdk/http_connection.h"

namespace pawl::durable::detail {

struct Credentials {
  std::string access_key;
  std::string secret_key;
  std::string session_token;  // empty: none
};

struct SigningScope {
  std::string region;
  std::string service = "lambda";
  std::string time;  // 20261115T184923Z
};

std::string sha256_hex(std::string_view text);

// The value of the Authorization header over exactly these headers (names in lower case, sorted) and this target. The
// path of the target is encoded once more, as all services but S3 want it.
std::string authorization(const std::string& method, const std::string& target, const Headers& signed_headers,
                          const std::string& body_digest, const Credentials& credentials, const SigningScope& scope);

// Adds the headers of a signed request to it.
void sign(HttpRequest& request, const std::string& authority, const Credentials& credentials,
          const SigningScope& scope);

// The current time as SigningScope has it.
std::string signing_time();

}  // namespace pawl::durable::detail
