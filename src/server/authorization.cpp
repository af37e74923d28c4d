#include "server/authorization.h"

#include "json/print.h"
#include "json/value.h"
#include "net/hmac.h"

namespace pawl::server {

namespace {

constexpr std::string_view kDigestPrefix = "sha256:";
constexpr std::string_view kScheme = "Bearer ";

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::string> from_hex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    const int high = digit_value(digits[i]), low = digit_value(digits[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return digits.size() % 2 == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

// The scheme's name may come in any case.
std::string_view bearer_token(const net::HttpServerRequest& request) {
  const std::string_view header = request.headers.get("Authorization");
  const bool is_bearer = net::equals_ignoring_case(header.substr(0, kScheme.size()), kScheme);
  return is_bearer ? header.substr(kScheme.size()) : std::string_view();
}

bool is_this_machine(std::string_view peer) { return peer == "::1" || peer.starts_with("127."); }

std::unexpected<Refusal> unauthorized(std::string message) {
  return std::unexpected(Refusal{"Unauthorized", std::move(message), 401});
}

}  // namespace

std::optional<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::kRead, Role::kOperate, Role::kAdmin})
    if (text == to_string(role)) return role;
  return std::nullopt;
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kRead:
      return "read";
    case Role::kOperate:
      return "operate";
    case Role::kAdmin:
      return "admin";
  }
  return "";
}

Result<std::string> read_token_digest(std::string_view written) {
  if (written.starts_with(kDigestPrefix)) {
    auto digest = from_hex(written.substr(kDigestPrefix.size()));
    if (digest && digest->size() == net::kSha256Bytes) return *std::move(digest);
    return fail("TOKEN_INVALID", "What follows sha256: does not have 64 hexadecimal digits.",
                "Write what `printf %s TOKEN | sha256sum` prints.");
  }
  if (written.size() < kTokenBytesMin)
    return fail("TOKEN_INVALID", "The token is shorter than " + std::to_string(kTokenBytesMin) + " characters.",
                "Make one with `openssl rand -hex 32`.");
  return net::sha256(written);
}

// Looks at all of them, so that the time tells nothing.
const AccessToken* Authorization::find(std::string_view token) const {
  const std::string digest = net::sha256(token);
  const AccessToken* found = nullptr;
  for (const AccessToken& each : tokens_)
    if (net::equal_in_constant_time(each.digest, digest)) found = &each;
  return found;
}

Outcome<std::string> Authorization::check(const net::HttpServerRequest& request, Role needed) const {
  if (tokens_.empty()) {
    const bool may = trusts_everyone_ || (needed == Role::kRead && is_this_machine(request.peer));
    if (may) return std::string();
    return unauthorized("This needs an access token, and the server has none: configure `tokens`.");
  }
  const std::string_view given = bearer_token(request);
  if (given.empty()) return unauthorized("This needs an access token: Authorization: Bearer ….");
  const AccessToken* token = find(given);
  if (token == nullptr) return unauthorized("The access token is not known.");
  if (token->role < needed)
    return std::unexpected(
        Refusal{"Forbidden", "This needs an access token with the role " + std::string(to_string(needed)) + ".", 403});
  return token->name;
}

net::HttpServerResponse refused_answer(const Refusal& refusal) {
  net::HttpServerResponse response;
  response.status = refusal.status;
  json::ObjectBuilder body(1);
  body.set("message", json::Value::string(refusal.message));
  response.body = json::print(body.build());
  if (refusal.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"pawl\"");
  return response;
}

}  // namespace pawl::server
