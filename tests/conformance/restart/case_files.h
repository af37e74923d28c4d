// The cases of a language's conformance suite, and where data directories of tests belong.
#pragma once

#include <string>
#include <vector>

#include "cases/case_file.h"

namespace pawl::conformance {

// Those of tests/conformance/FOLDER; a file that cannot be read fails the test. What rests on published examples is
// left out where those are not there.
std::vector<cases::Case> read_cases(const std::string& folder);

// A file system in memory, where there is one: a sync of a disk after every commit would take minutes.
std::string fast_folder();

}  // namespace pawl::conformance
