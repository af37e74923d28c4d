#include "lang/asl/number_field.h"

#include <charconv>

#include "json/print.h"

namespace pawl::asl {

namespace {

// AWS reads a number from a text as well.
std::optional<int64_t> read_integer(const Value& value) {
  if (value.is_number()) return value.as_integer();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.as_string();
  int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return integer;
}

}  // namespace

Result<NumberField> NumberField::compile(const Value& state, const std::string& name) {
  NumberField field;
  field.path_name_ = name + "Path";
  if (const Value* literal = state.find(name); literal != nullptr && literal->is_number()) field.literal_ = *literal;
  if (const Value* path = state.find(field.path_name_); path != nullptr && path->is_string()) {
    PAWL_TRY(field.path_, jsonpath::RootedPath::compile(path->as_string()));
  }
  return field;
}

Attempt<std::optional<Value>> NumberField::evaluate_value(const Frame& frame, const Value& input) const {
  if (!path_) return literal_;
  auto value = frame.evaluate_path(*path_, input);
  if (!value) return std::unexpected(value.error());
  return *std::move(value);
}

Failure NumberField::not_a_number(const Frame& frame, const Value& value, std::string_view wanted) const {
  const std::string shown = value.is_string() ? std::string(value.as_string()) : json::print(value);
  return frame.runtime_failure("The " + path_name_ + " field refers to value \"" + shown + "\" which is not a valid " +
                               std::string(wanted) + ": " + path_->text());
}

Attempt<std::optional<int64_t>> NumberField::evaluate(const Frame& frame, const Value& input) const {
  auto value = evaluate_value(frame, input);
  if (!value) return std::unexpected(value.error());
  if (!*value) return std::nullopt;
  const Value& found = **value;
  const auto integer = read_integer(found);
  if (!integer) return std::unexpected(not_a_number(frame, found, "integer"));
  return *integer;
}

Attempt<std::optional<double>> NumberField::evaluate_real(const Frame& frame, const Value& input) const {
  auto value = evaluate_value(frame, input);
  if (!value) return std::unexpected(value.error());
  if (!*value) return std::nullopt;
  const Value& found = **value;
  if (!found.is_number()) return std::unexpected(not_a_number(frame, found, "float"));
  return found.as_double();
}

}  // namespace pawl::asl
