#include "cases/judge.h"

#include "api/machine.h"
#include "cases/compare.h"
#include "json/print.h"

namespace pawl::cases {

namespace {

Value codes(const Diagnostics& diagnostics, Severity severity) {
  json::ArrayBuilder codes;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == severity) codes.push(Value::string(diagnostic.code));
  return codes.build();
}

// The members of `whole` that `wanted` names too.
Value part_of(const Value& whole, const Value& wanted) {
  if (!whole.is_object() || !wanted.is_object()) return whole;
  json::ObjectBuilder part;
  for (const json::Member& member : wanted.members())
    if (const Value* value = whole.find(member.key.as_string())) part.set(member.key, *value);
  return part.build();
}

}  // namespace

void Judge::judge_texts(const Diagnostics& diagnostics) {
  judge_list("diagnostics", codes(diagnostics, Severity::kError));
  judge_list("warnings", codes(diagnostics, Severity::kWarning));
}

void Judge::judge_end(kernel::Status status, const Value& outcome) {
  compare("status", expected_status(), Value::string(kernel::name_of(status)), differences_);
  if (status == kernel::Status::kSucceeded)
    judge_output(outcome);
  else
    judge_failure(outcome);
}

void Judge::judge_value(const char* field, const Value& seen) {
  if (const Value* wanted = expect_.find(field)) compare(field, *wanted, seen, differences_);
}

void Judge::judge_list(const char* field, const Value& seen) {
  if (const Value* wanted = expect_.find(field)) compare_lists(field, *wanted, seen, differences_);
}

void Judge::judge_values(const char* field, const std::function<Value(std::string_view)>& seen) {
  const Value* wanted = expect_.find(field);
  if (wanted == nullptr) return;
  for (const json::Member& member : wanted->members()) {
    const std::string_view name = member.key.as_string();
    compare(field + (" of '" + std::string(name) + "'"), member.value, seen(name), differences_);
  }
}

void Judge::judge_parts(const char* field, const std::vector<Value>& seen) {
  const Value* wanted = expect_.find(field);
  if (wanted == nullptr) return;
  json::ArrayBuilder parts;
  for (size_t index = 0; index < seen.size(); ++index)
    parts.push(index < wanted->size() ? part_of(seen[index], wanted->at(index)) : seen[index]);
  compare(field, *wanted, parts.build(), differences_);
}

Value Judge::expected_status() const {
  if (const Value* status = expect_.find("status")) return *status;
  for (const char* field : {"error", "cause", "cause_contains"})
    if (expects(field)) return Value::string("FAILED");
  return Value::string("SUCCEEDED");
}

void Judge::judge_output(const Value& output) {
  judge_value("output", output);
  if (expects("output_text")) judge_value("output_text", Value::string(json::print(output)));
}

void Judge::judge_failure(const Value& outcome) {
  const api::Failure failure = api::failure_of(outcome);
  const size_t before = differences_.size();
  judge_value("error", failure.error);
  judge_value("cause", failure.cause);
  const Value* part = expect_.find("cause_contains");
  if (part != nullptr && !(failure.cause.is_string() && failure.cause.as_string().contains(part->as_string())))
    differences_.push_back("cause: expected a text with " + json::print(*part) + ", got " + json::print(failure.cause));
  // Who expected success wants to know what went wrong.
  if (before == differences_.size() && before != 0)
    differences_.push_back("the execution's error: " + json::print(outcome));
}

}  // namespace pawl::cases
