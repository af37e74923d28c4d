// An order as a durable function: charge, wait a day, ask a person, ship the items, four at a time. Run it in this
// process with
//
//   order --local --input '{"id":"42","items":[{"sku":"A-1","price":3}],"auto_approve":true}'
//
// or let Pawl or AWS Lambda start it. It survives a crash between any two lines.
#include <optional>
#include <string>
#include <vector>

#include "pawl/durable.h"

namespace durable = pawl::durable;
using namespace std::chrono_literals;

struct Item {
  std::string sku;
  double price = 0;
};
PAWL_DURABLE_FIELDS(Item, sku, price)

struct Order {
  std::string id;
  std::vector<Item> items;
  std::optional<int> cool_off_seconds;  // a day without it
  std::optional<bool> auto_approve;
};
PAWL_DURABLE_FIELDS(Order, id, items, cool_off_seconds, auto_approve)

struct Approval {
  bool approved = false;
};
PAWL_DURABLE_FIELDS(Approval, approved)

struct Receipt {
  std::string status;
  std::string payment;
  std::vector<std::string> parcels;
};
PAWL_DURABLE_FIELDS(Receipt, status, payment, parcels)

std::string charge(const Order& order) {
  double total = 0;
  for (const Item& item : order.items) total += item.price;
  if (total <= 0) throw durable::ApplicationError("EmptyOrder", "order " + order.id + " costs nothing");
  return "payment-" + order.id;
}

durable::Task<std::string> ship_item(durable::Context& ctx, Item item) {
  co_return co_await ctx.step("book", [&] { return "parcel-" + item.sku; });
}

durable::Task<bool> approved(durable::Context& ctx, const Order& order) {
  if (order.auto_approve.value_or(false)) co_return true;
  auto approval = co_await ctx.create_callback<Approval>("approval", {.timeout = 48h});
  co_await ctx.step("ask", [&](durable::StepContext& step) {
    step.logger().info("who approves?", durable::Json::object({{"callback", approval.id()}}));
  });
  co_return (co_await approval.result()).approved;
}

durable::Task<Receipt> order(durable::Context& ctx, Order order) {
  const std::string payment =
      co_await ctx.step("charge", [&] { return charge(order); }, {.retry = durable::retry::fixed(3, 10s)});
  co_await ctx.wait("cool-off", std::chrono::seconds(order.cool_off_seconds.value_or(24 * 3600)));
  if (!(co_await approved(ctx, order))) co_return Receipt{"rejected", payment, {}};
  const auto shipped = co_await ctx.map("ship", order.items, ship_item, {.max_concurrency = 4});
  co_return Receipt{"shipped", payment, shipped.results()};
}

int main() { return durable::serve("order", order); }
