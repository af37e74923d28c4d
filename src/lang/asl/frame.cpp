#include "lang/asl/frame.h"

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/join.h"
#include "lang/asl/state_code.h"
#include "text/timestamp.h"

namespace pawl::asl {

using kernel::Fact;
using kernel::FactKind;

namespace {

constexpr uint32_t kOutputDepthMax = 2 * json::kDepthMax;  // deeper data could not be read back in one piece

}  // namespace

// --- evaluating
// ----------------------------------------------------------------------------------------------------------

Value Frame::context() const {
  const kernel::Scope& at = scope();
  json::ObjectBuilder state(3);
  state.set("EnteredTime", Value::string(text::format_timestamp(at.entered)));
  state.set("Name", Value::string(state_.name()));
  if (state_.can_retry()) state.set("RetryCount", Value::integer(at.attempt));
  const Value& fixed = turn_.execution().context();
  json::ObjectBuilder context(5);
  if (fixed.is_object())
    for (const json::Member& member : fixed.members()) context.set(member.key, member.value);
  context.set("State", state.build());
  if (!token_.empty()) {
    json::ObjectBuilder task(1);
    task.set("Token", Value::string(token_));
    context.set("Task", task.build());
  }
  if (item_) {
    json::ObjectBuilder item(2);
    item.set("Index", Value::integer(static_cast<int64_t>(item_->index)));
    item.set("Value", *item_->value);
    json::ObjectBuilder map(1);
    map.set("Item", item.build());
    context.set("Map", map.build());
  }
  return probe() == nullptr ? context.build() : replace_in_context(context.build(), probe()->context);
}

// A variable of this scope, or of the nearest one around it that has it.
const Value* Frame::variable(std::string_view name) const {
  for (const kernel::Scope* at = &scope(); at != nullptr; at = turn_.execution().find_scope(at->parent))
    if (const Value* found = at->variables.find(name)) return found;
  return probe() == nullptr ? nullptr : probe()->variables.find(name);
}

std::string Frame::quoted_text(const Value& value) const {
  const kernel::Execution& execution = turn_.execution();
  const bool is_start_input = value.same_node(execution.input()) && execution.input_text().is_string();
  return is_start_input ? std::string(execution.input_text().as_string()) : json::print(value);
}

Failure Frame::runtime_failure(std::string_view sentence) const {
  if (probe() != nullptr) return Failure{std::string(kRuntime), std::string(sentence), {}, false};  // has no events
  std::string cause = "An error occurred while executing the state '" + state_.name() + "' (entered at the event id #" +
                      std::to_string(scope().entered_event.number) + "). ";
  cause += sentence;
  return Failure{std::string(kRuntime), std::move(cause), {}, false};
}

Attempt<Value> Frame::evaluate_path(const jsonpath::RootedPath& path, const Value& input) const {
  auto value = path.evaluate(FrameRoots(*this, input));
  if (value) return *std::move(value);
  return std::unexpected(runtime_failure("Invalid path '" + path.text() + "' : " + value.error().what));
}

Failure Frame::path_failure(const std::string& field, const std::string& path, const Value& input) const {
  Failure failure = runtime_failure("The JSONPath '" + path + "' specified for the field '" + field +
                                    "' could not be found in the input '" + quoted_text(input) + "'");
  if (program_.options().spec_errors) failure.error = kParameterPathFailure;
  return failure;
}

Failure Frame::template_failure(const TemplateError& error, const Value& input) const {
  if (error.is_path) return path_failure(error.field, error.expression, input);
  const bool leads_nowhere = error.error.code == "JSONPATH_NO_MATCH";
  std::string sentence = "The function '" + error.expression + "' had the following error: " + error.error.what;
  if (leads_nowhere) sentence += " '" + quoted_text(input) + "'";
  Failure failure = runtime_failure(sentence);
  if (!leads_nowhere || program_.options().spec_errors) failure.error = kIntrinsicFailure;
  return failure;
}

Attempt<Value> Frame::evaluate_template(const PayloadTemplate& code, const Value& input) {
  auto value = code.evaluate(FrameRoots(*this, input), turn_.services().random());
  if (value) return *std::move(value);
  return std::unexpected(template_failure(value.error(), input));
}

Attempt<Value> Frame::evaluate_expression(const Expression& expression, std::string_view field, const Value& input) {
  auto value = expression.evaluate(FrameRoots(*this, input), turn_.services().random());
  if (value) return *std::move(value);
  const TemplateError error{std::string(field), expression.text(), expression.is_path(), std::move(value).error()};
  return std::unexpected(template_failure(error, input));
}

// --- leaving a state
// -----------------------------------------------------------------------------------------------------

std::optional<Failure> Frame::check_limits(const Value& output) const {
  if (output.json_size() > turn_.limits().payload_bytes_max) {
    return Failure{std::string(kDataLimitExceeded),
                   "The state/task '" + state_.name() +
                       "' returned a result with a size exceeding the maximum number of bytes service limit.",
                   {},
                   true};
  }
  if (output.depth() > kOutputDepthMax) {
    Failure failure =
        runtime_failure("The output is nested more than " + std::to_string(kOutputDepthMax) + " levels deep.");
    failure.terminal = true;
    return failure;
  }
  return std::nullopt;
}

void Frame::exit(Value output, StateOrdinal next, Value assigned) {
  if (auto failure = check_limits(output)) return fail_scope(*std::move(failure));
  if (probe() != nullptr) {
    probe()->leave(output, next ? program_.state_name(next) : "", assigned);
    next = StateOrdinal();
  }
  Fact fact;
  fact.kind = FactKind::kStateExited;
  fact.scope = scope_;
  fact.state = state_.ordinal();
  fact.next = next;
  fact.value = std::move(output);
  fact.extra = std::move(assigned);
  turn_.append_event(std::move(fact));
  if (!next) close_scope(scope().input);
}

void Frame::close_scope(Value output) {
  if (scope().parent) return close_child(program_, scope_, std::move(output), turn_);
  Fact fact;
  fact.kind = FactKind::kExecutionSucceeded;
  fact.scope = scope_;
  fact.value = std::move(output);
  turn_.append_event(std::move(fact));
}

// --- failing
// -------------------------------------------------------------------------------------------------------------

void Frame::fail(Failure failure) {
  if (probe() != nullptr) return fail_tested(std::move(failure), *probe());
  if (scope().join != nullptr) abort_open_children(program_, scope_, turn_);
  if (retry(failure)) return;
  if (scope().join != nullptr) end_join(*this, kernel::Outcome::kFailed);
  if (handle(failure)) return;
  fail_scope(std::move(failure));
}

bool Frame::retry(const Failure& failure) {
  const auto retrier = find_retrier(state_.retriers(), failure, scope().retries, program_.options());
  if (!retrier) return false;
  const uint32_t used = *retrier < scope().retries.size() ? scope().retries[*retrier] : 0;
  const Duration delay = kernel::retry_delay(state_.retriers()[*retrier].policy, used, turn_.services().random());
  Fact fact;
  fact.kind = FactKind::kRetryScheduled;
  fact.scope = scope_;
  fact.state = state_.ordinal();
  fact.operation = turn_.execution().next_operation_id();
  fact.number = *retrier;
  fact.due = turn_.now() + delay;
  turn_.append(std::move(fact));
  return true;
}

// A catcher's own ResultPath places the error; the state's ResultSelector, ResultPath and OutputPath do not apply.
bool Frame::handle(const Failure& failure) {
  const Catcher* catcher = find_catcher(state_.catchers(), failure, program_.options());
  if (catcher == nullptr) return false;
  const Value error_output = failure.to_error_output();
  auto output = place_at(*this, catcher->result_path, error_output);
  if (!output) {
    fail_scope(output.error());
    return true;
  }
  Attempt<Value> assigned = Value();
  if (catcher->assign) assigned = evaluate_template(*catcher->assign, error_output);
  if (assigned)
    exit(*std::move(output), catcher->next, *std::move(assigned));
  else
    fail_scope(assigned.error());
  return true;
}

// The retrier and the catcher are found, and told; a retry is not made.
void Frame::fail_tested(Failure failure, StateProbe& probe) {
  const Options& options = program_.options();
  if (const auto retrier = match_retrier(state_.retriers(), failure, options)) {
    const kernel::RetryPolicy& policy = state_.retriers()[*retrier].policy;
    probe.retry_index = retrier;
    if (probe.retries_used < policy.attempts_max) {
      const Duration delay = kernel::retry_delay(policy, probe.retries_used, turn_.services().random());
      probe.retry_seconds = std::chrono::round<std::chrono::seconds>(delay).count();
      fail_scope(std::move(failure));
      probe.end = StateProbe::End::kRetriable;
      return;
    }
  }
  if (!handle(failure)) return fail_scope(std::move(failure));
  if (probe.end != StateProbe::End::kSucceeded) return;  // what the catcher says could not be done
  probe.end = StateProbe::End::kCaughtError;
  const Catcher* catcher = find_catcher(state_.catchers(), failure, options);
  probe.catch_index = static_cast<uint32_t>(catcher - state_.catchers().data());
  probe.failure = std::move(failure);
}

void Frame::fail_scope(Failure failure) {
  if (probe() != nullptr) probe()->fail(failure);
  if (scope().parent) return fail_child(program_, scope_, std::move(failure), turn_);
  Fact fact;
  fact.kind = FactKind::kExecutionFailed;
  fact.scope = scope_;
  fact.value = failure.to_value();
  turn_.append_event(std::move(fact));
}

}  // namespace pawl::asl
