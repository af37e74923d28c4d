#include "net/hmac.h"

#include <gtest/gtest.h>

namespace pawl::net {
namespace {

std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

TEST(Hmac, GivesWhatRfc4231Says) {
  EXPECT_EQ(hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(Hmac, TellsTextsOfOtherKeysApart) {
  EXPECT_TRUE(equal_in_constant_time(hmac_sha256("a", "text"), hmac_sha256("a", "text")));
  EXPECT_FALSE(equal_in_constant_time(hmac_sha256("a", "text"), hmac_sha256("b", "text")));
  EXPECT_FALSE(equal_in_constant_time("short", "longer"));
}

TEST(RandomSecret, IsNeverTheSameTwice) {
  EXPECT_EQ(random_secret(32).size(), 32u);
  EXPECT_NE(random_secret(32), random_secret(32));
}

}  // namespace
}  // namespace pawl::net
