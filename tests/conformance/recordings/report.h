// Counts agreements by tag and level, prints them and holds them against the floors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compare.h"
#include "recording.h"

namespace pawl::conformance {

// A level counts as passed where all the levels before it agree too.
class Tally {
 public:
  void add(const Recording& recording, const Agreement& agreement);
  void leave_out(const Recording& recording);

  void print(std::ostream& out) const;

  // One line for each floor that is not reached. Error: FLOORS_UNREADABLE.
  Result<std::vector<std::string>> below_floors(const std::string& floors_path) const;

 private:
  struct Count {
    size_t passed = 0;
    size_t of = 0;
  };
  using Row = std::map<Level, Count>;

  std::vector<std::string> rows_of(const Recording& recording) const;

  std::map<std::string, Row> rows_;         // by tag
  std::map<std::string, size_t> left_out_;  // by reason
};

// The case's name and its first differences; nothing where all levels agree.
void print_failure(const Recording& recording, const Agreement& agreement, std::ostream& out);

}  // namespace pawl::conformance
