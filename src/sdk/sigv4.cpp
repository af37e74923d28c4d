#include "sdk/sigv4.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace pawl::durable::detail {
namespace {

std::string hex(std::string_view bytes) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string hmac(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
       text.size(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

// The key is the same for a whole day, and takes most of the time of a signature.
const std::string& signing_key(const Credentials& credentials, const std::string& day, const SigningScope& scope) {
  thread_local std::string known;
  thread_local std::string key;
  const std::string wanted = credentials.secret_key + "/" + day + "/" + scope.region + "/" + scope.service;
  if (wanted != known) {
    key = hmac(hmac(hmac(hmac("AWS4" + credentials.secret_key, day), scope.region), scope.service), "aws4_request");
    known = wanted;
  }
  return key;
}

std::string encoded_path(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    out += percent_encode(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    out += '/';
    path.remove_prefix(slash + 1);
  }
  return out.empty() ? "/" : out;
}

// The parameters are encoded already; they are sorted by name, and one without a value gets an empty one.
std::string canonical_query(std::string_view query) {
  std::vector<std::string> parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    std::string parameter(query.substr(0, end));
    if (parameter.find('=') == std::string::npos) parameter += '=';
    parameters.push_back(std::move(parameter));
    query.remove_prefix(std::min(query.size(), end + 1));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string out;
  for (const std::string& parameter : parameters) out += (out.empty() ? "" : "&") + parameter;
  return out;
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return hex({reinterpret_cast<const char*>(digest.data()), size});
}

std::string authorization(const std::string& method, const std::string& target, const Headers& signed_headers,
                          const std::string& body_digest, const Credentials& credentials, const SigningScope& scope) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  std::string names;
  std::string lines;
  for (const auto& [name, value] : signed_headers) {
    names += (names.empty() ? "" : ";") + name;
    lines += name + ":" + value + "\n";
  }
  const std::string query = mark < target.size() ? canonical_query(std::string_view(target).substr(mark + 1)) : "";
  const std::string canonical = method + "\n" + encoded_path(std::string_view(target).substr(0, mark)) + "\n" + query +
                                "\n" + lines + "\n" + names + "\n" + body_digest;

  const std::string day = scope.time.substr(0, 8);
  const std::string where = day + "/" + scope.region + "/" + scope.service + "/aws4_request";
  const std::string to_sign = "AWS4-HMAC-SHA256\n" + scope.time + "\n" + where + "\n" + sha256_hex(canonical);
  return "AWS4-HMAC-SHA256 Credential=" + credentials.access_key + "/" + where + ", SignedHeaders=" + names +
         ", Signature=" + hex(hmac(signing_key(credentials, day, scope), to_sign));
}

// Every header of AWS's own must be signed.
void sign(HttpRequest& request, const std::string& authority, const Credentials& credentials,
          const SigningScope& scope) {
  const std::string digest = sha256_hex(request.body);
  request.headers.emplace_back("x-amz-content-sha256", digest);
  request.headers.emplace_back("x-amz-date", scope.time);
  if (!credentials.session_token.empty())
    request.headers.emplace_back("x-amz-security-token", credentials.session_token);
  Headers signed_headers = {{"host", authority}};
  for (const auto& [name, value] : request.headers) {
    std::string lower = name;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (lower.starts_with("x-amz-")) signed_headers.emplace_back(std::move(lower), value);
  }
  std::sort(signed_headers.begin(), signed_headers.end());
  const std::string value = authorization(request.method, request.target, signed_headers, digest, credentials, scope);
  request.headers.emplace_back("Authorization", value);
}

std::string signing_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

}  // namespace pawl::durable::detail
