// The cases of wait/.
#include "cases.h"

namespace pawl::conformance {
namespace {

using namespace std::chrono_literals;

Task<void> basic(Context& ctx) { co_await ctx.wait(2s); }
Task<void> with_name(Context& ctx) { co_await ctx.wait("custom_wait_name", 2s); }

Task<Json> two_in_a_row(Context& ctx) {
  co_await ctx.wait("wait-1", 2s);
  co_await ctx.wait("wait-2", 2s);
  co_return Json::object({{"completedWaits", 2}});
}

Task<void> a_minute(Context& ctx) { co_await ctx.wait(1min); }
Task<void> an_hour(Context& ctx) { co_await ctx.wait(1h); }

}  // namespace

void add_wait_cases(Cases& cases) {
  cases.add("2-1", basic);  // Spec: 4.5.2.3-5
  cases.add("2-2", with_name);
  cases.add("2-3", two_in_a_row);
  cases.add("2-4", a_minute);  // Spec: 4.5.2.1-2
  cases.add("2-5", an_hour);   // Spec: 4.5.2.1-2
}

}  // namespace pawl::conformance
