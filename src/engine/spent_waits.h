// Waits that an event has ended and that are still in the store among the others.
//
// Waits are stored by key, so those that end one after another lie far apart: removing each at once would write a page
// for every event. Instead what an event ended is noted at the right edge of a small table, and known here by heart;
// when there are enough of them they are removed in the order of their keys, many from a page. Only the wait of a key
// that nothing else waits under is left so: nobody ever reads past many of them. Belongs to the desk.
#pragma once

#include <unordered_set>
#include <vector>

#include "store/store.h"

namespace pawl::engine {

inline constexpr size_t kSpentWaitsMax = 50'000;  // then they are removed
inline constexpr size_t kSweptAtOnce = 2'000;     // in one commit

class SpentWaits {
 public:
  void load(const store::Store& store);

  bool has(const store::SubscriptionRow& wait) const { return waits_.contains(wait); }
  void add(const store::SpentWait& spent);
  // It was removed in another way.
  void drop(const store::SubscriptionRow& wait) { waits_.erase(wait); }

  bool must_sweep() const { return is_sweeping_ || waits_.size() >= kSpentWaitsMax; }
  // The next to be removed. Where they are the last, `swept` is the event up to which nothing is left.
  std::vector<store::SubscriptionRow> take_some(store::EventNumber& swept);

 private:
  struct Hash {
    size_t operator()(const store::SubscriptionRow& wait) const {
      return wait.key.low ^ (wait.execution.number * 31 + wait.operation.number);
    }
  };
  struct SamePlace {
    bool operator()(const store::SubscriptionRow& a, const store::SubscriptionRow& b) const {
      return a.place() == b.place();
    }
  };

  std::unordered_set<store::SubscriptionRow, Hash, SamePlace> waits_;
  store::EventNumber last_;  // event that ended one of them
  bool is_sweeping_ = false;
  std::vector<store::SubscriptionRow> sweep_;  // the rest, in reverse order of their keys
  store::EventNumber sweep_until_;
};

}  // namespace pawl::engine
