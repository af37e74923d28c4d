#include "base/random.h"

#include <sys/random.h>

#include "base/assert.h"

namespace pawl {

uint64_t SeededRandom::next() {
  uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// Not std::random_device: it asks the processor what it is each time, which takes tens of microseconds in a virtual
// machine.
uint64_t entropy_seed() {
  uint64_t seed = 0;
  const ssize_t count = ::getrandom(&seed, sizeof seed, 0);
  PAWL_ASSERT(count == sizeof seed, count);
  return seed;
}

}  // namespace pawl
