// What is recorded of errors: where they were made.
#include "pawl/durable/errors.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

struct OutOfPaper : std::runtime_error, Traced {
  using std::runtime_error::runtime_error;
};

[[gnu::noinline]] ErrorObject described_application_error() {
  return describe(std::make_exception_ptr(ApplicationError("OutOfStock", "none left")));
}

template <typename Exception>
ErrorObject described(const char* message) {
  return describe(std::make_exception_ptr(Exception(message)));
}

// How far behind the beginning of `function` a frame ("…+0xOFFSET", or that in parentheses) lies.
std::ptrdiff_t distance(const std::string& frame, const void* function) {
  Dl_info info{};
  EXPECT_NE(::dladdr(function, &info), 0);
  const auto offset = static_cast<std::ptrdiff_t>(std::stoull(frame.substr(frame.rfind("+0x") + 1), nullptr, 16));
  return offset - (static_cast<const char*>(function) - static_cast<const char*>(info.dli_fbase));
}

// Spec: 8.3.3.3: as far as C++ knows it: of errors that derive from Traced, and of those of this library.
TEST(Errors, TellWhereTheyWereMade) {
  const ErrorObject error = described_application_error();
  ASSERT_GE(error.stack_trace.size(), 2U);
  EXPECT_LE(error.stack_trace.size(), 32U);
  constexpr std::ptrdiff_t kFunctionBytesMax = 4096;
  const auto is_inside = [](const std::string& frame) {
    const auto behind = distance(frame, reinterpret_cast<const void*>(&described_application_error));
    return behind > 0 && behind < kFunctionBytesMax;
  };
  const bool begins_here = is_inside(error.stack_trace[0]) || is_inside(error.stack_trace[1]);
  EXPECT_TRUE(begins_here) << error.stack_trace[0];
  EXPECT_FALSE(described<OutOfPaper>("empty").stack_trace.empty());
  EXPECT_FALSE(described<ValidationError>("wrong").stack_trace.empty());
  EXPECT_TRUE(described<std::runtime_error>("elsewhere").stack_trace.empty());
}

TEST(Errors, KeepTheirTraceOverStepsContextsAndReplays) {
  std::vector<std::vector<std::string>> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<void> {
    try {
      co_await ctx.run_in_child_context("child", [](Context& child) -> Task<void> {
        co_await child.step("bad", [] { throw ApplicationError("OutOfStock", "none left"); }, {.retry = retry::none()});
      });
    } catch (const ChildContextError& error) {
      seen.push_back(error.cause().stack_trace);
    }
    co_await ctx.wait(1s);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_FALSE(seen[0].empty());
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], runner.operation("bad").error->stack_trace);
}

}  // namespace
}  // namespace pawl::durable
