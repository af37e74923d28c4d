#include "base/doubt.h"

#include <cstdio>
#include <cstdlib>

namespace pawl {

void stop_the_process(const Error& error) {
  std::fprintf(stderr, "pawl: stopping, because nobody knows what is on the disk: %s\n", to_string(error).c_str());
  std::_Exit(EXIT_FAILURE);
}

}  // namespace pawl
