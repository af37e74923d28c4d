// Regular expressions of schemas (ECMA-262's, in its Unicode mode), by PCRE2 with limits on effort. For schema/ only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::schema::internal {

inline constexpr size_t kPatternBytesMax = 8'192;
inline constexpr uint32_t kPatternStepsMax = 1'000'000;
inline constexpr uint32_t kPatternDepthMax = 50'000;
inline constexpr uint32_t kPatternHeapKibMax = 16'384;

enum class PatternOutcome : uint8_t { kMatch, kNoMatch, kTooMuchEffort };

// A compiled pattern, which is looked for anywhere in a text. Immutable, safe to use on many threads at once.
class Pattern {
 public:
  // Error: SCHEMA_INVALID.
  static Result<Pattern> compile(std::string_view pattern);

  PatternOutcome search(std::string_view subject) const;  // which must be valid UTF-8

 private:
  std::shared_ptr<const void> code_;
};

// The pattern in PCRE2's syntax: \uXXXX, \u{X}, and \p{…} with the long names of properties.
std::string translate_pattern(std::string_view pattern);

}  // namespace pawl::schema::internal
