// Values as texts in URLs and forms: "a=1&b%5B0%5D=x".
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"

namespace pawl::connect {

// How the items of an array are named.
enum class ArrayFormat : uint8_t {
  kIndices,   // a[0]=x&a[1]=y
  kRepeat,    // a=x&a=y
  kCommas,    // a=x,y
  kBrackets,  // a[]=x&a[]=y
};

// The members of an object; an object in it is named a[b]. What is null is left out. The names in the brackets, and the
// brackets, are encoded too.
std::string form_encoded(const json::Value& object, ArrayFormat format);

}  // namespace pawl::connect
