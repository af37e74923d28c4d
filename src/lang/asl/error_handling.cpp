#include "lang/asl/error_handling.h"

#include <algorithm>

namespace pawl::asl {

ErrorNames ErrorNames::compile(const Value& error_equals) {
  ErrorNames compiled;
  if (!error_equals.is_array()) return compiled;
  for (const Value& name : error_equals.items())
    if (name.is_string()) compiled.names_.emplace_back(name.as_string());
  return compiled;
}

bool ErrorNames::names(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

// AWS: nothing handles States.Runtime, not even its own name; States.TaskFailed stands for all but timeouts.
// The text (errors=spec): States.ALL stands for any name.
bool ErrorNames::match(const Failure& failure, const Options& options) const {
  if (failure.terminal) return false;
  const bool is_runtime = failure.error && *failure.error == kRuntime;
  if (is_runtime && !options.spec_errors) return false;
  if (names(kAll)) return true;
  if (!failure.error) return false;
  if (names(*failure.error)) return true;
  if (!failure.also_matches.empty() && names(failure.also_matches)) return true;
  return !options.spec_errors && names(kTaskFailed) && *failure.error != kTimeout;
}

namespace {

std::optional<double> number_field(const Value& object, std::string_view key) {
  const Value* field = object.find(key);
  if (field == nullptr || !field->is_number()) return std::nullopt;
  return field->as_double();
}

Duration seconds(double count) { return Duration(static_cast<int64_t>(count * 1000)); }

kernel::RetryPolicy compile_policy(const Value& source) {
  kernel::RetryPolicy policy;
  if (const auto interval = number_field(source, "IntervalSeconds")) policy.interval = seconds(*interval);
  if (const auto attempts = number_field(source, "MaxAttempts")) policy.attempts_max = static_cast<uint32_t>(*attempts);
  if (const auto rate = number_field(source, "BackoffRate")) policy.backoff_rate = *rate;
  if (const auto delay = number_field(source, "MaxDelaySeconds")) policy.delay_max = seconds(*delay);
  const Value* jitter = source.find("JitterStrategy");
  policy.full_jitter = jitter != nullptr && jitter->is_string() && jitter->as_string() == "FULL";
  return policy;
}

const Value& field_or_null(const Value& object, std::string_view key) {
  static const Value null;
  const Value* field = object.find(key);
  return field == nullptr ? null : *field;
}

Result<Catcher> compile_catcher(const Value& source) {
  Catcher catcher;
  catcher.errors = ErrorNames::compile(field_or_null(source, "ErrorEquals"));
  const Value& next = field_or_null(source, "Next");
  if (next.is_string()) catcher.next_name = next.as_string();
  const Value* result_path = source.find("ResultPath");
  if (result_path == nullptr || result_path->is_string()) {
    PAWL_TRY(catcher.result_path,
             jsonpath::ReferencePath::compile(result_path == nullptr ? "$" : result_path->as_string()));
  }
  if (const Value* assign = source.find("Assign")) {
    PAWL_TRY(catcher.assign, PayloadTemplate::compile(*assign));
  }
  return catcher;
}

}  // namespace

Result<std::vector<Retrier>> compile_retriers(const Value* field) {
  std::vector<Retrier> retriers;
  if (field == nullptr || !field->is_array()) return retriers;
  for (const Value& source : field->items())
    retriers.push_back({ErrorNames::compile(field_or_null(source, "ErrorEquals")), compile_policy(source)});
  return retriers;
}

Result<std::vector<Catcher>> compile_catchers(const Value* field) {
  std::vector<Catcher> catchers;
  if (field == nullptr || !field->is_array()) return catchers;
  for (const Value& source : field->items()) {
    PAWL_TRY(auto catcher, compile_catcher(source));
    catchers.push_back(std::move(catcher));
  }
  return catchers;
}

std::optional<uint32_t> match_retrier(const std::vector<Retrier>& retriers, const Failure& failure,
                                      const Options& options) {
  for (uint32_t i = 0; i < retriers.size(); ++i)
    if (retriers[i].errors.match(failure, options)) return i;
  return std::nullopt;
}

std::optional<uint32_t> find_retrier(const std::vector<Retrier>& retriers, const Failure& failure,
                                     const std::vector<uint32_t>& used, const Options& options) {
  const auto matching = match_retrier(retriers, failure, options);
  if (!matching) return std::nullopt;
  const uint32_t attempts = *matching < used.size() ? used[*matching] : 0;
  return attempts < retriers[*matching].policy.attempts_max ? matching : std::nullopt;
}

const Catcher* find_catcher(const std::vector<Catcher>& catchers, const Failure& failure, const Options& options) {
  for (const Catcher& catcher : catchers)
    if (catcher.errors.match(failure, options)) return &catcher;
  return nullptr;
}

}  // namespace pawl::asl
