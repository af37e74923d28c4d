#include "api/definition.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::api {
namespace {

constexpr const char* kPass = R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}})";

LoadedDefinition load(std::string_view text, std::string_view file = "flow.json",
                      std::vector<std::string> assignments = {}) {
  return load_definition({.text = text, .file = file, .assignments = std::move(assignments), .read = {}});
}

TEST(LoadDefinition, KnowsTheStatesLanguageByItsStates) {
  const LoadedDefinition loaded = load(kPass);
  EXPECT_EQ(loaded.language, Language::kAsl);
  EXPECT_NE(loaded.program, nullptr);
  EXPECT_EQ(loaded.program, loaded.asl);
  EXPECT_TRUE(loaded.name.empty());
}

TEST(LoadDefinition, KnowsAServerlessWorkflowByItsStatesAndItsName) {
  const LoadedDefinition loaded = load(R"({"id":"hello","name":"Hello","version":"1","states":[{"name":"A",
    "type":"inject","data":{},"start":{"kind":"default"},"end":{"kind":"default"}}]})");
  EXPECT_EQ(loaded.language, Language::kServerless);
  EXPECT_NE(loaded.program, nullptr);
  EXPECT_EQ(loaded.asl, nullptr);
  EXPECT_EQ(loaded.name, "hello");
}

TEST(LoadDefinition, KnowsAStateMachineByItsStatesWithoutTypes) {
  const LoadedDefinition loaded = load(R"({"id":"hello","name":"Hello World","version":"1","states":[{"name":"A",
    "start":true}]})");
  EXPECT_EQ(loaded.language, Language::kSm4c);
  EXPECT_NE(loaded.program, nullptr);
  EXPECT_EQ(loaded.name, "hello");
}

TEST(LoadDefinition, TakesAStateMachineFromItsFilesNameWhateverItHas) {
  EXPECT_EQ(load(R"({"states":[{"name":"A","type":"inject"}]})", "a.sm4c.json").language, Language::kSm4c);
}

TEST(LoadDefinition, GivesTheOptionsOfALanguageToItsDefinitionsOnly) {
  EXPECT_TRUE(load(R"({"name":"m","version":"1","states":[{"name":"A","start":true}]})", "m.json", {"sm4c.wait=always"})
                  .diagnostics.empty());
  EXPECT_EQ(load(kPass, "flow.json", {"sm4c.wait=always"}).diagnostics[0].code, "OPTION_UNKNOWN");
}

TEST(LoadDefinition, SaysThatATextIsInNoLanguage) {
  const LoadedDefinition loaded = load(R"({"steps":[]})");
  EXPECT_EQ(loaded.program, nullptr);
  ASSERT_EQ(loaded.diagnostics.size(), 1U);
  EXPECT_EQ(loaded.diagnostics[0].code, "DEFINITION_LANGUAGE_UNKNOWN");
  EXPECT_EQ(loaded.diagnostics[0].file, "flow.json");
  EXPECT_FALSE(loaded.diagnostics[0].fix.empty());
}

TEST(LoadDefinition, TakesTheLanguageFromTheFilesNameWhereTheTextDoesNotTell) {
  const LoadedDefinition loaded = load("{}", "flow.asl.json");
  EXPECT_EQ(loaded.language, Language::kAsl);
  EXPECT_TRUE(has_errors(loaded.diagnostics));
}

TEST(LoadDefinition, RefusesATextThatCannotBeParsedWithItsPlace) {
  const LoadedDefinition loaded = load("{\n  \"States\": }", "flow.json");
  ASSERT_EQ(loaded.diagnostics.size(), 1U);
  EXPECT_EQ(loaded.diagnostics[0].code, "JSON_UNEXPECTED_CHARACTER");
  EXPECT_EQ(loaded.diagnostics[0].position.line, 2U);
}

TEST(LoadDefinition, RefusesAnOptionThatTheLanguageDoesNotHave) {
  const LoadedDefinition loaded = load(kPass, "flow.json", {"colour=red"});
  EXPECT_EQ(loaded.program, nullptr);
  ASSERT_EQ(loaded.diagnostics.size(), 1U);
  EXPECT_EQ(loaded.diagnostics[0].code, "OPTION_UNKNOWN");
}

TEST(LintDefinition, HasTheFindingsOfTheLanguage) {
  const Diagnostics found = lint_definition({.text = R"({"StartAt":"B","States":{"A":{"Type":"Pass","End":true}}})",
                                             .file = "f",
                                             .assignments = {},
                                             .read = {}});
  EXPECT_TRUE(has_errors(found));
}

TEST(DrawDefinition, RefusesWhatCannotBeRead) {
  const auto drawn = draw_definition(R"({"steps":[]})", "flow.json");
  ASSERT_FALSE(drawn.has_value());
  EXPECT_EQ(drawn.error()[0].code, "DEFINITION_LANGUAGE_UNKNOWN");
}

TEST(ReadFrom, KnowsOnlyTheFilesThatItWasGiven) {
  const ReadFile read = read_from({{"person.json", "{}"}});
  EXPECT_EQ(read("person.json").value(), "{}");
  EXPECT_EQ(read("other.json").error().code, "FILE_UNREADABLE");
}

}  // namespace
}  // namespace pawl::api
