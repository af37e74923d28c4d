#include "base/crc32c.h"

#include <string>

#include <gtest/gtest.h>

namespace pawl {
namespace {

// RFC 3720, B.4.
TEST(Crc32c, GivesTheSumsOfTheStandardsExamples) {
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
}

TEST(Crc32c, ChangesWithEveryBit) {
  const std::string text = "facts are the truth";
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] ^= 1;
    EXPECT_NE(crc32c(changed), crc32c(text)) << i;
  }
}

}  // namespace
}  // namespace pawl
