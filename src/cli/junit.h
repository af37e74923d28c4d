// The results of `pawl test` in the XML that CI servers read.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cases/run_case.h"

namespace pawl::cli {

class JunitReport {
 public:
  void begin_file(const std::string& name);
  void add(const cases::Case& source, const cases::CaseResult& result);

  std::string text() const;
  Result<void> write_to(const std::string& path) const;  // Error: FILE_UNWRITABLE

 private:
  struct Suite {
    std::string name;
    size_t tests = 0;
    size_t failures = 0;
    size_t skipped = 0;
    std::string cases;  // XML
  };
  std::vector<Suite> suites_;
};

}  // namespace pawl::cli
