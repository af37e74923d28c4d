// A promise that was broken. Thrown: the world ends where it is found.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace pawl::sim {

class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// require(count == 1, "operation ", id, " ended ", count, " times")
template <typename... Parts>
void require(bool holds, const Parts&... parts) {
  if (holds) return;
  std::ostringstream text;
  (text << ... << parts);
  throw Violation(text.str());
}

}  // namespace pawl::sim
