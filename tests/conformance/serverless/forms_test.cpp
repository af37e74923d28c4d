// The published examples in JSON and in YAML: one history, fact by fact.
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "api/fact_json.h"
#include "cases/workflow_case.h"
#include "json/print.h"

namespace pawl::conformance {
namespace {

constexpr size_t kPairsMin = 16;  // so that a suite that is not found is noticed

// The facts as text, without the random ids of produced events.
std::vector<std::string> history_of(const cases::Case& source) {
  std::vector<std::string> facts;
  std::vector<std::string> differences;
  const auto add = [&](const api::BenchFact& told) {
    kernel::Fact fact = told.fact;
    if (fact.kind == kernel::FactKind::kEventPublished) fact.value = fact.value.without_member("id");
    facts.push_back(json::print(api::fact_to_json(fact, told.seq, told.program)));
  };
  cases::run_and_judge_workflow(source, {.restarts = false, .open_store = {}, .on_fact = add}, differences);
  EXPECT_TRUE(differences.empty()) << source.name << ": " << differences.front();
  return facts;
}

TEST(PublishedExamples, HaveTheSameHistoryInBothForms) {
  const std::filesystem::path corpus = PAWL_SOURCE_DIR "/../shared/corpus/serverless";
  if (!std::filesystem::exists(corpus)) GTEST_SKIP() << "There is no " << corpus;
  const auto file = cases::read_case_file(PAWL_SOURCE_DIR "/tests/conformance/serverless/examples.test.yaml");
  ASSERT_TRUE(file) << to_string(file.error());
  std::map<std::string, std::vector<cases::Case>> forms;  // by the case's name without the file's
  for (const cases::Case& one : file->cases)
    if (one.name.ends_with(".json)") || one.name.ends_with(".yaml)"))
      forms[one.name.substr(0, one.name.rfind(" ("))].push_back(one);
  EXPECT_GE(forms.size(), kPairsMin);
  for (const auto& [name, pair] : forms) {
    ASSERT_EQ(pair.size(), 2u) << name;
    const std::vector<std::string> first = history_of(pair[0]);
    const std::vector<std::string> second = history_of(pair[1]);
    ASSERT_EQ(first.size(), second.size()) << name;
    for (size_t index = 0; index < first.size(); ++index) EXPECT_EQ(first[index], second[index]) << name;
  }
}

}  // namespace
}  // namespace pawl::conformance
