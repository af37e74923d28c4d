// Names of C++ as people write them.
#pragma once

#include <string>

namespace pawl::durable::detail {

// What the compiler called `mangled`; that itself where it is no such name.
std::string demangled(const char* mangled);

}  // namespace pawl::durable::detail
