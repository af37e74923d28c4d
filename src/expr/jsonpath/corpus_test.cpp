// The suites of ../shared/corpus/jsonpath: RFC 9535's own, and what Jayway answered.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/jsonpath/path.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::jsonpath {
namespace {

using ::testing::IsEmpty;

const std::filesystem::path kCorpus = PAWL_SOURCE_DIR "/../shared/corpus/jsonpath";

Value read_corpus(const char* name) {
  std::ifstream file(kCorpus / name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << name;
  return parsed ? *parsed : Value();
}

bool has_corpus(const char* name) { return std::filesystem::exists(kCorpus / name); }

std::string text_at(const Value& test, std::string_view key) {
  const Value* value = test.find(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::string describe(const Result<Value>& result) { return result ? json::print(*result) : to_string(result.error()); }

Result<Value> evaluate(std::string_view text, const Value& document, Dialect dialect) {
  auto path = Path::compile(text, dialect);
  if (!path) return std::unexpected(path.error());
  return path->evaluate(document);
}

// The order of members of an object, and so of what a wildcard or a descent finds, is free.
bool same_items(const Value& a, const Value& b) {
  return a.is_array() && b.is_array() && a.size() == b.size() &&
         std::is_permutation(a.items().begin(), a.items().end(), b.items().begin());
}

// The cases that a judge finds fault with, and what it says. An empty judgement is a pass.
template <typename Judge>
std::vector<std::string> failures_of(const Value& tests, Judge judge) {
  std::vector<std::string> failures;
  for (const Value& test : tests.items()) {
    const std::string judgement = judge(test);
    if (!judgement.empty()) failures.push_back(json::print(test) + ": " + judgement);
  }
  return failures;
}

std::string judge_rfc(const Value& test) {
  auto path = Path::compile(text_at(test, "selector"), Dialect::kRfc9535);
  if (test.find("invalid_selector") != nullptr) return path ? "accepted though invalid" : "";
  if (!path) return "refused: " + to_string(path.error());
  const auto nodes = path->nodes(*test.find("document"));
  if (!nodes) return "failed: " + to_string(nodes.error());
  json::ArrayBuilder found;
  for (const Value& node : *nodes) found.push(node);
  const Value result = found.build();
  if (const Value* expected = test.find("result")) return result == *expected ? "" : "found " + json::print(result);
  for (const Value& expected : test.find("results")->items())
    if (result == expected) return "";
  return "found " + json::print(result);
}

TEST(Rfc9535Suite, PassesEveryCase) {
  if (!has_corpus("cts.json")) GTEST_SKIP() << "no " << kCorpus << "/cts.json here";
  const Value suite = read_corpus("cts.json");
  const Value& tests = *suite.find("tests");
  EXPECT_THAT(failures_of(tests, judge_rfc), IsEmpty());
  EXPECT_EQ(tests.size(), 703U);
}

// "def 4", "indef [4]", "def EXC PathNotFoundException: No results for path: …", "COMPILE InvalidPathException: …".
std::string judge_oracle(const Value& test) {
  const std::string expected = text_at(test, "jayway_2_9_0");
  auto path = Path::compile(text_at(test, "path"), Dialect::kJayway);
  if (expected.starts_with("COMPILE")) return path ? "accepted though Jayway refuses it" : "";
  if (!path) return "refused: " + to_string(path.error());
  if (path->is_definite() != expected.starts_with("def")) return "has another definiteness";
  const std::string answer = expected.substr(expected.find(' ') + 1);
  const auto result = path->evaluate(*test.find("document"));
  if (!answer.starts_with("EXC")) {
    return result && *result == json::parse(answer).value() ? "" : "found " + describe(result);
  }
  if (result) return "found " + describe(result);
  const std::string sentence = answer.substr(answer.find(": ") + 2);
  return result.error().what == sentence ? "" : "says " + to_string(result.error());
}

TEST(JaywayOracle, IsAnsweredAlike) {
  if (!has_corpus("jayway_oracle.json")) GTEST_SKIP() << "no " << kCorpus << "/jayway_oracle.json here";
  const Value suite = read_corpus("jayway_oracle.json");
  EXPECT_THAT(failures_of(suite, judge_oracle), IsEmpty());
  EXPECT_EQ(suite.size(), 114U);
}

// A missing definite path and a null value are both null there.
std::string judge_comparison(const Value& test) {
  const Value& expected = *test.find("expected");
  const auto result = evaluate(text_at(test, "selector"), *test.find("document"), Dialect::kJayway);
  const bool no_match = !result && result.error().code == "JSONPATH_NO_MATCH";
  if (expected == Value::string("NOT_SUPPORTED") || expected == Value::string("(none)"))
    return !result && result.error().code == "JSONPATH_SYNTAX" ? "" : "found " + describe(result);
  if (expected == Value::string("NOT_FOUND")) return no_match ? "" : "found " + describe(result);
  if (expected.is_null() && no_match) return "";
  if (!result) return "failed: " + describe(result);
  const bool any_order = text_at(test, "selector").find_first_of("*") != std::string::npos ||
                         text_at(test, "selector").find("..") != std::string::npos;
  const bool equal = *result == expected || (any_order && same_items(*result, expected));
  return equal ? "" : "found " + json::print(*result);
}

TEST(JaywayComparison, IsAnsweredAlike) {
  if (!has_corpus("jayway_expected_258.json")) GTEST_SKIP() << "no " << kCorpus << "/jayway_expected_258.json here";
  const Value suite = read_corpus("jayway_expected_258.json");
  EXPECT_THAT(failures_of(suite, judge_comparison), IsEmpty());
  EXPECT_EQ(suite.size(), 258U);
}

}  // namespace
}  // namespace pawl::jsonpath
