// Regular expressions of filters: Jayway's =~ /…/flags and rfc9535's match() and search(), by PCRE2 with limits on
// effort.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::jsonpath::internal {

// A match first gets kRegexStepsEasy steps and some for each byte of the subject, which is enough for nearly all; what
// needs more gets kRegexStepsMax, and costs its evaluation that many of its visited nodes, so that the sum is bounded
// too.
inline constexpr uint32_t kRegexStepsEasy = 10'000;
inline constexpr uint32_t kRegexStepsPerByte = 16;
inline constexpr uint32_t kRegexStepsMax = 1'000'000;
inline constexpr uint32_t kRegexDepthMax = 50'000;
inline constexpr uint32_t kRegexHeapKibMax = 16'384;
inline constexpr size_t kRegexPatternBytesMax = 8'192;

enum class RegexOutcome : uint8_t { kMatch, kNoMatch, kTooMuchEffort };

// A compiled pattern. Immutable, cheap to copy, safe to use on many threads at once.
class Regex {
 public:
  Regex() = default;

  // A pattern as Java reads it, with its flags ("i", "m", …); must match the whole subject, as Jayway asks.
  static Result<Regex> compile_java(std::string_view pattern, std::string_view flags);

  // An I-Regexp (RFC 9485) for match() (whole) or search().
  static Result<Regex> compile_iregexp(std::string_view pattern, bool whole);

  bool is_set() const { return code_ != nullptr; }

  // Subject must be valid UTF-8. Sets `hard` where the match needed more than the easy number of steps.
  RegexOutcome match(std::string_view subject, bool& hard) const;

 private:
  static Result<Regex> compile(const std::string& pattern, uint32_t options, uint32_t newline);
  std::shared_ptr<const void> code_;
};

// The pattern of an I-Regexp in PCRE2's syntax; an error where it is none.
Result<std::string> translate_iregexp(std::string_view pattern);

}  // namespace pawl::jsonpath::internal
