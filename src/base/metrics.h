// Numbers that tell how a program does: counters and histograms. Any thread may count and any may look; neither waits.
// A look at a number that is being changed may see it before or after: they are for watching, not for deciding.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pawl {

// Grows only.
class Counter {
 public:
  void add(uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_ = 0;
};

// Rises and falls.
class Gauge {
 public:
  void add(int64_t amount) { value_.fetch_add(amount, std::memory_order_relaxed); }
  void set(int64_t amount) { value_.store(amount, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_ = 0;
};

// How many amounts were at most so large, for each of its bounds, and their sum. The bounds are sorted and outlive it.
class Histogram {
 public:
  static constexpr size_t kBoundsMax = 24;

  explicit constexpr Histogram(std::span<const uint64_t> bounds)
      : bounds_(bounds.first(std::min(bounds.size(), kBoundsMax))) {}

  void observe(uint64_t amount) {
    size_t bucket = 0;
    while (bucket < bounds_.size() && amount > bounds_[bucket]) ++bucket;
    buckets_[bucket].add();
    sum_.add(amount);
  }

  std::span<const uint64_t> bounds() const { return bounds_; }
  uint64_t bucket(size_t index) const {
    return buckets_[index].value();
  }  // the last one is for what is above all bounds
  uint64_t sum() const { return sum_.value(); }

 private:
  std::span<const uint64_t> bounds_;
  std::array<Counter, kBoundsMax + 1> buckets_{};
  Counter sum_;
};

// In microseconds: 100 µs to 10 s.
inline constexpr std::array<uint64_t, 16> kTimeBounds = {100,       250,       500,       1'000,     2'500,   5'000,
                                                         10'000,    25'000,    50'000,    100'000,   250'000, 500'000,
                                                         1'000'000, 2'500'000, 5'000'000, 10'000'000};
// Of things: 1 to 10,000.
inline constexpr std::array<uint64_t, 13> kSizeBounds = {1,   2,   5,     10,    20,    50,    100,
                                                         200, 500, 1'000, 2'000, 5'000, 10'000};

// The microseconds since it was made.
class Stopwatch {
 public:
  uint64_t elapsed_us() const {
    const auto elapsed = std::chrono::steady_clock::now() - begin_;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace pawl
