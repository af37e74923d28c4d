// Embeds Pawl: an order is charged by a C++ function that fails at first, and the definition retries it.
#include <iostream>

#include "pawl/engine.h"

namespace {

constexpr std::string_view kDefinition = R"({
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task",
      "Resource": "shop:charge",
      "Retry": [{"ErrorEquals": ["Bank.Busy"], "IntervalSeconds": 60, "MaxAttempts": 3}],
      "ResultPath": "$.receipt",
      "Next": "Pack"
    },
    "Pack": {"Type": "Task", "Resource": "shop:pack", "ResultPath": "$.parcel", "End": true}
  }
})";

pawl::TaskResult charge(const pawl::TaskCall& call) {
  if (call.attempt == 0) return pawl::TaskResult::failure("Bank.Busy", "try again in a minute");
  return pawl::TaskResult::success(R"({"number":"R-1"})");
}

pawl::TaskResult pack(const pawl::TaskCall& call) {
  std::cerr << "packing " << call.input << "\n";
  return pawl::TaskResult::success(R"({"weight":2.5})");
}

void print_problem(const pawl::Problem& problem) {
  std::cerr << problem.where << ": " << problem.code << ": " << problem.cause << " " << problem.fix << "\n";
}

}  // namespace

int main() {
  pawl::Engine engine;
  engine.handle("shop:charge", charge).handle("shop:pack", pack);

  const pawl::Compilation compiled = engine.compile(kDefinition, "order");
  for (const pawl::Problem& problem : compiled.problems) print_problem(problem);
  if (!compiled.workflow) return 2;

  pawl::RunSettings settings;
  settings.virtual_time = true;  // the minute between the attempts takes no time
  const pawl::RunResult result = engine.run(*compiled.workflow, R"({"order":7})", settings);
  if (result.problem) print_problem(*result.problem);
  if (!result.succeeded()) return 1;
  std::cout << result.output << "\n";
  return 0;
}
