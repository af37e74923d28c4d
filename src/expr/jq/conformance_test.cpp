// The language as data: the cases of tests/conformance/jq/, one JSON object a line.
//
// own.jsonl and checked.jsonl have a program, an input, and its outputs or the code of its error. decided.jsonl also
// has what jq 1.6 answers (null where it does not take the program) and the reason for the difference.
#include <fstream>

#include <gtest/gtest.h>

#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

std::vector<Value> read_cases(const std::string& name) {
  std::ifstream file(PAWL_SOURCE_DIR "/tests/conformance/jq/" + name);
  std::vector<Value> cases;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) cases.push_back(testing::json_of(line));
  return cases;
}

// As they print, so that 1 and 1.0 differ.
std::string joined(const Value& outputs) {
  std::string text;
  for (const Value& output : outputs.items()) text += (text.empty() ? "" : " ") + json::print(output);
  return text;
}

std::string expected_of(const Value& test_case) {
  const Value* error = test_case.find("error");
  return error != nullptr ? std::string(error->as_string()) : joined(*test_case.find("outputs"));
}

void run_cases(const std::string& name, size_t count_min) {
  const std::vector<Value> cases = read_cases(name);
  ASSERT_GE(cases.size(), count_min);
  for (const Value& test_case : cases) {
    const std::string program(test_case.find("program")->as_string());
    const std::string input = json::print(*test_case.find("input"));
    EXPECT_EQ(testing::answer(program, input), expected_of(test_case)) << program << "\n  on " << input;
  }
}

TEST(JqConformance, OwnCasesGiveWhatIsExpected) { run_cases("own.jsonl", 150); }

TEST(JqConformance, CasesCheckedWithJqGiveTheSame) { run_cases("checked.jsonl", 350); }

TEST(JqConformance, DecidedDifferencesAreAsTold) { run_cases("decided.jsonl", 25); }

}  // namespace
}  // namespace pawl::jq
