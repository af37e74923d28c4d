#include "cli/junit.h"

#include <array>
#include <cstdio>
#include <fstream>

namespace pawl::cli {

namespace {

using cases::CaseResult;
using Verdict = CaseResult::Verdict;

// XML 1.0 has no way to write most control characters: they become '?'.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
      result += '?';
    else
      result += c;
  }
  return result;
}

std::string seconds(std::chrono::microseconds took) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6f", static_cast<double>(took.count()) / 1e6);
  return text.data();
}

std::string verdict_element(const CaseResult& result) {
  std::string details;
  for (const std::string& difference : result.differences) details += difference + "\n";
  switch (result.verdict) {
    case Verdict::kPassed:
      return "";
    case Verdict::kFailed:
      return "<failure message=\"" + escaped(result.differences[0]) + "\">" + escaped(details) + "</failure>";
    case Verdict::kSkipped:
      return "<skipped message=\"" + escaped(result.differences[0]) + "\"/>";
  }
  return "";
}

}  // namespace

void JunitReport::begin_file(const std::string& name) { suites_.push_back({.name = name, .cases = {}}); }

void JunitReport::add(const cases::Case& source, const CaseResult& result) {
  Suite& suite = suites_.back();
  ++suite.tests;
  if (result.verdict == Verdict::kFailed) ++suite.failures;
  if (result.verdict == Verdict::kSkipped) ++suite.skipped;
  suite.cases += "    <testcase classname=\"" + escaped(suite.name) + "\" name=\"" + escaped(source.name) +
                 "\" time=\"" + seconds(result.took) + "\">" + verdict_element(result) + "</testcase>\n";
}

std::string JunitReport::text() const {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pawl test\">\n";
  for (const Suite& suite : suites_)
    xml += "  <testsuite name=\"" + escaped(suite.name) + "\" tests=\"" + std::to_string(suite.tests) +
           "\" failures=\"" + std::to_string(suite.failures) + "\" skipped=\"" + std::to_string(suite.skipped) +
           "\">\n" + suite.cases + "  </testsuite>\n";
  return xml + "</testsuites>\n";
}

Result<void> JunitReport::write_to(const std::string& path) const {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text();
  file.close();
  if (!file)
    return fail("FILE_UNWRITABLE", "The report cannot be written.", "Check the folder and your rights to it.", path);
  return {};
}

}  // namespace pawl::cli
