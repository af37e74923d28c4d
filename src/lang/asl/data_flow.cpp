#include "lang/asl/data_flow.h"

#include "json/print.h"

namespace pawl::asl {

Result<PathField> PathField::compile(const Value* field) {
  PathField compiled;
  if (field == nullptr) return compiled;
  compiled.is_null_ = field->is_null();
  if (!field->is_string() || field->as_string() == "$") return compiled;
  PAWL_TRY(compiled.path_, jsonpath::RootedPath::compile(field->as_string()));
  return compiled;
}

Attempt<Value> PathField::select(const Frame& frame, const Value& input) const {
  if (is_null_) return Value::empty_object();
  if (!path_) return input;
  return frame.evaluate_path(*path_, input);
}

namespace {

Result<std::optional<PayloadTemplate>> compile_template(const Value* field) {
  if (field == nullptr) return std::nullopt;
  auto compiled = PayloadTemplate::compile(*field);
  if (!compiled) return std::unexpected(compiled.error());
  return *std::move(compiled);
}

Result<std::optional<jsonpath::ReferencePath>> compile_result_path(const Value* field) {
  if (field != nullptr && !field->is_string()) return std::nullopt;
  auto compiled = jsonpath::ReferencePath::compile(field == nullptr ? "$" : field->as_string());
  if (!compiled) return std::unexpected(compiled.error());
  return *std::move(compiled);
}

}  // namespace

Result<DataFlow> DataFlow::compile(const Value& state) {
  DataFlow flow;
  PAWL_TRY(flow.input_path_, PathField::compile(state.find("InputPath")));
  PAWL_TRY(flow.output_path_, PathField::compile(state.find("OutputPath")));
  PAWL_TRY(flow.parameters_, compile_template(state.find("Parameters")));
  PAWL_TRY(flow.result_selector_, compile_template(state.find("ResultSelector")));
  PAWL_TRY(flow.result_path_, compile_result_path(state.find("ResultPath")));
  PAWL_TRY(flow.assign_, compile_template(state.find("Assign")));
  return flow;
}

Attempt<Value> DataFlow::selected_input(const Frame& frame) const {
  auto input = input_path_.select(frame, frame.raw_input());
  if (input) frame.see(seen::kAfterInputPath, *input);
  return input;
}

Attempt<Value> DataFlow::apply_parameters(Frame& frame, Value input) const {
  Attempt<Value> effective = parameters_ ? frame.evaluate_template(*parameters_, input) : std::move(input);
  if (effective) frame.see(seen::kAfterParameters, *effective);
  return effective;
}

Attempt<Value> DataFlow::effective_input(Frame& frame) const {
  auto input = selected_input(frame);
  if (!input) return input;
  return apply_parameters(frame, *std::move(input));
}

Attempt<Value> DataFlow::output_of(Frame& frame, const Value& result) const {
  Attempt<Value> selected = result_selector_ ? frame.evaluate_template(*result_selector_, result) : result;
  if (!selected) return selected;
  frame.see(seen::kAfterResultSelector, *selected);
  auto placed = place_at(frame, result_path_, *std::move(selected));
  if (!placed) return placed;
  frame.see(seen::kAfterResultPath, *placed);
  return select_output(frame, *std::move(placed));
}

Attempt<Value> DataFlow::assigned(Frame& frame, const Value& value) const {
  if (!assign_) return Value();
  return frame.evaluate_template(*assign_, value);
}

Attempt<Value> place_at(const Frame& frame, const std::optional<jsonpath::ReferencePath>& path, Value result) {
  if (!path) return frame.raw_input();
  if (path->is_root()) return result;
  auto placed = path->insert(frame.raw_input(), std::move(result));
  if (placed) return *std::move(placed);
  return failed(kResultPathMatchFailure, "Unable to apply step \"" + path->text() + "\" to input " +
                                             frame.quoted_text(frame.raw_input()) + ": " + placed.error().what);
}

}  // namespace pawl::asl
