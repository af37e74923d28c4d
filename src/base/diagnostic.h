// A finding about a text that a user wrote: where it is, what is wrong, and one fix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pawl {

enum class Severity : uint8_t { kError, kWarning };

struct Position {
  uint32_t line = 0;    // from 1; 0: unknown
  uint32_t column = 0;  // from 1, in characters (code points)

  friend bool operator==(const Position&, const Position&) = default;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // stable: "ASL_UNKNOWN_FIELD"
  std::string file;  // as the user named it; may be empty
  Position position;
  std::string pointer;  // JSON Pointer into the definition: "/States/A/Next"
  std::string cause;    // one sentence
  std::string fix;      // one sentence

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

inline bool has_errors(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::kError) return true;
  return false;
}

}  // namespace pawl
