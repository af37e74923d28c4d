// Numbers as BigDecimal reads and prints them.
#include "expr/jsonpath/decimal.h"

#include <gtest/gtest.h>

namespace pawl::jsonpath::internal {
namespace {

std::string printed(std::string_view text) {
  const auto number = parse_decimal(text);
  return number ? number->number_text() : "no number";
}

TEST(Decimal, ReadsWhatJavaReads) {
  EXPECT_EQ(printed("010"), "10");
  EXPECT_EQ(printed(".5"), "0.5");
  EXPECT_EQ(printed("5."), "5");
  EXPECT_EQ(printed("+1"), "1");
  EXPECT_EQ(printed("-0.123e2"), "-12.3");
  EXPECT_EQ(printed("-0"), "0");
  EXPECT_EQ(printed("1e10"), "1E+10");
  EXPECT_EQ(printed("12e-9"), "1.2E-8");
  EXPECT_EQ(printed("0.000001"), "0.000001");
  EXPECT_EQ(printed("0.0000001"), "1E-7");
}

TEST(Decimal, RefusesTheRest) {
  for (const char* text :
       {"", "-", ".", "e5", "1e", "1e+-5", "1x", "--1", "1.2.3", " 1", "0x10", "NaN", "1e99999999999"})
    EXPECT_EQ(printed(text), "no number") << text;
}

TEST(Decimal, PrintsValuesAsJavaDoes) {
  EXPECT_EQ(decimal_text(json::Value::integer(-7)), "-7");
  EXPECT_EQ(decimal_text(json::Value::number_literal("1.50")), "1.50");
  EXPECT_EQ(decimal_text(json::Value::number_literal("1E3")), "1E+3");
}

}  // namespace
}  // namespace pawl::jsonpath::internal
