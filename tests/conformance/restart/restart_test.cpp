// Every case of the language's conformance suite on the durable engine, restarted after every commit.
#include <iostream>

#include <gtest/gtest.h>

#include "case_files.h"
#include "cases/run_case.h"
#include "restarted_run.h"

namespace pawl::conformance {
namespace {

constexpr size_t kCasesMin = 200;  // so that a suite that is not found is noticed

// The interval of a heartbeat begins anew with a restart, so one while a task is silent makes it longer.
cases::Case without_times_of_heartbeats(cases::Case one) {
  if (one.definition.contains("Heartbeat") && one.expect.find("elapsed") != nullptr)
    one.expect = one.expect.without_member("elapsed");
  return one;
}

void run_all(Crash crash, const std::function<std::unique_ptr<Disk>()>& make_disk) {
  const auto all = read_cases("asl");
  EXPECT_GE(all.size(), kCasesMin);
  RestartCounts counts;
  for (const cases::Case& one : all) {
    const auto run = [&](const asl::Program& program, const api::ExecutionSetup& setup, connect::Router& tasks,
                         const std::stop_source&) {
      const auto disk = make_disk();
      return run_restarted(program, setup, tasks, *disk, crash, counts);
    };
    const cases::CaseResult result =
        cases::run_case_by(run, crash == Crash::kAfterEachCommit ? one : without_times_of_heartbeats(one));
    if (result.verdict == cases::CaseResult::Verdict::kFailed)
      for (const std::string& difference : result.differences)
        ADD_FAILURE() << one.definition_name << ": " << one.name << ": " << difference;
  }
  EXPECT_GT(counts.restarts, all.size());
  std::cout << all.size() << " cases, " << counts.restarts << " restarts, " << counts.calls_again
            << " calls of tasks made again\n";
}

std::unique_ptr<Disk> make_fast_sqlite_disk() { return make_sqlite_disk(fast_folder()); }

TEST(RestartAfterEveryCommit, ChangesNoCaseOnAStoreInMemory) { run_all(Crash::kAfterEachCommit, make_memory_disk); }

TEST(RestartAfterEveryCommit, ChangesNoCaseOnSqlite) { run_all(Crash::kAfterEachCommit, make_fast_sqlite_disk); }

TEST(RestartBeforeEveryCommit, ChangesNoCaseOnAStoreInMemory) {
  run_all(Crash::kBeforeAndAfterEachCommit, make_memory_disk);
}

TEST(RestartBeforeEveryCommit, ChangesNoCaseOnSqlite) {
  run_all(Crash::kBeforeAndAfterEachCommit, make_fast_sqlite_disk);
}

}  // namespace
}  // namespace pawl::conformance
