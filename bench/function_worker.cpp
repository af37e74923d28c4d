// Durable functions, for bench/durable: what its input names.
//
//   "ten"     ten steps in a row
//   "asleep"  one step, then a wait of a day
//
// As any function it takes its calls from AWS_LAMBDA_RUNTIME_API, PAWL_DURABLE_SLOTS of them at once.
#include <string>

#include "pawl/durable.h"

namespace durable = pawl::durable;
using namespace std::chrono_literals;

namespace {

constexpr int kSteps = 10;

durable::Task<int> run(durable::Context& ctx, std::string what) {
  int sum = 0;
  const int steps = what == "ten" ? kSteps : 1;
  for (int step = 0; step < steps; ++step) sum += co_await ctx.step("add", [step] { return step; });
  if (what == "asleep") co_await ctx.wait("day", 24h);
  co_return sum;
}

}  // namespace

int main() { return durable::serve("steps", run); }
