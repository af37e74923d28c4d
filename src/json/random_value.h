// Random values for tests of properties.
#pragma once

#include <cmath>
#include <string>

#include "base/random.h"
#include "json/utf8.h"
#include "json/value.h"

namespace pawl::json {

inline std::string random_text(Random& random) {
  std::string text;
  for (uint64_t i = random.next() % 24; i > 0; --i) {
    const uint64_t choice = random.next() % 8;
    if (choice == 0)
      append_utf8(text, static_cast<uint32_t>(random.next() % 0xD800));
    else if (choice == 1)
      append_utf8(text, static_cast<uint32_t>(0xE000 + random.next() % (0x110000 - 0xE000)));
    else if (choice == 2)
      text.push_back("\"\\\n\t\x01\x7f/'"[random.next() % 8]);
    else
      text.push_back(static_cast<char>('a' + random.next() % 26));
  }
  return text;
}

inline Value random_number(Random& random) {
  switch (random.next() % 6) {
    case 0:
      return Value::integer(static_cast<int64_t>(random.next()));
    case 1:
      return Value::integer(static_cast<int64_t>(random.next() % 2001) - 1000);
    case 2:
      return Value::real((random.unit() - 0.5) * std::pow(10.0, static_cast<double>(random.next() % 40) - 20));
    case 3:
      return Value::number_literal(std::to_string(random.next()) + std::to_string(random.next() % 1000));
    case 4:
      return Value::number_literal(std::to_string(random.next() % 1000) + ".50e+2");
    default:
      return Value::number_literal("-0");
  }
}

inline Value random_value(Random& random, int depth = 4) {
  switch (random.next() % (depth > 0 ? 7 : 5)) {
    case 0:
      return Value::null();
    case 1:
      return Value::boolean(random.next() % 2 == 0);
    case 2:
      return random_number(random);
    case 3:
    case 4:
      return Value::string(random_text(random));
    case 5: {
      ArrayBuilder builder;
      for (uint64_t i = random.next() % 6; i > 0; --i) builder.push(random_value(random, depth - 1));
      return builder.build();
    }
    default: {
      ObjectBuilder builder;
      for (uint64_t i = random.next() % (random.next() % 8 == 0 ? 40 : 6); i > 0; --i)
        builder.set(random_text(random), random_value(random, depth - 1));
      return builder.build();
    }
  }
}

}  // namespace pawl::json
