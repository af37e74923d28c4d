// Number fields that may be given as a literal or by a path: TimeoutSeconds and TimeoutSecondsPath, and their like.
#pragma once

#include <optional>
#include <string>

#include "expr/jsonpath/rooted_path.h"
#include "lang/asl/frame.h"

namespace pawl::asl {

class NumberField {
 public:
  // Reads NAME and NAMEPath of a state.
  static Result<NumberField> compile(const Value& state, const std::string& name);

  bool is_absent() const { return !literal_ && !path_; }
  // The number; nothing where the field is absent. What the path leads to must be an integer (or any number, for
  // `evaluate_real`).
  Attempt<std::optional<int64_t>> evaluate(const Frame& frame, const Value& input) const;
  Attempt<std::optional<double>> evaluate_real(const Frame& frame, const Value& input) const;

 private:
  Attempt<std::optional<Value>> evaluate_value(const Frame& frame, const Value& input) const;
  Failure not_a_number(const Frame& frame, const Value& value, std::string_view wanted) const;
  std::string path_name_;
  std::optional<Value> literal_;
  std::optional<jsonpath::RootedPath> path_;
};

}  // namespace pawl::asl
