// Regular expressions by PCRE2, within limits on effort, with what they captured.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pawl::jq::internal {

inline constexpr uint32_t kRegexStepsMax = 1'000'000;  // of one match
inline constexpr uint32_t kRegexDepthMax = 50'000;
inline constexpr uint32_t kRegexHeapKibMax = 16'384;
inline constexpr size_t kRegexPatternBytesMax = 8'192;
inline constexpr size_t kRegexesCached = 16;

struct RegexFlags {
  bool is_global = false;        // g
  bool ignores_case = false;     // i
  bool is_extended = false;      // x
  bool dot_matches_all = false;  // p: . matches newlines too
  bool skips_empty = false;      // n
};

// A span of bytes; an unset group has none.
struct Group {
  std::optional<std::string> name;
  bool is_set = false;
  size_t from = 0;
  size_t to = 0;
};

enum class MatchOutcome : uint8_t { kMatch, kNoMatch, kTooMuchEffort };

class Regex {
 public:
  static Result<Regex> compile(const std::string& pattern, const RegexFlags& flags);

  // Looks from a byte of the subject on. The first group is the whole match.
  MatchOutcome match(std::string_view subject, size_t from, std::vector<Group>& groups) const;

 private:
  std::shared_ptr<const void> code_;
  std::vector<std::optional<std::string>> names_;
  bool skips_empty_ = false;
};

// The last few patterns of an evaluation: most use one, many times.
class RegexCache {
 public:
  // The result is valid until the next call.
  Result<const Regex*> find(std::string_view pattern, std::string_view flags, const RegexFlags& parsed);

 private:
  struct Entry {
    std::string key;
    Regex regex;
  };
  std::vector<Entry> entries_;
  size_t next_ = 0;
};

}  // namespace pawl::jq::internal
