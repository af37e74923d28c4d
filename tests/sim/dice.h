// Everything that is left to chance in a simulated world is drawn from one seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "base/random.h"
#include "base/time.h"

namespace pawl::sim {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  uint64_t number() { return random_.next(); }
  uint64_t below(uint64_t limit) { return random_.next() % limit; }
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }
  bool chance(uint32_t in_a_thousand) { return below(1000) < in_a_thousand; }
  Duration duration(Duration low, Duration high) {
    return low + Duration(static_cast<int64_t>(below(static_cast<uint64_t>((high - low).count()) + 1)));
  }

  // One of what is there; it must not be empty.
  template <typename Container>
  auto& pick(Container& from) {
    auto found = from.begin();
    std::advance(found, static_cast<std::ptrdiff_t>(below(from.size())));
    return *found;
  }
  template <typename T>
  T one_of(std::initializer_list<T> from) {
    return *(from.begin() + below(from.size()));
  }

 private:
  SeededRandom random_;
};

}  // namespace pawl::sim
