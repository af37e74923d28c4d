#include "text/diagnostics_format.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/pointer.h"
#include "json/print.h"

namespace pawl::text {
namespace {

const Diagnostic kFull{Severity::kError, "ASL_UNKNOWN_FIELD", "my flow.json",
                       {4, 7},           "/States/A/Nxet",    "The field \"Nxet\" is unknown.",
                       "Write Next."};
const Diagnostic kBare{Severity::kWarning, "ASL_NO_END", "", {}, "", "Nothing ends.", ""};

std::string part(const std::string& text, std::string_view pointer) {
  const json::Value root = json::parse(text).value();
  const json::Value* found = json::find_pointer(root, pointer);
  return found == nullptr ? "nothing" : json::print(*found);
}

TEST(FormatAsText, WritesPlaceCodePointerCauseAndFix) {
  EXPECT_EQ(format_as_text({kFull}),
            "my flow.json:4:7: error ASL_UNKNOWN_FIELD at /States/A/Nxet: The field \"Nxet\" is unknown.\n"
            "  fix: Write Next.\n");
}

TEST(FormatAsText, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(format_as_text({kBare, kBare}), "warning ASL_NO_END: Nothing ends.\nwarning ASL_NO_END: Nothing ends.\n");
  Diagnostic without_file = kFull;
  without_file.file.clear();
  EXPECT_EQ(format_as_text({without_file}).substr(0, 11), "4:7: error ");
  EXPECT_EQ(format_as_text({}), "");
}

TEST(FormatAsText, EscapesControlCharacters) {
  Diagnostic hostile = kBare;
  hostile.cause = "a\x1b[2Jb\nc";
  EXPECT_EQ(format_as_text({hostile}), "warning ASL_NO_END: a\\u001b[2Jb\\u000ac\n");
}

TEST(FormatAsJson, WritesOneObjectForEachFinding) {
  EXPECT_EQ(json::print(*json::parse(format_as_json({kFull, kBare}))),
            R"([{"severity":"error","code":"ASL_UNKNOWN_FIELD","file":"my flow.json","line":4,"column":7,)"
            R"("pointer":"/States/A/Nxet","cause":"The field \"Nxet\" is unknown.","fix":"Write Next."},)"
            R"({"severity":"warning","code":"ASL_NO_END","cause":"Nothing ends."}])");
  EXPECT_EQ(format_as_json({}), "[]\n");
}

TEST(FormatAsSarif, WritesOneRunWithRulesAndResults) {
  const std::string sarif = format_as_sarif({kFull, kBare, kFull}, "1.2.3");
  EXPECT_EQ(part(sarif, "/version"), "\"2.1.0\"");
  EXPECT_EQ(part(sarif, "/runs/0/tool/driver"),
            R"({"name":"pawl","version":"1.2.3","rules":[{"id":"ASL_UNKNOWN_FIELD"},{"id":"ASL_NO_END"}]})");
  EXPECT_EQ(part(sarif, "/runs/0/columnKind"), "\"unicodeCodePoints\"");
  EXPECT_EQ(part(sarif, "/runs/0/results/0"),
            R"({"ruleId":"ASL_UNKNOWN_FIELD","ruleIndex":0,"level":"error",)"
            R"("message":{"text":"The field \"Nxet\" is unknown. Fix: Write Next."},"locations":[{"physicalLocation":)"
            R"({"artifactLocation":{"uri":"my%20flow.json"},"region":{"startLine":4,"startColumn":7}},)"
            R"("logicalLocations":[{"fullyQualifiedName":"/States/A/Nxet"}]}]})");
  EXPECT_EQ(
      part(sarif, "/runs/0/results/1"),
      R"({"ruleId":"ASL_NO_END","ruleIndex":1,"level":"warning","message":{"text":"Nothing ends."},"locations":[]})");
  EXPECT_EQ(part(sarif, "/runs/0/results/2/ruleIndex"), "0");
}

TEST(FormatAsSarif, IsARunWithoutResultsWhereNothingIsFound) {
  EXPECT_EQ(part(format_as_sarif({}, "1"), "/runs/0/results"), "[]");
  EXPECT_EQ(part(format_as_sarif({}, "1"), "/runs/0/tool/driver/rules"), "[]");
}

TEST(FormatAsSarif, WritesAbsoluteFilesAsUris) {
  Diagnostic absolute = kFull;
  absolute.file = "/tmp/a#b\u00e9.json";
  EXPECT_EQ(
      part(format_as_sarif({absolute}, "1"), "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri"),
      "\"file:///tmp/a%23b%C3%A9.json\"");
}

TEST(ToDiagnostic, TakesThePlaceFromAnError) {
  const auto parsed = json::parse("{\n  x");
  const Diagnostic diagnostic = to_diagnostic(parsed.error(), "a.json");
  EXPECT_EQ(diagnostic.position, (Position{2, 3}));
  EXPECT_EQ(diagnostic.code, "JSON_UNEXPECTED_CHARACTER");
  EXPECT_EQ(diagnostic.file, "a.json");
  EXPECT_EQ(to_diagnostic(Error{"X", "state A", "w", ""}, "").position, (Position{}));
}

}  // namespace
}  // namespace pawl::text
