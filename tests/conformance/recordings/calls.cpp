#include "calls.h"

#include <string_view>

namespace pawl::conformance {

namespace {

constexpr size_t kEventsOfOneCallMax = 8;  // scheduled, started, submitted, ended: more is a broken recording

const Value* member(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

int64_t integer(const Value* value) {
  return value != nullptr && value->is_number() ? value->as_integer().value_or(0) : 0;
}

std::string_view type_of(const Value& event) {
  const Value* type = event.find("type");
  return type != nullptr && type->is_string() ? type->as_string() : std::string_view();
}

bool is_operation_event(std::string_view type) {
  return (type.starts_with("Task") && !type.starts_with("TaskState")) || type.starts_with("LambdaFunction") ||
         type.starts_with("Activity");
}

bool is_end(std::string_view type) {
  return type.ends_with("Succeeded") || type.ends_with("Failed") || type.ends_with("TimedOut");
}

// The event of the same operation that follows `previous`.
const Value* following(const Value& events, int64_t previous) {
  for (const Value& event : events.items()) {
    const std::string_view type = type_of(event);
    if (is_operation_event(type) && !type.ends_with("Scheduled") && integer(event.find("previousEventId")) == previous)
      return &event;
  }
  return nullptr;
}

const Value* details_of(const Value& event) {
  for (const json::Member& entry : event.members())
    if (entry.key.as_string().ends_with("EventDetails")) return &entry.value;
  return nullptr;
}

void read_result(const Value& result, RecordedCall& call) {
  call.is_answered = member(result, "timedout") == nullptr;
  call.is_failed = result.find("output") == nullptr;
  if (const Value* output = result.find("output")) call.output = *output;
  if (const Value* error = member(result, "error")) call.error = *error;
  if (const Value* cause = member(result, "cause")) call.cause = *cause;
}

void read_submitted(const Value& event, RecordedCall& call) {
  call.is_submitted = true;
  const Value* details = details_of(event);
  const Value* output = details == nullptr ? nullptr : details->find("output");
  if (output != nullptr) call.submitted = unfold(*output);
}

// Follows the operation's events from its scheduling to its end.
void follow(const Value& events, int64_t scheduled, RecordedCall& call) {
  int64_t id = scheduled;
  for (size_t step = 0; step < kEventsOfOneCallMax; ++step) {
    const Value* next = following(events, id);
    if (next == nullptr) return;
    id = integer(next->find("id"));
    if (type_of(*next) == "TaskSubmitted") read_submitted(*next, call);
    if (!is_end(type_of(*next))) continue;
    call.end_event = id;
    return;
  }
}

// Where ids were lost (a Parallel's events), the n-th call gets the n-th end.
void read_nth_end(const Value& events, size_t n, RecordedCall& call) {
  for (const Value& event : events.items()) {
    if (!is_operation_event(type_of(event)) || !is_end(type_of(event)) || n-- != 0) continue;
    const Value* details = details_of(event);
    if (details == nullptr) return;
    call.is_failed = details->find("output") == nullptr;
    if (const Value* output = details->find("output")) call.output = unfold(*output);
    if (const Value* error = member(*details, "error")) call.error = *error;
    if (const Value* cause = member(*details, "cause")) call.cause = *cause;
    return;
  }
}

}  // namespace

std::vector<RecordedCall> read_calls(const Value& task_calls, const Value& events) {
  std::vector<RecordedCall> calls;
  for (const Value& recorded : task_calls.items()) {
    RecordedCall& call = calls.emplace_back();
    if (const Value* state = member(recorded, "state")) call.state = state->as_string();
    if (const Value* parameters = recorded.find("expected_parameters")) call.parameters = *parameters;
    if (const int64_t scheduled = integer(recorded.find("scheduled_id"))) follow(events, scheduled, call);
    if (const Value* result = member(recorded, "result"))
      read_result(*result, call);
    else
      read_nth_end(events, calls.size() - 1, call);
  }
  return calls;
}

}  // namespace pawl::conformance
