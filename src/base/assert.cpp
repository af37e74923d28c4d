#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pawl {

void assertion_failed(const char* condition, const char* file, int line, const std::string& values) {
  std::fprintf(stderr, "pawl: invariant broken: %s (%s:%d)%s\n", condition, file, line, values.c_str());
  std::abort();
}

}  // namespace pawl
