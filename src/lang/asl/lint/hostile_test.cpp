// Texts that are made to take long, to need much memory or to overflow a stack.
#include <algorithm>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

#include "lang/asl/lint.h"
#include "lang/asl/lint/findings.h"

namespace pawl::asl {
namespace {

// A user waits for a second at most; sanitizers get more. Counted in CPU time, which a busy machine does not stretch.
constexpr double kCpuSecondsMax = 10;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Diagnostics lint_in_time(const std::string& text) {
  const double begin = cpu_seconds();
  Diagnostics diagnostics = lint_text(text, "", Options());
  EXPECT_LT(cpu_seconds() - begin, kCpuSecondsMax);
  return diagnostics;
}

std::string repeated(std::string_view part, size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (size_t index = 0; index < times; ++index) out += part;
  return out;
}

// States that go from one to the next, in a ring or to an end.
std::string chain(size_t count, std::string_view last) {
  std::string out = R"({"StartAt":"S0","States":{)";
  for (size_t index = 0; index < count; ++index) {
    const std::string number = std::to_string(index);
    out += "\"S" + number + "\":{\"Type\":\"Pass\",";
    out += index + 1 == count ? std::string(last) : "\"Next\":\"S" + std::to_string(index + 1) + "\"";
    out += index + 1 == count ? "}" : "},";
  }
  return out + "}}";
}

TEST(HostileDefinition, OfAHundredThousandStatesIsClean) {
  EXPECT_TRUE(lint_in_time(chain(100'000, "\"End\":true")).empty());
}

TEST(HostileDefinition, OfALongRingHasNoEnd) {
  const Diagnostics diagnostics = lint_in_time(chain(100'000, "\"Next\":\"S0\""));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "ASL_NO_WAY_TO_END");
}

TEST(HostileDefinition, WithManyMistakesListsSomeAndSaysSo) {
  std::string text = R"({"StartAt":"A","States":{"A":{"Type":"Pass")";
  for (size_t index = 0; index < 100'000; ++index) text += ",\"x" + std::to_string(index) + "\":1";
  const Diagnostics diagnostics = lint_in_time(text + "}}}");
  EXPECT_LE(diagnostics.size(), kFindingsMax + 1);
  EXPECT_TRUE(
      std::ranges::any_of(diagnostics, [](const Diagnostic& one) { return one.code == "ASL_TOO_MANY_FINDINGS"; }));
}

TEST(HostileDefinition, WithALongPathIsRefused) {
  const std::string path = "$" + repeated(".a", 500'000);
  const Diagnostics diagnostics =
      lint_in_time(R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true,"InputPath":")" + path +
                   R"(","ResultPath":")" + path + "\"}}}");
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].code, "ASL_PATH");
  EXPECT_LT(diagnostics[0].cause.size() + diagnostics[0].fix.size(), 1000u);
}

TEST(HostileDefinition, WithALongNameDoesNotRepeatItForEachFinding) {
  const std::string name(1 << 20, 'n');
  std::string text = "{\"StartAt\":\"" + name + "\",\"States\":{\"" + name + "\":{\"Type\":\"Pass\",\"Parameters\":{";
  for (size_t index = 0; index < 10'000; ++index) text += "\"p" + std::to_string(index) + ".$\":\"bad\",";
  const Diagnostics diagnostics = lint_in_time(text + "\"q\":1},\"End\":true}}}");
  size_t bytes = 0;
  for (const Diagnostic& diagnostic : diagnostics)
    bytes += diagnostic.pointer.size() + diagnostic.cause.size() + diagnostic.fix.size();
  EXPECT_LT(bytes, 3 * kFindingBytesMax);
}

TEST(HostileDefinition, NestedAsDeepAsTheParserAllowsIsWalked) {
  const std::string open = R"({"StartAt":"S","States":{"S":{"Type":"Parallel","End":true,"Branches":[)";
  const size_t levels = 127;  // four levels of JSON each
  const Diagnostics diagnostics = lint_in_time(repeated(open, levels) + "{}" + repeated("]}}}", levels));
  EXPECT_TRUE(has_errors(diagnostics));
  EXPECT_EQ(diagnostics[0].code.substr(0, 4), "ASL_");
}

TEST(HostileDefinition, WithADeepTemplateIsWalked) {
  const size_t levels = 500;
  EXPECT_TRUE(lint_in_time(R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true,"Parameters":)" +
                           repeated("{\"a\":", levels) + "1" + repeated("}", levels) + "}}}")
                  .empty());
}

TEST(HostileDefinition, WithDeepRulesIsRefused) {
  const size_t levels = 500;
  const Diagnostics diagnostics =
      lint_in_time(R"({"StartAt":"A","States":{"A":{"Type":"Choice","Default":"B","Choices":[{"Next":"B","Not":)" +
                   repeated("{\"Not\":", levels) + R"({"Variable":"$","IsNull":true})" + repeated("}", levels) +
                   R"(}]},"B":{"Type":"Succeed"}}})");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "ASL_RULES_TOO_DEEP");
}

TEST(HostileDefinition, NestedDeeperThanThatIsRefused) {
  const Diagnostics diagnostics = lint_in_time(repeated("[", 1'000'000));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "JSON_TOO_DEEP");
}

TEST(HostileDefinition, WithManyWaysToMissingStatesIsBounded) {
  std::string text = R"({"StartAt":"A","States":{"A":{"Type":"Choice","Choices":[)";
  for (size_t index = 0; index < 50'000; ++index)
    text += R"({"Variable":"$.a","IsNull":true,"Next":"Missing)" + std::to_string(index) + "\"},";
  text += R"({"Variable":"$.a","IsNull":true,"Next":"B"}]},"B":{"Type":"Succeed"}}})";
  EXPECT_LE(lint_in_time(text).size(), kFindingsMax + 1);
}

TEST(HostileDefinition, OfYamlAliasesIsBounded) {
  std::string text = "a0: &a0 {x.$: bad}\n";
  for (size_t level = 1; level < 30; ++level) {
    const std::string below = "*a" + std::to_string(level - 1);
    text += "a" + std::to_string(level) + ": &a" + std::to_string(level) + " [" + below + ", " + below + ", " + below +
            "]\n";
  }
  EXPECT_TRUE(has_errors(lint_in_time(text + "StartAt: A\nStates: {A: {Type: Pass, End: true, Parameters: *a29}}\n")));
}

}  // namespace
}  // namespace pawl::asl
