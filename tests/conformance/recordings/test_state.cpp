#include "test_state.h"

#include "engine/local_run.h"
#include "json/print.h"
#include "lang/asl/test_state.h"
#include "normalise.h"
#include "one_answer.h"

namespace pawl::conformance {

namespace {

std::string text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

// The recorder parsed some of the texts: data is compared as data.
Value unfold_members(const Value& object) {
  json::ObjectBuilder unfolded(object.size());
  for (const json::Member& member : object.members()) unfolded.set(member.key, unfold(member.value));
  return unfolded.build();
}

Value unfold_answer(const Value& answer) {
  json::ObjectBuilder unfolded(answer.size());
  for (const json::Member& member : answer.members()) {
    const std::string_view name = member.key.as_string();
    if (name == "ResponseMetadata") continue;
    if (name == "inspectionData")
      unfolded.set(member.key, unfold_members(member.value));
    else
      unfolded.set(member.key, name == "output" ? unfold(member.value) : member.value);
  }
  return unfolded.build();
}

// "InvalidDefinition: its message", of either of the two forms that the recorder has; empty where it was answered.
std::string refusal_of(const Value& response) {
  constexpr std::string_view kBefore = " operation: ";
  if (const Value* error = response.find("Error")) return text_at(*error, "Code") + ": " + text_at(*error, "Message");
  const std::string type = text_at(response, "exception_typename");
  if (type.empty()) return {};
  const std::string text = text_at(response, "exception_value");
  const size_t begin = text.find(kBefore);
  return type + ": " + (begin == std::string::npos ? text : text.substr(begin + kBefore.size()));
}

// What the task gave is told by the inspection or, where nothing changed it, by the output.
Value result_of(const Value& response) {
  if (const Value* inspected = response.find("inspectionData"))
    if (const Value* result = inspected->find("result")) return unfold(*result);
  const Value* output = response.find("output");
  return output == nullptr ? Value() : unfold(*output);
}

asl::ContextFacts context_facts() {
  asl::ContextFacts facts;
  facts.execution_arn = "arn:aws:states:us-east-1:111111111111:express:machine:execution";
  facts.execution_name = "execution";
  facts.machine_arn = "arn:aws:states:us-east-1:111111111111:stateMachine:machine";
  facts.machine_name = "machine";
  return facts;
}

std::string run(asl::StateTest& test, const Value& response) {
  OneAnswer tasks(engine::TaskAnswer::succeeded(result_of(response)));
  engine::LocalRunOptions options;
  options.virtual_time = true;
  options.input_text = test.input_text();
  const auto ran = engine::run_local(test.program(), test.input(), test.make_context(context_facts()), tasks, options);
  return ran ? std::string() : to_string(ran.error());
}

void compare_answers(const Value& recorded, const Value& ours, Agreement& agreement) {
  if (text_at(recorded, "status") != text_at(ours, "status"))
    agreement.at(Level::kStatus).push_back("recorded " + json::print(recorded) + "\n    ours " + json::print(ours));
  agreement.at(Level::kAnswer) = differences(recorded, ours);
}

}  // namespace

void judge_test_state(const Recording& recording, Agreement& agreement) {
  const std::string recorded = refusal_of(recording.response);
  const auto test = asl::StateTest::prepare(recording.call);
  const std::string ours = test ? std::string() : test.error().type + ": " + test.error().message;
  if (recorded.empty() != ours.empty())
    agreement.at(Level::kVerdict).push_back("recorded " + recorded + ", ours " + ours);
  if (recorded != ours) agreement.at(Level::kMessage).push_back("recorded " + recorded + "\n    ours     " + ours);
  if (!test || !recorded.empty()) return;
  if (const std::string error = run(**test, recording.response); !error.empty()) {
    agreement.at(Level::kStatus).push_back("it did not run: " + error);
    return;
  }
  const Transformers transformers(recording.transformers);
  compare_answers(unfold_answer(recording.response), transformers.apply(unfold_answer((*test)->answer())), agreement);
}

}  // namespace pawl::conformance
