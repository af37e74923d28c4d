// The documents that programs are measured on.
#pragma once

#include <string>

#include "expr/jq/testing.h"

namespace pawl::jq::testing {

// Some 140 bytes, and some 63 kB with 1,000 objects.
inline const Value& small_document() {
  static const Value document = json_of(
      R"({"a":{"b":3},"result":{"x":1},"name":"Ada","orders":[{"id":1,"completed":true},{"id":2,"completed":false}]})");
  return document;
}

inline const Value& large_document() {
  static const Value document = [] {
    std::string text = R"({"a":{"b":3},"orders":[)";
    for (int i = 0; i < 1'000; ++i) {
      const std::string number = std::to_string(i);
      text += (i == 0 ? "" : ",") + std::string(R"({"id":)") + number + R"(,"name":"order )" + number +
              R"(","total":)" + number + (i % 2 == 0 ? R"(,"completed":true})" : R"(,"completed":false})");
    }
    return json_of(text + "]}");
  }();
  return document;
}

// A document of 1 KiB, for handlers and conditions.
inline const Value& kilobyte_document() {
  static const Value document = [] {
    std::string text = R"({"a":{"b":3},"result":{"x":1})";
    for (int i = 0; i < 24; ++i) {
      const std::string number = std::to_string(i);
      text += ",\"member" + number + R"(":{"value":)" + number + R"(,"text":"some text"})";
    }
    return json_of(text + "}");
  }();
  return document;
}

}  // namespace pawl::jq::testing
