#include "net/sigv4.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "base/assert.h"

namespace pawl::net {

namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTerminator = "aws4_request";
constexpr size_t kDateSize = 8;       // 20150830
constexpr size_t kDateTimeSize = 16;  // 20150830T123600Z
constexpr size_t kSignatureSize = 64;
constexpr size_t kCredentialParts = 5;  // key, date, region, service, terminator

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string to_lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}

std::string hex(const Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const unsigned char byte : digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

Digest sha256(std::string_view bytes) {
  Digest digest;
  ::SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

Digest hmac(std::string_view key, std::string_view bytes) {
  Digest digest;
  const auto* made = ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()),
                            reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(), nullptr);
  PAWL_ASSERT(made != nullptr, "HMAC-SHA256 is always there");
  return digest;
}
Digest hmac(const Digest& key, std::string_view bytes) {
  return hmac(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()), bytes);
}

bool is_unreserved(char c) {
  return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_unreserved(c)) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
}

// The value of a hexadecimal digit; -1 for none.
int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? digit_value(text[i + 1]) : -1;
    const int low = high >= 0 ? digit_value(text[i + 2]) : -1;
    if (low < 0) {
      result.push_back(text[i]);
    } else {
      result.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
  return result;
}

// Calls `use` with each part between separators; an empty text has one, empty part.
template <typename Use>
void for_each_part(std::string_view text, char separator, Use use) {
  for (;;) {
    const size_t end = text.find(separator);
    use(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

// Without "." and "..", without empty segments, and encoded once more than it is on the wire.
std::string canonical_path(std::string_view path) {
  std::vector<std::string_view> segments;
  for_each_part(path, '/', [&](std::string_view segment) {
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  });
  std::string result;
  for (const std::string_view segment : segments) append_encoded(result.append("/"), segment);
  if (result.empty() || path.ends_with('/')) result.push_back('/');
  return result;
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for_each_part(query, '&', [&](std::string_view parameter) {
    if (parameter.empty()) return;
    const size_t equals = parameter.find('=');
    const std::string_view value = equals == std::string_view::npos ? "" : parameter.substr(equals + 1);
    auto& [name_text, value_text] = parameters.emplace_back();
    append_encoded(name_text, percent_decoded(parameter.substr(0, equals)));
    append_encoded(value_text, percent_decoded(value));
  });
  std::ranges::sort(parameters);
  std::string result;
  for (const auto& [name, value] : parameters) {
    if (!result.empty()) result.push_back('&');
    result.append(name).append("=").append(value);
  }
  return result;
}

// Without blanks at its ends, and one blank for each run of them.
void append_trimmed(std::string& out, std::string_view value) {
  bool is_pending = false;
  bool is_begun = false;
  for (const char c : value) {
    if (c == ' ' || c == '\t') {
      is_pending = is_begun;
      continue;
    }
    if (is_pending) out.push_back(' ');
    out.push_back(c);
    is_pending = false;
    is_begun = true;
  }
}

// "name:value,value\n", of all headers with the name.
void append_canonical_header(std::string& out, const HttpHeaders& headers, std::string_view name) {
  out.append(name).push_back(':');
  bool is_first = true;
  for (size_t i = 0; i < headers.size(); ++i) {
    if (!equals_ignoring_case(headers.name(i), name)) continue;
    if (!is_first) out.push_back(',');
    append_trimmed(out, headers.value(i));
    is_first = false;
  }
  out.push_back('\n');
}

std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result.append(result.empty() ? "" : ";").append(name);
  return result;
}

std::unexpected<Error> malformed(std::string what) {
  return fail("SIGV4_MALFORMED", std::move(what),
              "Sign with an AWS SDK: AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=….");
}

Result<void> read_credential(std::string_view text, SigV4Authorization& out) {
  std::vector<std::string_view> parts;
  for_each_part(text, '/', [&](std::string_view part) { parts.push_back(part); });
  if (parts.size() != kCredentialParts || std::ranges::any_of(parts, &std::string_view::empty))
    return malformed("The Credential is not KEY/DATE/REGION/SERVICE/aws4_request.");
  if (parts[1].size() != kDateSize || !std::ranges::all_of(parts[1], is_digit))
    return malformed("The Credential's date is not of the form 20150830.");
  if (parts[4] != kTerminator) return malformed("The Credential does not end with aws4_request.");
  out.access_key_id = parts[0];
  out.date = parts[1];
  out.region = parts[2];
  out.service = parts[3];
  return {};
}

Result<void> read_signed_headers(std::string_view text, SigV4Authorization& out) {
  for_each_part(text, ';', [&](std::string_view name) { out.signed_headers.emplace_back(name); });
  const auto& names = out.signed_headers;
  if (names.size() > kSignedHeadersMax) return malformed("There are too many SignedHeaders.");
  if (std::ranges::any_of(names,
                          [](const std::string& name) { return name.empty() || std::ranges::any_of(name, is_upper); }))
    return malformed("The SignedHeaders are not names in lower case.");
  if (std::ranges::adjacent_find(names, std::greater_equal()) != names.end())
    return malformed("The SignedHeaders are not sorted, or one is there twice.");
  return {};
}

Result<void> read_signature(std::string_view text, SigV4Authorization& out) {
  if (text.size() != kSignatureSize || !std::ranges::all_of(text, is_hex_digit))
    return malformed("The Signature does not have 64 hexadecimal digits.");
  out.signature = text;
  return {};
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Takes the parts "Name=value" of the header one by one.
struct AuthorizationReader {
  SigV4Authorization authorization;
  bool has_credential = false;
  bool has_signed_headers = false;
  bool has_signature = false;

  bool is_complete() const { return has_credential && has_signed_headers && has_signature; }

  Result<void> read(std::string_view part) {
    const size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    if (name == "Credential" && !std::exchange(has_credential, true)) return read_credential(value, authorization);
    if (name == "SignedHeaders" && !std::exchange(has_signed_headers, true))
      return read_signed_headers(value, authorization);
    if (name == "Signature" && !std::exchange(has_signature, true)) return read_signature(value, authorization);
    return malformed("The Authorization has a part that is unknown, or one twice.");
  }
};

Result<void> check_signed_headers(const HttpHeaders& headers, const std::vector<std::string>& signed_headers) {
  const auto is_signed = [&](const std::string& name) { return std::ranges::binary_search(signed_headers, name); };
  if (!is_signed("host") || !is_signed("x-amz-date")) return malformed("Host and X-Amz-Date must be signed.");
  for (const std::string& name : signed_headers)
    if (!headers.contains(name)) return malformed("A signed header is not there: " + name + ".");
  for (size_t i = 0; i < headers.size(); ++i) {
    const std::string name = to_lower(headers.name(i));
    if (name.starts_with("x-amz-") && !is_signed(name)) return malformed("This header must be signed: " + name + ".");
  }
  return {};
}

int number_at(std::string_view digits, size_t begin, size_t size) {
  int number = 0;
  for (const char c : digits.substr(begin, size)) number = number * 10 + (c - '0');
  return number;
}

std::optional<Timestamp> parse_date(std::string_view text) {
  constexpr std::string_view kForm = "00000000T000000Z";
  if (text.size() != kDateTimeSize) return std::nullopt;
  for (size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == '0' ? !is_digit(text[i]) : text[i] != kForm[i]) return std::nullopt;
  const std::chrono::year_month_day day(std::chrono::year(number_at(text, 0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number_at(text, 4, 2))),
                                        std::chrono::day(static_cast<unsigned>(number_at(text, 6, 2))));
  const int hour = number_at(text, 9, 2), minute = number_at(text, 11, 2), second = number_at(text, 13, 2);
  if (!day.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return std::chrono::sys_days(day) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

Result<void> check_date(std::string_view text, const SigV4Authorization& authorization, Duration skew_max,
                        Timestamp now) {
  const auto date = parse_date(text);
  if (!date) return malformed("X-Amz-Date is not of the form 20150830T123600Z.");
  if (!text.starts_with(authorization.date)) return malformed("The Credential's date is not that of X-Amz-Date.");
  if (std::chrono::abs(now - *date) > skew_max)
    return fail(
        "SIGV4_EXPIRED",
        "The request was signed at " + std::string(text) + ", too far from now, " + format_sigv4_date(now) + ".",
        "Set the client's clock, or sign the request anew.");
  return {};
}

Result<void> check_scope(const SigV4Authorization& authorization, const SigV4Policy& policy) {
  if (!policy.region.empty() && authorization.region != policy.region)
    return fail("SIGV4_SCOPE", "The request is signed for another region.", "Set the region to " + policy.region + ".");
  if (!policy.services.empty() && std::ranges::find(policy.services, authorization.service) == policy.services.end())
    return fail("SIGV4_SCOPE", "The request is signed for another service.", "Use the SDK's client of this service.");
  return {};
}

// The signature of a canonical request; the scope is the one of `authorization`.
std::string signature_of(const SigV4Authorization& authorization, std::string_view date_time, std::string_view secret,
                         std::string_view canonical_request) {
  std::string text(kAlgorithm);
  text.append("\n").append(date_time).append("\n").append(authorization.date).append("/");
  text.append(authorization.region).append("/").append(authorization.service).append("/").append(kTerminator);
  text.append("\n").append(hex(sha256(canonical_request)));
  std::string first_key = std::string("AWS4").append(secret);
  const Digest of_date = hmac(first_key, authorization.date);
  ::OPENSSL_cleanse(first_key.data(), first_key.size());
  return hex(hmac(hmac(hmac(hmac(of_date, authorization.region), authorization.service), kTerminator), text));
}

}  // namespace

Result<SigV4Authorization> parse_sigv4_authorization(std::string_view header) {
  if (!header.starts_with(kAlgorithm) || header.substr(kAlgorithm.size(), 1) != " ")
    return malformed("The Authorization is not AWS4-HMAC-SHA256.");
  AuthorizationReader reader;
  Result<void> read;
  for_each_part(header.substr(kAlgorithm.size()), ',', [&](std::string_view part) {
    if (read) read = reader.read(trimmed(part));
  });
  if (!read) return std::unexpected(read.error());
  if (!reader.is_complete()) return malformed("The Authorization lacks Credential, SignedHeaders or Signature.");
  return std::move(reader.authorization);
}

Result<std::string> verify_sigv4(const SigV4Request& request, const SigV4Policy& policy, Timestamp now) {
  const auto header = request.headers.find("Authorization");
  if (!header)
    return fail("SIGV4_MISSING", "The request is not signed.", "Give the client an access key and a secret.");
  PAWL_TRY(const SigV4Authorization authorization, parse_sigv4_authorization(*header));
  if (auto is_complete = check_signed_headers(request.headers, authorization.signed_headers); !is_complete)
    return std::unexpected(is_complete.error());
  const std::string_view date = request.headers.get("X-Amz-Date");
  if (auto is_current = check_date(date, authorization, policy.clock_skew_max, now); !is_current)
    return std::unexpected(is_current.error());
  if (auto is_meant = check_scope(authorization, policy); !is_meant) return std::unexpected(is_meant.error());
  const auto secret = policy.secret_of(authorization.access_key_id);
  if (!secret) return fail("SIGV4_UNKNOWN_KEY", "The access key is not known.", "Use one of the configured keys.");
  const std::string expected =
      signature_of(authorization, date, *secret, sigv4_canonical_request(request, authorization.signed_headers));
  if (::CRYPTO_memcmp(expected.data(), authorization.signature.data(), kSignatureSize) != 0)
    return fail("SIGV4_MISMATCH", "The signature is not that of the request and the key's secret.",
                "Check the secret; nothing between the client and here may change the request.");
  return authorization.access_key_id;
}

std::string sign_sigv4(const SigV4Request& request, const SigV4Key& key, std::string_view region,
                       std::string_view service) {
  const std::string_view date = request.headers.get("X-Amz-Date");
  PAWL_ASSERT(date.size() == kDateTimeSize && request.headers.contains("Host"), date);
  SigV4Authorization scope{
      key.access_key_id, std::string(date.substr(0, kDateSize)), std::string(region), std::string(service), {}, {}};
  auto& names = scope.signed_headers;
  for (size_t i = 0; i < request.headers.size(); ++i) names.push_back(to_lower(request.headers.name(i)));
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  const std::string signature = signature_of(scope, date, key.secret, sigv4_canonical_request(request, names));
  return std::string(kAlgorithm) + " Credential=" + key.access_key_id + "/" + scope.date + "/" + scope.region + "/" +
         scope.service + "/" + std::string(kTerminator) + ", SignedHeaders=" + joined(names) +
         ", Signature=" + signature;
}

std::string format_sigv4_date(Timestamp time) {
  const auto day_begin = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day day(day_begin);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day_begin));
  char text[32];
  const int size = std::snprintf(text, sizeof(text), "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(day.year()),
                                 static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
                                 static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                                 static_cast<int>(clock.seconds().count()));
  return std::string(text, static_cast<size_t>(size));
}

std::string sigv4_canonical_request(const SigV4Request& request, const std::vector<std::string>& signed_headers) {
  const size_t question = std::min(request.target.find('?'), request.target.size());
  std::string text(request.method);
  text.append("\n").append(canonical_path(request.target.substr(0, question)));
  text.append("\n").append(canonical_query(request.target.substr(std::min(question + 1, request.target.size()))));
  text.append("\n");
  for (const std::string& name : signed_headers) append_canonical_header(text, request.headers, name);
  text.append("\n").append(joined(signed_headers)).append("\n").append(hex(sha256(request.body)));
  return text;
}

}  // namespace pawl::net
