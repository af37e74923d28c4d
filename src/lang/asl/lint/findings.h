// Where the rules put what they find.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "json/parse.h"
#include "lang/asl/lint/codes.h"

namespace pawl::asl {

inline constexpr size_t kFindingsMax = 1000;          // of one text; the last says that there were more
inline constexpr size_t kFindingBytesMax = 16 << 20;  // of pointers, causes and fixes together
inline constexpr size_t kQuotedCharactersMax = 60;    // of a user's text in a message

// The way to a part of the definition: a chain of frames on the stack of the rules, so that walking a definition makes
// no strings; the pointer's text is made only for a finding. A frame refers to its parent, which must outlive it.
class Place {
 public:
  explicit Place(std::string_view pointer) : token_(pointer) {}  // a whole pointer: where a walk begins
  Place(const Place& parent, std::string_view member) : parent_(&parent), token_(member) {}
  Place(const Place& parent, size_t item) : parent_(&parent), item_(item) {}

  std::string pointer() const;
  std::string last_token() const;

 private:
  const Place* parent_ = nullptr;
  std::string_view token_;
  size_t item_ = SIZE_MAX;
};

// Appends diagnostics with code, severity and position. Bounded: after kFindingsMax, or kFindingBytesMax of text, the
// rest is dropped. Belongs to one walk on one thread.
class Findings {
 public:
  enum class At : uint8_t { kValue, kKey };

  Findings(const json::SourceMap& positions, Diagnostics& diagnostics)
      : positions_(positions), diagnostics_(diagnostics) {}

  void report(Code code, const Place& place, std::string cause, std::string fix, At at = At::kValue);
  bool full() const { return full_; }

 private:
  void close();

  const json::SourceMap& positions_;
  Diagnostics& diagnostics_;
  size_t bytes_ = 0;
  bool full_ = false;
};

// A user's text for a message, cut after kQuotedCharactersMax characters; quoted() puts it in double quotes.
std::string shortened(std::string_view text);
std::string quoted(std::string_view text);

// "The field 'Mode' should have one of these values: [INLINE, DISTRIBUTED]", in AWS's words.
std::string one_of_these(std::string_view field, const std::vector<std::string_view>& values);

// "[A, B]", as AWS lists fields.
std::string listed(const std::vector<std::string_view>& names);

}  // namespace pawl::asl
