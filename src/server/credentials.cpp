#include "server/credentials.h"

#include "net/sigv4.h"

namespace pawl::server {

namespace {

constexpr const char* kStates = "states";
constexpr const char* kLambda = "lambda";

std::string_view aws_name_of(std::string_view code) {
  if (code == "SIGV4_MISSING") return "MissingAuthenticationTokenException";
  if (code == "SIGV4_MALFORMED") return "IncompleteSignatureException";
  if (code == "SIGV4_UNKNOWN_KEY") return "UnrecognizedClientException";
  return "InvalidSignatureException";
}

}  // namespace

Outcome<void> Credentials::check(const net::HttpServerRequest& request, Timestamp now) const {
  if (!are_wanted()) return {};
  net::SigV4Policy policy;
  policy.region = region_;
  policy.services = {kStates, kLambda};
  policy.secret_of = [&](std::string_view id) -> std::optional<std::string> {
    const auto found = keys_.find(id);
    return found == keys_.end() ? std::nullopt : std::optional(found->second);
  };
  const net::SigV4Request signed_request{request.method, request.target, request.headers, request.body};
  const auto signer = net::verify_sigv4(signed_request, policy, now);
  if (signer) return {};
  return std::unexpected(Refusal{std::string(aws_name_of(signer.error().code)), signer.error().what, 403});
}

}  // namespace pawl::server
