#include "lang/sm4c/action_code.h"

#include "base/assert.h"
#include "lang/sm4c/retry.h"

namespace pawl::sm4c {

using kernel::Ended;
using kernel::Outcome;

// --- ends

Value ActionEnd::to_value() const {
  json::ObjectBuilder end(2);
  end.set("result", result);
  if (errors.is_array()) end.set("errors", errors);
  return end.build();
}

ActionEnd ActionEnd::from_value(const Value& value) {
  ActionEnd end;
  if (const Value* result = value.find("result")) end.result = *result;
  if (const Value* errors = value.find("errors")) end.errors = *errors;
  return end;
}

void ActionCode::complete(Frame& frame, ActionEnd end) const {
  if (auto checked = frame.check_size(end.result, "The result of the action '" + action_.name + "'"); !checked)
    return fail(frame, std::move(checked).error());
  const Value told = end.to_value();
  frame.close(std::move(end.result), told);
}

void ActionCode::proceed(Frame&) const { PAWL_ASSERT(false, ordinal()); }

void ActionCode::resume(Frame& frame) const {
  const Ended& ended = frame.scope().ended;
  const bool is_retry =
      ended.what == Ended::What::kOperation && ended.operation_kind == kernel::OperationKind::kRetryDelay;
  if (is_retry)
    begin(frame);
  else
    proceed(frame);
}

// --- errors

void ActionCode::fail(Frame& frame, Failure failure) const {
  if (frame.has_join()) frame.end_join(Outcome::kFailed);
  const auto handled = handle(frame, failure);
  if (!handled) return frame.fail_scope(handled.error());
  if (*handled == Handled::kNo) frame.fail_scope(std::move(failure));
}

// A handler that only retries hands on what it can retry no more.
Attempt<ActionCode::Handled> ActionCode::handle(Frame& frame, const Failure& failure) const {
  const Value error = failure.to_error();
  for (uint32_t i = 0; i < action_.handlers.size(); ++i) {
    const ErrorHandler& handler = action_.handlers[i];
    const auto fits = handler.condition ? frame.test(*handler.condition, frame.input(), error) : Attempt<bool>(true);
    if (!fits) return std::unexpected(fits.error());
    if (!*fits) continue;
    const auto retried = retry(frame, i);
    if (!retried) return std::unexpected(retried.error());
    if (*retried) return Handled::kYes;
    if (handler.retry != nullptr && !handler.result_handler) continue;
    json::ObjectBuilder taken(3);
    taken.set("node", Value::integer(ordinal().number));
    taken.set("handler", Value::integer(i));
    taken.set("error", error);
    json::ArrayBuilder errors(1);
    errors.push(taken.build());
    complete(frame, {.result = {}, .errors = errors.build()});
    return Handled::kYes;
  }
  return Handled::kNo;
}

Attempt<bool> ActionCode::retry(Frame& frame, uint32_t number) const {
  const RetryPolicy* policy = action_.handlers[number].retry;
  const std::vector<uint32_t>& used = frame.scope().retries;
  const uint32_t so_far = number < used.size() ? used[number] : 0;
  if (policy == nullptr || so_far >= policy->max_attempts) return false;
  const auto due = next_try(*policy, so_far, frame.turn().now(), frame.turn().services().random());
  if (!due) return std::unexpected(due.error());
  frame.retry_at(*due, number);
  return true;
}

// --- composites

namespace {

std::vector<std::optional<ActionEnd>> ends_of(const Frame& frame) {
  std::vector<std::optional<ActionEnd>> ends;
  const std::vector<Value>& results = frame.join().results;
  for (uint32_t i = 0; i < results.size(); ++i)
    ends.push_back(frame.succeeded(i) ? std::optional(ActionEnd::from_value(results[i])) : std::nullopt);
  return ends;
}

Value errors_of(const std::vector<std::optional<ActionEnd>>& ends) {
  json::ArrayBuilder errors;
  for (const auto& end : ends)
    if (end && end->errors.is_array())
      for (const Value& error : end->errors.items()) errors.push(error);
  return errors.size() == 0 ? Value() : errors.build();
}

}  // namespace

void CompositeCode::proceed(Frame& frame) const {
  const auto ends = ends_of(frame);
  ActionEnd end{.result = result_of(frame, ends), .errors = errors_of(ends)};
  frame.end_join(Outcome::kSucceeded);
  complete(frame, std::move(end));
}

Value keyed_results(std::span<const Action> children, const std::vector<std::optional<ActionEnd>>& ends) {
  json::ObjectBuilder results(ends.size());
  for (size_t i = 0; i < ends.size(); ++i)
    if (ends[i]) results.set(key_of(children, i), ends[i]->result);
  return results.build();
}

}  // namespace pawl::sm4c
