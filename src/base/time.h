// Wall-clock time in milliseconds since 1970-01-01T00:00:00Z, and the clock as a border.
#pragma once

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

// Stands still until it is told to advance.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Timestamp start) : now_(start) {}
  Timestamp now() const override { return now_; }
  void advance_to(Timestamp time) {
    if (time > now_) now_ = time;
  }

 private:
  Timestamp now_;
};

}  // namespace pawl
