#include "graph/text_measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::graph {
namespace {

using testing::ElementsAre;

TEST(TextWidth, GrowsWithTheFontAndTheWidthOfItsLetters) {
  EXPECT_EQ(text_width("", 10), 0);
  EXPECT_LT(text_width("iii", 10), text_width("mmm", 10));
  EXPECT_DOUBLE_EQ(text_width("abc", 20), 2 * text_width("abc", 10));
  EXPECT_GT(text_width("状态", 10), text_width("ab", 10));
}

TEST(WrapText, BreaksAtBlanksAndAfterSigns) {
  EXPECT_THAT(wrap_text("one two", 10, text_width("one tw", 10), 3), ElementsAre("one", "two"));
  EXPECT_THAT(wrap_text("sqs:sendMessage", 10, text_width("sqs:sendMessag", 10), 3),
              ElementsAre("sqs:", "sendMessage"));
}

TEST(WrapText, KeepsAPathWholeWhereABlankIsNear) {
  EXPECT_THAT(wrap_text("one or two $.three", 10, text_width("one or two $.th", 10), 3),
              ElementsAre("one or two", "$.three"));
}

TEST(WrapText, BreaksALongWordAnywhere) {
  EXPECT_THAT(wrap_text("aaaaaa", 10, text_width("aaa", 10) + 0.01, 3), ElementsAre("aaa", "aaa"));
}

TEST(WrapText, CutsWhatIsLeftOverWithAnEllipsis) {
  const auto lines = wrap_text("alpha beta gamma delta", 10, text_width("alpha bet", 10), 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines.back().ends_with("…"));
  EXPECT_LE(text_width(lines.back(), 10), text_width("alpha bet", 10));
}

TEST(WrapText, NeverCutsACharacterInTwo) {
  for (const std::string& line : wrap_text("ééééé状状状", 10, 13, 9)) {
    EXPECT_NE(static_cast<unsigned char>(line.front()) & 0xC0, 0x80);
    EXPECT_FALSE(line.empty());
  }
}

TEST(WrapText, GivesOneEmptyLineForNoText) { EXPECT_THAT(wrap_text("  ", 10, 50, 3), ElementsAre("")); }

}  // namespace
}  // namespace pawl::graph
