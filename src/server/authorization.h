// Who may use what is not AWS's protocol: bearer tokens, each with a role.
//
// Without access keys and without tokens the server listens to its own machine only, and everyone may do everything.
// With access keys but no tokens, this machine may read, and nobody else may do anything. With tokens, every request
// must bring one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/http_server_message.h"
#include "server/refusal.h"

namespace pawl::server {

inline constexpr size_t kTokenBytesMin = 16;  // of one that is written as it is: a shorter one is guessed

// Each may do what those before it may.
enum class Role : uint8_t {
  kRead = 1,     // look at everything
  kOperate = 2,  // start, stop, answer
  kAdmin = 3,    // change definitions and the server itself
};
std::optional<Role> parse_role(std::string_view text);  // "read", "operate", "admin"
std::string_view to_string(Role role);

// The token itself is not kept.
struct AccessToken {
  std::string name;  // who has it; told in logs
  Role role = Role::kRead;
  std::string digest;  // SHA-256, as bytes

  friend bool operator==(const AccessToken&, const AccessToken&) = default;
};

// The digest of a token that is written as "sha256:" and 64 hexadecimal digits, or as it is. Error: TOKEN_INVALID.
Result<std::string> read_token_digest(std::string_view written);

// Immutable: any thread may use it.
class Authorization {
 public:
  // `trusts_everyone`: there are no access keys either.
  Authorization(std::vector<AccessToken> tokens, bool trusts_everyone)
      : tokens_(std::move(tokens)), trusts_everyone_(trusts_everyone) {}

  // The name of the token; empty where none is needed. Refusals: Unauthorized (401), Forbidden (403). Neither tells
  // anything of the token that came.
  Outcome<std::string> check(const net::HttpServerRequest& request, Role needed) const;

 private:
  const AccessToken* find(std::string_view token) const;

  std::vector<AccessToken> tokens_;
  bool trusts_everyone_;
};

// The answer to a request that was refused: {"message": …}.
net::HttpServerResponse refused_answer(const Refusal& refusal);

}  // namespace pawl::server
