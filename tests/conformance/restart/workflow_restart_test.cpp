// Every case of Serverless Workflow and of SM4C on SQLite, with the engine and the store closed and opened again after
// every commit. (`pawl test --prove-rebuild` does the same on a store in memory.)
#include <iostream>
#include <optional>

#include <gtest/gtest.h>

#include "case_files.h"
#include "cases/workflow_case.h"
#include "restarted_run.h"

namespace pawl::conformance {
namespace {

// So that a suite that is not found is noticed.
constexpr size_t kServerlessCasesMin = 200;
constexpr size_t kSm4cCasesMin = 30;

// A data directory that must hold the same rows after it was closed and opened.
class CheckedDisk {
 public:
  explicit CheckedDisk(size_t& openings) : disk_(make_sqlite_disk(fast_folder())), openings_(openings) {}

  store::Store& open() {
    const std::optional<std::string> before = store_ == nullptr ? std::nullopt : std::optional(store_->dump());
    store_ = &disk_->open();
    ++openings_;
    EXPECT_EQ(store_->dump(), before.value_or(store_->dump()));
    return *store_;
  }

 private:
  std::unique_ptr<Disk> disk_;
  store::Store* store_ = nullptr;
  size_t& openings_;
};

void run_all(const std::string& folder, size_t cases_min) {
  const auto all = read_cases(folder);
  EXPECT_GE(all.size(), cases_min);
  size_t openings = 0;
  for (const cases::Case& one : all) {
    if (!cases::is_workflow(one) || one.skip) continue;
    CheckedDisk disk(openings);
    std::vector<std::string> differences;
    cases::run_and_judge_workflow(
        one, {.restarts = true, .open_store = [&]() -> store::Store& { return disk.open(); }, .on_fact = {}},
        differences);
    for (const std::string& difference : differences)
      ADD_FAILURE() << one.definition_name << ": " << one.name << ": " << difference;
  }
  EXPECT_GT(openings, 2 * all.size());
  std::cout << all.size() << " cases, " << openings << " openings\n";
}

TEST(WorkflowRestartAfterEveryCommit, ChangesNoCaseOfServerlessWorkflow) { run_all("serverless", kServerlessCasesMin); }

TEST(WorkflowRestartAfterEveryCommit, ChangesNoCaseOfSm4c) { run_all("sm4c", kSm4cCasesMin); }

}  // namespace
}  // namespace pawl::conformance
