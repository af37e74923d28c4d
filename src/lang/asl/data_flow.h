// InputPath, Parameters, ResultSelector, ResultPath, OutputPath and Assign: how data goes into a state and comes out of
// it.
#pragma once

#include <optional>

#include "base/result.h"
#include "expr/jsonpath/reference_path.h"
#include "expr/jsonpath/rooted_path.h"
#include "lang/asl/failure.h"
#include "lang/asl/frame.h"
#include "lang/asl/payload_template.h"

namespace pawl::asl {

// A path field: absent means "$", null means "nothing".
class PathField {
 public:
  static Result<PathField> compile(const Value* field);
  // The selection; {} where the field is null.
  Attempt<Value> select(const Frame& frame, const Value& input) const;

 private:
  bool is_null_ = false;
  std::optional<jsonpath::RootedPath> path_;  // absent: "$"
};

class DataFlow {
 public:
  static Result<DataFlow> compile(const Value& state);

  // Raw input -> InputPath.
  Attempt<Value> selected_input(const Frame& frame) const;
  // -> Parameters, where there are any.
  Attempt<Value> apply_parameters(Frame& frame, Value input) const;
  // Both.
  Attempt<Value> effective_input(Frame& frame) const;

  // Result -> ResultSelector -> ResultPath into the raw input -> OutputPath.
  Attempt<Value> output_of(Frame& frame, const Value& result) const;
  // OutputPath alone.
  Attempt<Value> select_output(const Frame& frame, Value output) const { return output_path_.select(frame, output); }
  // The variables that Assign gives, with `value` as its "$"; null where there are none.
  Attempt<Value> assigned(Frame& frame, const Value& value) const;

 private:
  PathField input_path_;
  PathField output_path_;
  std::optional<PayloadTemplate> parameters_;
  std::optional<PayloadTemplate> result_selector_;
  std::optional<jsonpath::ReferencePath> result_path_;  // absent: the result is discarded
  std::optional<PayloadTemplate> assign_;
};

// Places a result at a Reference Path of the raw input: States.ResultPathMatchFailure where it does not fit.
Attempt<Value> place_at(const Frame& frame, const std::optional<jsonpath::ReferencePath>& path, Value result);

}  // namespace pawl::asl
