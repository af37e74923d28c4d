// Runs one case and compares.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "api/machine.h"
#include "cases/case_file.h"

namespace pawl::cases {

struct CaseResult {
  enum class Verdict : uint8_t { kPassed, kFailed, kSkipped };
  Verdict verdict = Verdict::kPassed;
  std::vector<std::string> differences;  // one line each; of a skipped case, the reason
  std::chrono::microseconds took{};      // real time
};

// In virtual time, every task answered by the case's mocks. Proves, too, that the execution rebuilt from its facts
// equals the live one, where `prove_rebuild` asks for it; a workflow then runs on an engine that is opened again after
// every commit.
CaseResult run_case(const Case& source, bool prove_rebuild = false);

// As api::run_machine, in another way.
using RunMachine = std::function<Result<engine::LocalRun>(const asl::Program&, const api::ExecutionSetup&,
                                                          connect::Router&, const std::stop_source&)>;
// The same, with runs made by `run`.
CaseResult run_case_by(const RunMachine& run, const Case& source);

}  // namespace pawl::cases
