// AWS Signature Version 4, in the Authorization header: checking a request's signature, and making one. Pure: the time
// is an argument. Signatures in the query (presigned URLs), of streams (chunk by chunk) and UNSIGNED-PAYLOAD are not
// taken.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "net/http_server_message.h"

namespace pawl::net {

inline constexpr Duration kSigV4ClockSkewMax = std::chrono::minutes(5);  // AWS's own
inline constexpr size_t kSignedHeadersMax = 128;

// What a signature covers.
struct SigV4Request {
  std::string_view method;
  std::string_view target;  // path and query as they are on the wire
  const HttpHeaders& headers;
  std::string_view body;
};

struct SigV4Key {
  std::string access_key_id;
  std::string secret;
};

// The Authorization header in its parts.
struct SigV4Authorization {
  std::string access_key_id;
  std::string date;  // "20150830"
  std::string region;
  std::string service;
  std::vector<std::string> signed_headers;  // in lower case, sorted
  std::string signature;                    // 64 hexadecimal digits

  friend bool operator==(const SigV4Authorization&, const SigV4Authorization&) = default;
};

// Error: SIGV4_MALFORMED.
Result<SigV4Authorization> parse_sigv4_authorization(std::string_view header);

// Who may sign, for what, and how far clocks may be apart. The skew also bounds for how long a request that somebody
// overheard can be sent again.
struct SigV4Policy {
  std::function<std::optional<std::string>(std::string_view access_key_id)> secret_of;
  std::string region;                 // empty: any
  std::vector<std::string> services;  // empty: any
  Duration clock_skew_max = kSigV4ClockSkewMax;
};

// Gives the access key id that signed. The host, the date and every x-amz-… header must be signed.
//
// Errors, whose texts hold no secret and no signature: SIGV4_MISSING, SIGV4_MALFORMED, SIGV4_UNKNOWN_KEY, SIGV4_SCOPE,
// SIGV4_EXPIRED, SIGV4_MISMATCH.
Result<std::string> verify_sigv4(const SigV4Request& request, const SigV4Policy& policy, Timestamp now);

// The value of the Authorization header. All headers of the request are signed; Host and X-Amz-Date must be there.
std::string sign_sigv4(const SigV4Request& request, const SigV4Key& key, std::string_view region,
                       std::string_view service);

// The value of X-Amz-Date: "20150830T123600Z".
std::string format_sigv4_date(Timestamp time);

// What is hashed and signed; apart, so that it can be compared with published examples.
std::string sigv4_canonical_request(const SigV4Request& request, const std::vector<std::string>& signed_headers);

}  // namespace pawl::net
