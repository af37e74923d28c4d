// Reads what a state does with errors: the draft's "retry" and "onError", and v0.5's "onErrors" with the "retries" of
// the workflow that they refer to.
#include <algorithm>

#include "lang/serverless/model_reader.h"

namespace pawl::serverless {
namespace {

constexpr std::string_view kAnyError = "*";

bool may_retry(StateType type) {
  return type == StateType::kOperation || type == StateType::kEvent || type == StateType::kParallel ||
         type == StateType::kForeach || type == StateType::kCallback;
}

void report_no_retry(const State& state, const Place& place, Reading& reading) {
  reading.findings.report(Code::kRetryNotAllowed, place,
                          "A state of the type " + std::string(type_name(state.type)) + " cannot be retried.",
                          "Take it out; operation, event, parallel, foreach and callback states can be retried.",
                          Findings::At::kKey);
}

// A number is a part of the wait, a text a duration.
void read_jitter(Fields& fields, Retry& retry) {
  const Fields::Found found = fields.find({"jitter"});
  if (!found) return;
  if (!found.value->is_number()) {
    retry.absolute_jitter = fields.duration({"jitter"});
    return;
  }
  const double jitter = found.value->as_double();
  if (jitter >= 0 && jitter <= 1)
    retry.relative_jitter = jitter;
  else
    fields.reading().findings.report(Code::kNumber, Place(fields.place(), found.name),
                                     "A relative jitter is a number from 0 to 1.",
                                     "Write such a number, or a duration.");
}

// What the draft's retry and a strategy of v0.5 have in common.
void read_attempts(Fields& fields, Retry& retry) {
  retry.multiplier = fields.duration({"multiplier"});
  retry.max_attempts = fields.integer({"maxAttempts"});
  read_jitter(fields, retry);
}

Retry read_retry(const Value& value, const Place& place, Reading& reading) {
  Retry retry;
  retry.pointer = place.pointer();
  if (!check_object(value, place, "A retry", reading)) return retry;
  Fields fields(value, place, reading);
  retry.expression = fields.path({"expression"}, Need::kRequired);
  const std::string interval = fields.text({"interval"});
  if (!interval.empty()) {
    if (auto repeated = text::parse_repeated_duration(interval)) {
      retry.interval = DurationField{.text = interval, .value = repeated->duration};
      retry.repetitions = repeated->count;
    } else {
      report_error(Code::kDuration, repeated.error(), Place(place, "interval"), reading);
    }
  }
  read_attempts(fields, retry);
  fields.done("A retry");
  return retry;
}

std::optional<Expression> read_error_filter(Fields& fields, Need need) {
  const Fields::Found filter = fields.object({"errorDataFilter"}, need);
  if (!filter) return std::nullopt;
  const Place here(fields.place(), filter.name);
  Fields inner(*filter.value, here, fields.reading());
  std::optional<Expression> path = inner.path({"dataOutputPath"});
  inner.done("An errorDataFilter");
  return path;
}

ErrorHandler read_handler(const Value& value, const Place& place, Reading& reading) {
  ErrorHandler handler;
  handler.pointer = place.pointer();
  if (!check_object(value, place, "An error handler", reading)) return handler;
  Fields fields(value, place, reading);
  handler.expression = fields.path({"expression"}, Need::kRequired);
  handler.filter = read_error_filter(fields, Need::kExpected);
  handler.exit = read_exit(fields, Need::kExpected);
  fields.done("An error handler");
  return handler;
}

// --- v0.5

Retry no_retry() {
  Retry retry;
  retry.max_attempts = IntegerField::compile(Value::integer(0)).value();
  return retry;
}

// An error that refers to no strategy is not retried, also where another entry is for any error.
Retry read_strategy(Fields& fields, const State& state) {
  const std::string name = fields.text({"retryRef"});
  if (name.empty()) return no_retry();
  Reading& reading = fields.reading();
  const Place here(fields.place(), "retryRef");
  if (!may_retry(state.type)) report_no_retry(state, here, reading);
  const auto found = reading.retries.find(name);
  if (found != reading.retries.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, retry] : reading.retries) names.push_back(known);
  std::ranges::sort(names);
  reading.findings.report(Code::kUnknownRetry, here, "There is no retry strategy " + quoted(name) + ".",
                          suggestion(name, names, "Define it under \"retries\"."));
  return no_retry();
}

// One entry is a retry and a handler for the same error. Its code is for readers: no error here has one.
void read_named_error(const Value& value, const Place& place, State& state, Reading& reading) {
  if (!check_object(value, place, "An error", reading)) return;
  Fields fields(value, place, reading);
  const std::string error = fields.text({"error"}, Need::kRequired);
  static_cast<void>(fields.text({"code"}));
  Retry retry = read_strategy(fields, state);
  ErrorHandler handler;
  handler.filter = read_error_filter(fields, Need::kOptional);
  handler.exit = read_exit(fields, Need::kExpected);
  fields.done("An error");
  retry.pointer = handler.pointer = place.pointer();
  retry.error = handler.error = error == kAnyError ? "" : error;
  state.retries.push_back(std::move(retry));
  state.handlers.push_back(std::move(handler));
}

// "*" is for all other errors, wherever it stands.
void read_named_errors(const Fields::Found& errors, const Place& place, State& state, Reading& reading) {
  for (size_t index = 0; index < errors.value->size(); ++index)
    read_named_error(errors.value->at(index), Place(place, index), state, reading);
  const auto is_named = [](const auto& entry) { return entry.expression || !entry.error.empty(); };
  std::ranges::stable_partition(state.retries, is_named);
  std::ranges::stable_partition(state.handlers, is_named);
}

}  // namespace

void read_retries(Fields& fields) {
  const Value list = read_list(fields, "retries");
  const Place here(fields.place(), "retries");
  Reading& reading = fields.reading();
  for (size_t index = 0; index < list.size(); ++index) {
    const Place place(here, index);
    if (!check_object(list.at(index), place, "A retry strategy", reading)) continue;
    Fields strategy(list.at(index), place, reading);
    Retry retry;
    const std::string name = strategy.text({"name"}, Need::kRequired);
    retry.interval = strategy.duration({"delay", "interval"});
    read_attempts(strategy, retry);
    strategy.done("A retry strategy");
    if (!name.empty() && !reading.retries.emplace(name, std::move(retry)).second)
      reading.findings.report(Code::kDuplicateName, Place(place, "name"),
                              "Two of the retries are called " + quoted(name) + ".", "Give each a name of its own.");
  }
}

void read_error_handling(Fields& fields, State& state) {
  Reading& reading = fields.reading();
  if (const Fields::Found retries = fields.array({"retry"})) {
    const Place here(fields.place(), retries.name);
    if (!may_retry(state.type)) report_no_retry(state, here, reading);
    for (size_t index = 0; index < retries.value->size(); ++index)
      state.retries.push_back(read_retry(retries.value->at(index), Place(here, index), reading));
  }
  if (const Fields::Found handlers = fields.array({"onError"})) {
    const Place here(fields.place(), handlers.name);
    for (size_t index = 0; index < handlers.value->size(); ++index)
      state.handlers.push_back(read_handler(handlers.value->at(index), Place(here, index), reading));
  }
  if (const Fields::Found errors = fields.array({"onErrors"}))
    read_named_errors(errors, Place(fields.place(), errors.name), state, reading);
}

}  // namespace pawl::serverless
