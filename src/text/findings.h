// Where the rules about a text put what they find: what the linters of all languages share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "json/parse.h"

namespace pawl::text {

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

// Appends diagnostics with their position. Bounded: after kFindingsMax, or kFindingBytesMax of text, the rest is
// dropped, and one more finding, `too_many`, says so. Belongs to one walk on one thread.
class FindingList {
 public:
  enum class At : uint8_t { kValue, kKey };

  FindingList(const json::SourceMap& positions, Diagnostics& diagnostics, std::string_view too_many)
      : positions_(positions), diagnostics_(diagnostics), too_many_(too_many) {}

  void add(std::string_view code, Severity severity, const Place& place, std::string cause, std::string fix,
           At at = At::kValue);
  bool full() const { return full_; }

 private:
  void close();

  const json::SourceMap& positions_;
  Diagnostics& diagnostics_;
  std::string_view too_many_;
  size_t bytes_ = 0;
  bool full_ = false;
};

// A row of the table of a language's codes. Languages may have rows with more members.
template <typename Code>
struct FindingCode {
  Code code;
  std::string_view name;  // stable: "ASL_UNKNOWN_FIELD"
  Severity severity;
};

// Whether the rows stand in the order of the enumeration, so that a code's row is found by its number.
template <typename Rows>
constexpr bool are_in_order(const Rows& rows) {
  for (size_t index = 0; index < rows.size(); ++index)
    if (static_cast<size_t>(rows[index].code) != index) return false;
  return true;
}

// Findings with the codes of one language, which has info(Code) beside its enumeration.
template <typename Code>
class CodedFindings {
 public:
  using At = FindingList::At;

  CodedFindings(const json::SourceMap& positions, Diagnostics& diagnostics)
      : list_(positions, diagnostics, info(Code::kTooManyFindings).name) {}

  void report(Code code, const Place& place, std::string cause, std::string fix, At at = At::kValue) {
    list_.add(info(code).name, info(code).severity, place, std::move(cause), std::move(fix), at);
  }
  bool full() const { return list_.full(); }

 private:
  FindingList list_;
};

// A user's text for a message, cut after kQuotedCharactersMax characters; quoted() puts it in double quotes.
std::string shortened(std::string_view text);
std::string quoted(std::string_view text);

// "[A, B]".
std::string listed(const std::vector<std::string_view>& names);

// By line and column; of equals, the one that was found first comes first.
void sort_by_position(Diagnostics& diagnostics);

}  // namespace pawl::text
