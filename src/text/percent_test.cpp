#include "text/percent.h"

#include <gtest/gtest.h>

namespace pawl::text {
namespace {

TEST(PercentEncoded, KeepsLettersDigitsAndWhatIsListed) {
  EXPECT_EQ(percent_encoded("aZ9-._~"), "aZ9-._~");
  EXPECT_EQ(percent_encoded("a b/ü%"), "a%20b%2F%C3%BC%25");
  EXPECT_EQ(percent_encoded("a b/c", "/"), "a%20b/c");
}

TEST(PercentDecode, RefusesHalfAnEscape) {
  EXPECT_EQ(percent_decode("a%25b%2f%C3%BC"), "a%b/ü");
  for (const char* text : {"%", "%2", "a%zz", "%2g"}) EXPECT_FALSE(percent_decode(text)) << text;
}

}  // namespace
}  // namespace pawl::text
