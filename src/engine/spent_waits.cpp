#include "engine/spent_waits.h"

#include <algorithm>

namespace pawl::engine {

using store::SpentWait;
using store::SubscriptionRow;

void SpentWaits::load(const store::Store& store) {
  constexpr size_t kAtOnce = 10'000;
  *this = {};
  for (bool has_more = true; has_more;) {
    const auto page = store.spent_waits(last_, kAtOnce);
    for (const SpentWait& spent : page) add(spent);
    has_more = page.size() == kAtOnce;
  }
}

void SpentWaits::add(const SpentWait& spent) {
  waits_.insert(spent.wait);
  last_ = std::max(last_, spent.event);
}

std::vector<SubscriptionRow> SpentWaits::take_some(store::EventNumber& swept) {
  if (!is_sweeping_) {
    is_sweeping_ = true;
    sweep_until_ = last_;
    sweep_.assign(waits_.begin(), waits_.end());
    // As SQLite orders them: as signed numbers.
    std::ranges::sort(sweep_, std::ranges::greater(), [](const SubscriptionRow& wait) {
      return std::pair(static_cast<int64_t>(wait.key.high), static_cast<int64_t>(wait.key.low));
    });
  }
  const size_t count = std::min(sweep_.size(), kSweptAtOnce);
  std::vector<SubscriptionRow> taken(sweep_.end() - static_cast<std::ptrdiff_t>(count), sweep_.end());
  std::ranges::reverse(taken);
  sweep_.resize(sweep_.size() - count);
  std::erase_if(taken, [&](const SubscriptionRow& wait) { return waits_.erase(wait) == 0; });
  if (!sweep_.empty()) return taken;
  is_sweeping_ = false;
  swept = sweep_until_;
  return taken;
}

}  // namespace pawl::engine
