#include "cases.h"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace pawl::conformance {

Cases all_cases() {
  Cases cases;
  add_step_cases(cases);
  add_wait_cases(cases);
  add_child_cases(cases);
  add_callback_cases(cases);
  add_invoke_cases(cases);
  add_wait_for_condition_cases(cases);
  add_wait_for_callback_cases(cases);
  add_parallel_cases(cases);
  add_map_cases(cases);
  return cases;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return upper;
}

durable::Serdes<std::string> upper_case_serdes() {
  return {[](const std::string& value) { return upper_case(value); },
          [](std::string_view text) { return std::string(text); }};
}

void crash() { std::_Exit(1); }

// A file tells the next process that this execution has had its crash.
void crash_once(const std::string& execution_arn) {
  const std::string execution = execution_arn.substr(execution_arn.rfind('/') + 1);
  const std::filesystem::path mark = std::filesystem::temp_directory_path() / ("pawl-case-crashed-" + execution);
  if (std::filesystem::remove(mark)) return;
  std::ofstream(mark).flush();
  crash();
}

}  // namespace pawl::conformance
