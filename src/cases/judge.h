// Holds what a case expects against what was seen.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "json/value.h"
#include "kernel/execution.h"

namespace pawl::cases {

using json::Value;

// Appends a line to `differences` for each place where the two differ; what the case does not name is not compared.
// Both references must outlive the judge.
class Judge {
 public:
  Judge(const Value& expect, std::vector<std::string>& differences) : expect_(expect), differences_(differences) {}

  bool expects(std::string_view field) const { return expect_.find(field) != nullptr; }

  void judge_texts(const Diagnostics& diagnostics);
  // The status and the output, or the error and its cause.
  void judge_end(kernel::Status status, const Value& outcome);
  // One value; a list whose order tells a story; what `seen` gives for each name that the case lists.
  void judge_value(const char* field, const Value& seen);
  void judge_list(const char* field, const Value& seen);
  void judge_values(const char* field, const std::function<Value(std::string_view name)>& seen);
  // A list of objects, of which only the members that the case names are compared.
  void judge_parts(const char* field, const std::vector<Value>& seen);

 private:
  Value expected_status() const;
  void judge_output(const Value& output);
  void judge_failure(const Value& outcome);

  const Value& expect_;
  std::vector<std::string>& differences_;
};

}  // namespace pawl::cases
