#include "base/fnv.h"

#include <gtest/gtest.h>

namespace pawl {
namespace {

// The algorithm's own test vectors.
TEST(Fnv, GivesWhatItsAuthorsPublished) {
  EXPECT_EQ(hash_fnv(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_fnv("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_fnv("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv, GoesOnFromWhereAnotherTextEnded) { EXPECT_EQ(hash_fnv("bar", hash_fnv("foo")), hash_fnv("foobar")); }

}  // namespace
}  // namespace pawl
