// The durable function of the crash test: every kind of operation once. Each body of a step writes a line to the file
// PAWL_DEEDS, by which the test knows what really ran:
//
//   {"n":17,"deed":"charge"}
//
// "double" is a function of one step that "work" calls.
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "pawl/durable.h"

namespace durable = pawl::durable;
using namespace std::chrono_literals;

namespace {

// One write to a file that is opened for appending is never torn apart by another.
void write_deed(int n, const std::string& deed, const std::string& detail = {}) {
  static const int file = ::open(std::getenv("PAWL_DEEDS"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const auto line = durable::Json::object({{"n", n}, {"deed", deed}, {"detail", detail}}).dump() + "\n";
  if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
}

// "interrupted" where the process was killed while the step ran: it must not run twice.
durable::Task<std::string> pay_once(durable::Context& ctx, int n) {
  try {
    co_return co_await ctx.step("pay",
                                [n] {
                                  write_deed(n, "pay");
                                  return std::string("paid");
                                },
                                {.retry = durable::retry::none(), .semantics = durable::StepSemantics::AtMostOnce});
  } catch (const durable::StepError&) {
    co_return "interrupted";
  }
}

durable::Task<std::string> ask(durable::Context& ctx, int n) {
  auto answer = co_await ctx.create_callback<std::string>("answer");
  co_await ctx.step("ask", [&] { write_deed(n, "ask", answer.id()); });
  co_return co_await answer.result();
}

int fail_once(int n, const durable::StepContext& step) {
  write_deed(n, "flaky");
  if (step.attempt() == 1) throw std::runtime_error("not yet");
  return step.attempt();
}

struct Outcome {
  int doubled = 0;
  std::string paid;
  std::string answer;
  int tries = 0;
  std::vector<int> items;
};
PAWL_DURABLE_FIELDS(Outcome, doubled, paid, answer, tries, items)

durable::Task<int> ship(durable::Context& ctx, int item) {
  co_return co_await ctx.step("ship", [item] {
    write_deed(item / 10, "ship-" + std::to_string(item % 10));
    return item;
  });
}

durable::Task<int> twice(durable::Context& ctx, int n) {
  co_return co_await ctx.step("double", [n] {
    write_deed(n, "double");
    return 2 * n;
  });
}

durable::Task<Outcome> work(durable::Context& ctx, int n) {
  Outcome outcome;
  co_await ctx.step("charge", [n] { write_deed(n, "charge"); });
  outcome.paid = co_await pay_once(ctx, n);
  co_await ctx.wait("pause", 1s);
  outcome.doubled = co_await ctx.invoke<int>("double", "double", n);
  outcome.answer = co_await ask(ctx, n);
  outcome.tries = co_await ctx.step("flaky", [n](durable::StepContext& step) { return fail_once(n, step); },
                                    {.retry = durable::retry::fixed(3, 1s)});
  const std::vector<int> items{10 * n + 1, 10 * n + 2, 10 * n + 3};
  const auto shipped = co_await ctx.map("ship", items, ship, {.max_concurrency = 2});
  outcome.items = shipped.results();
  co_return outcome;
}

}  // namespace

int main() {
  const char* name = std::getenv("AWS_LAMBDA_FUNCTION_NAME");
  if (name != nullptr && std::string(name) == "double") return durable::serve("double", twice);
  return durable::serve("work", work);
}
