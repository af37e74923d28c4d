// Where the rules put what they find.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/asl/lint/codes.h"
#include "text/findings.h"

namespace pawl::asl {

using text::kFindingBytesMax;
using text::kFindingsMax;
using text::kQuotedCharactersMax;
using text::listed;
using text::Place;
using text::quoted;
using text::shortened;

// Findings with this language's codes. Belongs to one walk on one thread.
class Findings {
 public:
  using At = text::FindingList::At;

  Findings(const json::SourceMap& positions, Diagnostics& diagnostics)
      : list_(positions, diagnostics, info(Code::kTooManyFindings).name) {}

  void report(Code code, const Place& place, std::string cause, std::string fix, At at = At::kValue) {
    list_.add(info(code).name, info(code).severity, place, std::move(cause), std::move(fix), at);
  }
  bool full() const { return list_.full(); }

 private:
  text::FindingList list_;
};

// "The field 'Mode' should have one of these values: [INLINE, DISTRIBUTED]", in AWS's words.
std::string one_of_these(std::string_view field, const std::vector<std::string_view>& values);

}  // namespace pawl::asl
