// Where the reader and the rules put what they find.
#pragma once

#include <string>
#include <utility>

#include "lang/sm4c/lint/codes.h"
#include "text/findings.h"

namespace pawl::sm4c {

using text::listed;
using text::Place;
using text::quoted;

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

}  // namespace pawl::sm4c
