// What `pawl lint-durable` has nothing to say about.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>

#include "pawl/durable.h"

namespace durable = pawl::durable;

int throw_dice() { return std::rand(); }

durable::Task<int> right(durable::Context& ctx, int n) {
  const auto now = ctx.now();
  n += co_await ctx.step("dice", [] { return throw_dice() + std::rand(); });
  co_await ctx.step("tell", [&] {
    std::cout << "charged\n";
    return std::chrono::system_clock::now().time_since_epoch().count();
  });
  std::map<std::string, int> prices;
  for (const auto& [sku, price] : prices) n += price;
  std::unordered_map<std::string, int> known;
  n += known["a"];
  ctx.logger().info("done");
  co_return n;
}

int main() { return durable::serve("right", right); }
