// How long a function takes to come back to where it was, and what a step costs beside its checkpoint.
#include <benchmark/benchmark.h>

#include "pawl/durable.h"
#include "sdk/context_state.h"

namespace pawl::durable {
namespace {

Task<std::int64_t> sum_of_steps(Context& ctx, int steps) {
  std::int64_t sum = 0;
  for (int index = 0; index < steps; ++index) sum += co_await ctx.step("step", [index] { return index; });
  co_return sum;
}

OperationRecord execution_record(int steps) {
  OperationRecord record;
  record.id = "execution";
  record.type = OperationType::Execution;
  record.input = std::to_string(steps);
  return record;
}

// Takes every update and keeps nothing.
class Forgetful final : public DurableService {
 public:
  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline) override {
    CheckpointAnswer answer;
    answer.token = request.token;
    return answer;
  }
  StatePage state(const std::string&, const std::string&, const std::string&, Deadline) override { return {}; }
};

InvocationEvent event_of(int steps, int recorded) {
  InvocationEvent event;
  event.execution_arn = "arn";
  event.token = "token";
  event.operations.push_back(execution_record(steps));
  for (int index = 0; index < recorded; ++index) {
    OperationRecord record;
    record.id = detail::key_of("", static_cast<std::uint64_t>(index) + 1).id;
    record.status = OperationStatus::Succeeded;
    record.name = "step";
    record.sub_type = "Step";
    record.result = std::to_string(index);
    event.operations.push_back(std::move(record));
  }
  return event;
}

void run(benchmark::State& state, bool recorded) {
  const int steps = static_cast<int>(state.range(0));
  const Handler handler(sum_of_steps);
  Forgetful service;
  const InvocationEvent event = event_of(steps, recorded ? steps : 0);
  for (auto _ : state) {
    const FinishedInvocation finished = run_invocation(handler, event, service);
    benchmark::DoNotOptimize(finished.answer());
  }
  state.SetItemsProcessed(state.iterations() * steps);
}

void replay_recorded_steps(benchmark::State& state) { run(state, true); }
void run_new_steps(benchmark::State& state) { run(state, false); }
// Spec: 13.1.3
BENCHMARK(replay_recorded_steps)->Arg(1000);
BENCHMARK(run_new_steps)->Arg(1000);

}  // namespace
}  // namespace pawl::durable
