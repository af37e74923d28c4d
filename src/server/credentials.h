// Who may use the protocol: requests must be signed with one of the configured access keys.
#pragma once

#include <map>
#include <string>

#include "base/time.h"
#include "net/http_server_message.h"
#include "server/refusal.h"

namespace pawl::server {

using AccessKeys = std::map<std::string, std::string, std::less<>>;  // id to secret

// Immutable: any thread may use it. Without keys everyone is let in.
class Credentials {
 public:
  Credentials(AccessKeys keys, std::string region) : keys_(std::move(keys)), region_(std::move(region)) {}

  bool are_wanted() const { return !keys_.empty(); }

  // Refusals, with AWS's names and status 403: MissingAuthenticationTokenException, IncompleteSignatureException,
  // UnrecognizedClientException, InvalidSignatureException. None tells a secret or a signature.
  Outcome<void> check(const net::HttpServerRequest& request, Timestamp now) const;

 private:
  AccessKeys keys_;
  std::string region_;
};

}  // namespace pawl::server
