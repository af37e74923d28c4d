#include "lang/serverless/state_code.h"

#include "json/parse.h"
#include "json/print.h"
#include "lang/serverless/filter.h"
#include "lang/serverless/produced_event.h"
#include "lang/serverless/retry.h"

namespace pawl::serverless {

using kernel::Outcome;

namespace {

constexpr size_t kQuotedBytesMax = 1000;                   // of data in a message
constexpr uint32_t kOutputDepthMax = 2 * json::kDepthMax;  // deeper data could not be read back in one piece

std::string quote(const Value& data) {
  std::string text = json::print(data);
  if (text.size() <= kQuotedBytesMax) return text;
  size_t end = kQuotedBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // whole characters
  return text.substr(0, end) + "…";
}

}  // namespace

// --- in

Attempt<Value> StateCode::filtered_input(const Frame& frame) const {
  return attempt(filter_state(state_.filter.input, frame.input(), frame.program().options()));
}

void StateCode::run(Frame& frame) const {
  const auto checked =
      frame.program().schemas_of(ordinal()).input.check(frame.input(), "The input of the state '" + state_.name + "'");
  if (!checked) return fail(frame, checked.error());
  auto data = filtered_input(frame);
  if (!data) return fail(frame, data.error());
  begin(frame, *std::move(data));
}

bool StateCode::resume_retry(Frame& frame) const {
  const kernel::Ended ended = frame.scope().ended;
  const bool is_due =
      ended.what == kernel::Ended::What::kOperation && ended.operation_kind == kernel::OperationKind::kRetryDelay;
  if (!is_due) return false;
  if (ended.input.is_null())
    run(frame);
  else
    begin_again(frame, ended.input);
  return true;
}

Value StateCode::data_so_far(const Frame& frame) const {
  if (frame.has_join()) return data_in(frame.memory());
  auto data = filtered_input(frame);
  return data ? *std::move(data) : frame.input();
}

// --- failing

void StateCode::fail(Frame& frame, Failure failure) const {
  failure = std::move(failure).at("state", state_.name);
  const Value data = data_so_far(frame);
  const Value memory = frame.has_join() ? frame.memory() : Value();
  if (frame.has_join()) frame.end_join(Outcome::kFailed);
  if (failure.is_final) return frame.halt(failure);
  const auto retried = retry(frame, data, failure.to_error(), memory);
  if (!retried) return halt(frame, retried.error());
  if (*retried || handle(frame, failure, data)) return;
  frame.halt(failure);
}

// What failed while an error was handled has not been here yet.
void StateCode::halt(Frame& frame, Failure failure) const { frame.halt(std::move(failure).at("state", state_.name)); }

// The first definition that fits decides, also where it has no attempts left.
Attempt<bool> StateCode::retry(Frame& frame, const Value& data, const Value& error, const Value& memory) const {
  Random& random = frame.turn().services().random();
  auto due = find_retry(state_.retries, data, error, frame.scope().retries, frame.now(), random);
  if (!due) return std::unexpected(std::move(due).error());
  if (!*due) return false;
  frame.retry_at((*due)->time, (*due)->number, memory);
  return true;
}

// What a handler says is done or fails for good: no handler handles another's failure.
bool StateCode::handle(Frame& frame, const Failure& failure, const Value& data) const {
  const Value error = failure.to_error();
  const Value view = error_view(data, error);
  for (const ErrorHandler& handler : state_.handlers) {
    const auto is_for = fits(handler.expression, handler.error, view, error);
    if (!is_for) return halt(frame, is_for.error()), true;
    const Exit* exit = handler.exit ? &*handler.exit : state_.exit ? &*state_.exit : nullptr;
    if (!*is_for || exit == nullptr) continue;
    const auto with_error = attempt(add_error(handler.filter, data, error));
    if (!with_error) return halt(frame, with_error.error()), true;
    if (auto left = try_leave(frame, *with_error, *exit, With::kError); !left) halt(frame, left.error());
    return true;
  }
  return false;
}

// --- out

void StateCode::complete(Frame& frame, const Value& memory, Value data) const {
  const auto retried = retry(frame, data, Value(), memory);
  if (!retried) return fail(frame, retried.error());
  if (!*retried) leave(frame, std::move(data), *state_.exit);
}

void StateCode::leave(Frame& frame, Value data, const Exit& exit) const {
  if (auto left = try_leave(frame, data, exit, With::kResult); !left) fail(frame, std::move(left).error());
}

// Everything that can fail is done before the first fact.
Attempt<void> StateCode::try_leave(Frame& frame, const Value& data, const Exit& exit, With with) const {
  auto output = attempt(filter_state(state_.filter.output, data, frame.program().options()));
  if (!output) return std::unexpected(std::move(output).error());
  if (auto checked = check_output(frame, *output, exit, with); !checked) return checked;
  if (exit.expression) {
    const auto holds = attempt(exit.expression->test(*output));
    if (!holds) return std::unexpected(holds.error());
    if (!*holds) return std::unexpected(denied(exit, *output));
  }
  auto events = produce_all(frame, exit.events, *output);
  if (!events) return std::unexpected(std::move(events).error());
  for (Value& event : *events) frame.publish(std::move(event));
  frame.go_to(exit.next, *output);
  if (exit.kind != ExitKind::kTransition) frame.succeed(*std::move(output), exit.kind == ExitKind::kTerminate);
  return {};
}

// The output with which an error is handed on need not keep to the state's schema.
Attempt<void> StateCode::check_output(const Frame& frame, const Value& output, const Exit& exit, With with) const {
  const std::string what = "The output of the state '" + state_.name + "'";
  const bool is_too_large = output.json_size() > frame.limits().payload_bytes_max;
  if (is_too_large || output.depth() > kOutputDepthMax)
    return failed(kDataLimit, what + " is larger or deeper than is allowed.");
  const Program& program = frame.program();
  if (with == With::kResult)
    if (auto checked = program.schemas_of(ordinal()).output.check(output, what); !checked) return checked;
  if (exit.kind == ExitKind::kTransition) return {};
  return program.schemas().output.check(output, "The output of the workflow");
}

Failure StateCode::denied(const Exit& exit, const Value& output) const {
  Failure failure{std::string(kTransitionDenied),
                  "The transition of the state '" + state_.name + "' (" + exit.pointer + ") was not made: '" +
                      exit.expression->text() + "' does not hold for its output " + quote(output) + ".",
                  {}};
  failure.is_final = true;
  return failure;
}

}  // namespace pawl::serverless
