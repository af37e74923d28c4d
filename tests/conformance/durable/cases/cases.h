// AWS's language-neutral cases as C++ handlers: one for each case, registered as the function `case-<id>`.
#pragma once

#include <string>

#include "pawl/durable.h"

namespace pawl::conformance {

using durable::Context;
using durable::Json;
using durable::Task;

// What the name of a case's function begins with.
inline constexpr const char* kFunctionPrefix = "case-";

class Cases {
 public:
  // `id` is that of the case ("1-1"), or the name of a function that cases invoke ("echo").
  void add(const std::string& id, durable::Handler handler) {
    functions_.emplace_back(kFunctionPrefix + id, std::move(handler));
  }
  const durable::Functions& functions() const { return functions_; }

 private:
  durable::Functions functions_;
};

// A folder of the cases each.
void add_step_cases(Cases& cases);
void add_wait_cases(Cases& cases);
void add_child_cases(Cases& cases);
void add_callback_cases(Cases& cases);
void add_invoke_cases(Cases& cases);
void add_wait_for_condition_cases(Cases& cases);
void add_wait_for_callback_cases(Cases& cases);
void add_parallel_cases(Cases& cases);
void add_map_cases(Cases& cases);

Cases all_cases();

// --- what several handlers need

// Writes in upper case and reads back what was written.
durable::Serdes<std::string> upper_case_serdes();
std::string upper_case(std::string_view text);

// Ends this process the first time that it is called for an execution.
void crash_once(const std::string& execution_arn);
[[noreturn]] void crash();

}  // namespace pawl::conformance
