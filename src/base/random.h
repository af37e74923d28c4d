// Randomness as a border: the kernel and the languages draw from what they are given, so that a seed decides a run.
#pragma once

#include <cstdint>

namespace pawl {

class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t next() = 0;

  // A number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
};

// SplitMix64: small, fast, good enough for jitter and identifiers that need not be secret.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  uint64_t next() override;

 private:
  uint64_t state_;
};

// A SeededRandom whose seed comes from the operating system.
uint64_t entropy_seed();

}  // namespace pawl
