// Wall-clock time in milliseconds since 1970-01-01T00:00:00Z, and the clock as a border.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace pawl {

using Duration = std::chrono::milliseconds;
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

inline constexpr Timestamp kNever = Timestamp::max();

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override;
};

// Stands still until it is told to advance. One thread advances it; any may read.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Timestamp start) : now_(start) {}
  Timestamp now() const override { return now_.load(std::memory_order_acquire); }
  void advance_to(Timestamp time) {
    if (time > now()) now_.store(time, std::memory_order_release);
  }

 private:
  std::atomic<Timestamp> now_;
};

}  // namespace pawl
