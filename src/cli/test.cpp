// `pawl test`: a user's own cases.
#include <cstdio>

#include "cases/case_file.h"
#include "cases/run_case.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/junit.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using cases::Case;
using cases::CaseResult;
using json::Value;
using Verdict = CaseResult::Verdict;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kSkipped:
      return "skipped";
  }
  return "";
}

struct Tally {
  size_t passed = 0;
  size_t failed = 0;
  size_t skipped = 0;

  void add(Verdict verdict) {
    switch (verdict) {
      case Verdict::kPassed:
        ++passed;
        return;
      case Verdict::kFailed:
        ++failed;
        return;
      case Verdict::kSkipped:
        ++skipped;
        return;
    }
  }
  size_t total() const { return passed + failed + skipped; }
  std::string text() const {
    std::string counts = std::to_string(passed) + " passed";
    if (failed != 0) counts += ", " + std::to_string(failed) + " failed";
    if (skipped != 0) counts += ", " + std::to_string(skipped) + " skipped";
    return counts;
  }
};

std::string counted(size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void print_as_text(const std::string& file, const Case& source, const CaseResult& result) {
  if (result.verdict != Verdict::kFailed) return;
  print_line("FAIL " + file + ": " + source.name);
  for (const std::string& difference : result.differences) print_line("  " + difference);
  if (!source.cites.empty()) print_line("  cites: " + source.cites);
}

void print_as_json(const std::string& file, const Case& source, const CaseResult& result) {
  json::ObjectBuilder object;
  object.set("file", Value::string(file));
  object.set("case", Value::string(source.name));
  object.set("result", Value::string(name_of(result.verdict)));
  if (!source.cites.empty()) object.set("cites", Value::string(source.cites));
  json::ArrayBuilder differences;
  for (const std::string& difference : result.differences) differences.push(Value::string(difference));
  if (!result.differences.empty()) object.set("differences", differences.build());
  object.set("microseconds", Value::integer(result.took.count()));
  print_line(json::print(object.build()));
}

// Runs the cases of a file that the filter lets through, and reports each.
Tally run_file(const cases::CaseFile& file, const TestOptions& options, JunitReport& junit) {
  Tally tally;
  junit.begin_file(file.name);
  for (const Case& source : file.cases) {
    if (!source.name.contains(options.filter)) continue;
    const CaseResult result = cases::run_case(source, options.prove_rebuild);
    tally.add(result.verdict);
    junit.add(source, result);
    if (options.json)
      print_as_json(file.name, source, result);
    else
      print_as_text(file.name, source, result);
  }
  if (!options.json && tally.total() != 0) print_line(file.name + ": " + tally.text());
  return tally;
}

bool write_junit(const TestOptions& options, const JunitReport& junit) {
  if (!options.junit_file) return true;
  if (auto written = junit.write_to(*options.junit_file); !written) {
    report(written.error(), options.json);
    return false;
  }
  return true;
}

}  // namespace

int test(const TestOptions& options) {
  Tally all;
  JunitReport junit;
  bool usable = true;
  for (const std::string& name : options.files) {
    const auto file = cases::read_case_file(name);
    if (!file) {
      report(file.error(), options.json);
      usable = false;
      continue;
    }
    const Tally tally = run_file(*file, options, junit);
    all.passed += tally.passed;
    all.failed += tally.failed;
    all.skipped += tally.skipped;
  }
  usable = write_junit(options, junit) && usable;
  if (!options.json)
    print_line(counted(all.total(), "case") + " in " + counted(options.files.size(), "file") + ": " + all.text());
  if (!usable) return finish_output(kExitRefused);
  return finish_output(all.failed == 0 ? kExitOk : kExitFailed);
}

}  // namespace pawl::cli
