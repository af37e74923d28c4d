#include "replay.h"

#include <algorithm>

#include "json/print.h"

namespace pawl::conformance {

namespace {

using engine::TaskAnswer;

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

TaskAnswer answer_of(const RecordedCall& call) {
  if (!call.is_failed) return TaskAnswer::succeeded(call.output);
  json::ObjectBuilder error;
  if (!call.error.is_null()) error.set("Error", call.error);
  if (!call.cause.is_null()) error.set("Cause", Value::string(text_of(call.cause)));
  return {TaskAnswer::Kind::kFailed, error.build()};
}

bool may_be_for(const RecordedCall& call, std::string_view state) { return call.state.empty() || call.state == state; }

}  // namespace

RecordedTasks::RecordedTasks(const std::vector<RecordedCall>& calls, const Transformers& transformers)
    : transformers_(transformers) {
  for (const RecordedCall& call : calls) {
    by_end_.push_back(calls_.size());
    calls_.push_back({&call, false, {}});
  }
  std::ranges::stable_sort(by_end_, {}, [this](size_t call) { return calls_[call].recorded->end_event; });
}

RecordedTasks::Call* RecordedTasks::find(const engine::TaskRequest& request, const Value& asked) {
  Call* first = nullptr;
  for (Call& call : calls_) {
    if (call.is_taken || !may_be_for(*call.recorded, request.state)) continue;
    if (differences(call.recorded->parameters, asked).empty()) return &call;
    if (first == nullptr) first = &call;
  }
  return first;
}

engine::TaskHandler::Expect RecordedTasks::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  const Value asked = transformers_.apply(request.input);
  Call* call = find(request, asked);
  if (call == nullptr) {
    complaints_.push_back("request of " + request.state + ": none is recorded");
    return Expect::kNothing;
  }
  for (const std::string& difference : differences(call->recorded->parameters, asked))
    complaints_.push_back("request of " + request.state + ": " + difference);
  call->is_taken = true;
  if (call->recorded->is_submitted) answer(TaskAnswer::submitted(call->recorded->submitted));
  call->answer = std::move(answer);
  give_what_is_due();
  return Expect::kNothing;
}

// An answer waits until all that the recording has before it are given.
void RecordedTasks::give_what_is_due() {
  for (; given_ < by_end_.size() && calls_[by_end_[given_]].is_taken; ++given_) {
    const Call& call = calls_[by_end_[given_]];
    if (call.recorded->is_answered) call.answer(answer_of(*call.recorded));
  }
}

void RecordedTasks::cancel(engine::TaskId) {}

std::vector<std::string> RecordedTasks::complaints() const {
  std::vector<std::string> all = complaints_;
  for (const Call& call : calls_)
    if (!call.is_taken) all.push_back("request of " + call.recorded->state + ": recorded, but never made");
  return all;
}

}  // namespace pawl::conformance
