// Two times: what really passed, and what the clock on the wall says, which somebody may set forward or back.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace pawl::sim {

class SimulatedClock final : public Clock {
 public:
  explicit SimulatedClock(Timestamp start) : start_(start), passed_(start) {}

  Timestamp now() const override { return passed_ + offset_; }
  Timestamp passed() const { return passed_; }  // never goes back
  Timestamp latest() const { return latest_; }  // that the wall ever showed
  Duration elapsed() const { return passed_ - start_; }

  void advance(Duration by) {
    passed_ += by;
    latest_ = std::max(latest_, now());
  }
  void set(Duration by) {
    offset_ += by;
    latest_ = std::max(latest_, now());
  }

 private:
  Timestamp start_;
  Timestamp passed_;
  Timestamp latest_ = start_;
  Duration offset_{0};
};

}  // namespace pawl::sim
