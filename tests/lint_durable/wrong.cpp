// What `pawl lint-durable` finds: each line that must be found names its code.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>

#include "pawl/durable.h"

namespace durable = pawl::durable;

durable::Task<int> wrong(durable::Context& ctx, int n) {
  const auto now = std::chrono::system_clock::now();  // DURABLE_CLOCK
  n += static_cast<int>(std::time(nullptr));          // DURABLE_CLOCK
  std::random_device device;                          // DURABLE_RANDOM
  std::mt19937 engine(1);                             // DURABLE_RANDOM
  n += rand();                                        // DURABLE_RANDOM
  std::unordered_map<std::string, int> prices;
  for (const auto& [sku, price] : prices) n += price;         // DURABLE_ORDER
  std::ofstream file("orders.txt");                           // DURABLE_IO
  std::cout << "charged\n";                                   // DURABLE_IO
  std::printf("charged\n");                                   // DURABLE_IO
  if (std::getenv("FAST") != nullptr) n += 1;                 // DURABLE_ENVIRONMENT
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // DURABLE_THREAD
  std::thread other([] {});                                   // DURABLE_THREAD
  other.join();
  const auto child = [](durable::Context&) -> durable::Task<int> {
    co_return rand();  // DURABLE_RANDOM
  };
  co_return co_await ctx.run_in_child_context("child", child);
}

int main() { return durable::serve("wrong", wrong); }
