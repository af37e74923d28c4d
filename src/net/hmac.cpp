#include "net/hmac.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/assert.h"

namespace pawl::net {

std::string sha256(std::string_view text) {
  std::string digest(kSha256Bytes, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::string digest(kHmacBytes, '\0');
  unsigned int size = 0;
  const auto* made =
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
           text.size(), reinterpret_cast<unsigned char*>(digest.data()), &size);
  PAWL_ASSERT(made != nullptr && size == kHmacBytes, size);
  return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string random_secret(size_t bytes) {
  std::string secret(bytes, '\0');
  const int made = RAND_bytes(reinterpret_cast<unsigned char*>(secret.data()), static_cast<int>(bytes));
  PAWL_ASSERT(made == 1, made);
  return secret;
}

}  // namespace pawl::net
