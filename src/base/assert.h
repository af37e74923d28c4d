// Assertions that stay on in release builds: an invariant that does not hold stops the process with its values.
//
//   PAWL_ASSERT(index < size, "index {} of {}", index, size)   is spelled   PAWL_ASSERT(index < size, index, size)
#pragma once

#include <sstream>
#include <string>

namespace pawl {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line, const std::string& values);

namespace internal {
template <typename... Values>
std::string describe_values(const Values&... values) {
  std::ostringstream out;
  ((out << ' ' << values), ...);
  return out.str();
}
}  // namespace internal

}  // namespace pawl

#define PAWL_ASSERT(condition, ...)                                                                             \
  do {                                                                                                          \
    if (!(condition)) [[unlikely]]                                                                              \
      ::pawl::assertion_failed(#condition, __FILE__, __LINE__, ::pawl::internal::describe_values(__VA_ARGS__)); \
  } while (false)
