// Lint's rules, by the data files of tests/lint: each is a definition whose Comment says what lint finds in it, as
// "[set KEY=VALUE; ]CODE LINE:COLUMN POINTER; …", or nothing for a definition that is clean.
#include "lang/asl/lint.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lang/asl/lint/codes.h"
#include "text/yaml.h"

namespace pawl::asl {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

struct Case {
  std::string text;
  Options options;
  std::vector<std::string> expected;
};

Case read_case(const fs::path& path) {
  Case result{.text = read_text(path), .options = {}, .expected = {}};
  const Value root = json::parse(result.text).value();
  for (const std::string& part : split(root.find("Comment")->as_string(), "; ")) {
    if (part.starts_with("set "))
      EXPECT_TRUE(result.options.set(part.substr(4))) << path;
    else
      result.expected.push_back(part);
  }
  return result;
}

std::vector<std::string> summaries(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : diagnostics)
    out.push_back(diagnostic.code + " " + std::to_string(diagnostic.position.line) + ":" +
                  std::to_string(diagnostic.position.column) + " " + diagnostic.pointer);
  return out;
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(PAWL_SOURCE_DIR) / "tests/lint"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class LintCase : public testing::TestWithParam<fs::path> {};

TEST_P(LintCase, FindsWhatTheCommentSays) {
  const Case test = read_case(GetParam());
  const Diagnostics diagnostics = lint_text(test.text, "flow.asl.json", test.options);
  EXPECT_EQ(summaries(diagnostics), test.expected);
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.file, "flow.asl.json");
    EXPECT_FALSE(diagnostic.cause.empty());
    EXPECT_FALSE(diagnostic.fix.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, LintCase, testing::ValuesIn(case_files()),
                         [](const auto& file) { return file.param.stem().stem().string(); });

TEST(LintCases, HaveOneForEveryCode) {
  std::set<std::string> tested;
  for (const fs::path& path : case_files())
    for (const std::string& expected : read_case(path).expected) tested.insert(expected.substr(0, expected.find(' ')));
  for (const CodeInfo& code : all_codes())
    if (code.code != Code::kTooManyFindings) {
      EXPECT_TRUE(tested.contains(std::string(code.name))) << code.name;
    }
}

// The codes in the first column of the table.
std::set<std::string> documented_codes() {
  std::set<std::string> codes;
  std::istringstream lines(read_text(fs::path(PAWL_SOURCE_DIR) / "docs/lint.md"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `ASL_")) codes.insert(line.substr(3, line.find('`', 3) - 3));
  return codes;
}

TEST(LintCodes, AreThoseOfTheDocumentation) {
  std::set<std::string> emitted;
  for (const CodeInfo& code : all_codes()) emitted.insert(std::string(code.name));
  EXPECT_EQ(documented_codes(), emitted);
}

std::vector<std::string> lint_json(std::string_view text) { return summaries(lint_text(text, "", Options())); }

TEST(Lint, ReportsATextThatCannotBeParsed) {
  const Diagnostics diagnostics = lint_text("{\n  \"StartAt\": x\n}", "flow.json", Options());
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "JSON_UNEXPECTED_CHARACTER");
  EXPECT_EQ(diagnostics[0].position, (Position{2, 14}));
  EXPECT_EQ(diagnostics[0].file, "flow.json");
  EXPECT_EQ(diagnostics[0].severity, Severity::kError);
}

TEST(Lint, ReportsAnEmptyText) { EXPECT_TRUE(has_errors(lint_text("", "", Options()))); }

TEST(Lint, ReportsAFieldThatIsWrittenTwice) {
  EXPECT_EQ(lint_text(R"({"StartAt":"A","StartAt":"B"})", "", Options()).at(0).code, "JSON_DUPLICATE_KEY");
}

TEST(Lint, ReportsARootThatIsNoObject) {
  EXPECT_EQ(lint_json("[]"), std::vector<std::string>{"ASL_FIELD_TYPE 1:1 "});
  EXPECT_EQ(lint_json("just words"), std::vector<std::string>{"ASL_FIELD_TYPE 1:1 "});
}

TEST(Lint, ListsAllFieldsThatAMachineLacks) {
  const Diagnostics diagnostics = lint_text("{}", "", Options());
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].cause, "These fields are required: [StartAt, States]");
}

TEST(Lint, FindsTheLineOfAYamlText) {
  const std::string text =
      "StartAt: A\n"
      "States:\n"
      "  A:\n"
      "    Type: Pass\n"
      "    Nxt: B\n"
      "    End: true\n";
  EXPECT_EQ(lint_json(text), std::vector<std::string>{"ASL_UNKNOWN_FIELD 5:5 /States/A/Nxt"});
}

TEST(Lint, SuggestsTheNearestName) {
  const auto fix_of = [](std::string_view text) { return lint_text(text, "", Options()).at(0).fix; };
  EXPECT_EQ(fix_of(R"({"StartAt":"A","States":{"A":{"Type":"Pass","InputPth":"$","End":true}}})"),
            "Did you mean \"InputPath\"?");
  EXPECT_EQ(fix_of(R"({"StartAt":"Loda","States":{"Load":{"Type":"Succeed"}}})"), "Did you mean \"Load\"?");
}

TEST(Lint, SortsFindingsByTheirPlace) {
  const auto findings =
      lint_json("{\"StartAt\":\"A\",\"States\":{\"A\":{\"Type\":\"Pass\",\n\"Next\":\"B\",\n\"Foo\":1}}}");
  EXPECT_EQ(findings,
            (std::vector<std::string>{"ASL_NO_WAY_TO_END 1:16 /States", "ASL_MISSING_STATE 2:8 /States/A/Next",
                                      "ASL_UNKNOWN_FIELD 3:1 /States/A/Foo"}));
}

TEST(Lint, SaysNothingOfStatesAroundOneThatIsBroken) {
  EXPECT_EQ(lint_json(R"({"StartAt":"A","States":{"A":{"Type":"Pss","Next":"B"},"B":{"Type":"Succeed"}}})"),
            std::vector<std::string>{"ASL_UNKNOWN_STATE_TYPE 1:38 /States/A/Type"});
}

TEST(UnsupportedFeatures, AreNoneInAnOrdinaryDefinition) {
  Diagnostics diagnostics;
  const Definition definition = parse_definition(
      text::parse_definition(R"({"StartAt":"A","States":{"A":{"Type":"Succeed"}}})").value(), diagnostics);
  EXPECT_TRUE(unsupported_features(definition).empty());
}

TEST(UnsupportedFeatures, AreFoundInsideBranches) {
  Diagnostics diagnostics;
  const Definition definition =
      parse_definition(text::parse_definition(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[
        {"StartAt":"A","States":{"A":{"Type":"Pass","QueryLanguage":"JSONata","End":true}}}]}}})")
                           .value(),
                       diagnostics);
  const Diagnostics found = unsupported_features(definition);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "ASL_UNSUPPORTED_JSONATA");
  EXPECT_EQ(found[0].pointer, "/States/P/Branches/0/States/A/QueryLanguage");
}

}  // namespace
}  // namespace pawl::asl
