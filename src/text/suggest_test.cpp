#include "text/suggest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pawl::text {
namespace {

constexpr std::string_view kFields[] = {"Type",       "Next",       "End",           "InputPath",
                                        "OutputPath", "ResultPath", "ResultSelector"};

TEST(Nearest, FindsATypingError) {
  EXPECT_EQ(nearest("Nxet", kFields), "Next");
  EXPECT_EQ(nearest("InputPaht", kFields), "InputPath");
  EXPECT_EQ(nearest("ResultSelecter", kFields), "ResultSelector");
  EXPECT_EQ(nearest("Typ", kFields), "Type");
}

TEST(Nearest, LooksPastTheCase) { EXPECT_EQ(nearest("OUTPUTPATH", kFields), "OutputPath"); }

TEST(Nearest, TakesTheFewestChanges) {
  EXPECT_EQ(nearest("OuputPath", kFields), "OutputPath");
  EXPECT_EQ(nearest("InutPath", kFields), "InputPath");
}

TEST(Nearest, TakesTheFirstOfEquals) {
  constexpr std::string_view candidates[] = {"cart", "cast", "cat"};
  EXPECT_EQ(nearest("cact", candidates), "cart");
}

TEST(Nearest, FindsNothingForAnotherWord) {
  EXPECT_EQ(nearest("Banana", kFields), "");
  EXPECT_EQ(nearest("", kFields), "");
  EXPECT_EQ(nearest("X", kFields), "");
  EXPECT_EQ(nearest("Next", {}), "");
}

TEST(Nearest, HasNoSuggestionForAnEndlessWord) {
  const std::string word(kSuggestBytesMax + 1, 'a');
  const std::string candidate(kSuggestBytesMax, 'a');
  const std::vector<std::string_view> candidates = {candidate};
  EXPECT_EQ(nearest(word, candidates), "");
  EXPECT_EQ(nearest(candidate, candidates), candidate);
}

}  // namespace
}  // namespace pawl::text
