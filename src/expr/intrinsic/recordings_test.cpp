// The intrinsic functions of AWS's recorded executions: each gives what AWS gave.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "expr/intrinsic/testing.h"

namespace pawl::intrinsic {
namespace {

constexpr const char* kRecordings = PAWL_SOURCE_DIR "/../shared/corpus/asl/";

// Calls `check` with each line, parsed; false where the file does not exist.
template <typename Check>
bool for_each_recording(const std::string& file, Check check) {
  std::ifstream lines(kRecordings + file);
  if (!lines) return false;
  for (std::string line; std::getline(lines, line);) check(parsed(line));
  return true;
}

template <typename Check>
void for_each_text(const Value& value, Check check) {
  if (value.is_string()) check(value.as_string());
  if (value.is_array())
    for (const Value& item : value.items()) for_each_text(item, check);
  if (value.is_object())
    for (const json::Member& member : value.members()) for_each_text(member.value, check);
}

const Value* find_path(const Value& value, std::initializer_list<std::string_view> keys) {
  const Value* found = &value;
  for (const std::string_view key : keys)
    if (found != nullptr) found = found->find(key);
  return found;
}

// The recordings of the functions' own tests: one Pass state whose Parameters hold the call as FunctionResult.$.
const Value* recorded_call(const Value& recording) {
  return find_path(recording, {"definition", "States", "State_0", "Parameters", "FunctionResult.$"});
}

bool is_placeholder(const Value& value) {
  return value.is_string() && (value.as_string().starts_with("<") || value.as_string() == "RandomNumberGenerated");
}

bool is_intrinsic(std::string_view text) { return text.starts_with("States.") && text.ends_with(")"); }

TEST(RecordedIntrinsics, GiveWhatAwsGave) {
  size_t compared = 0;
  const bool found = for_each_recording("exec_tagged.jsonl", [&](const Value& recording) {
    const Value* call = recorded_call(recording);
    const Value* expected = find_path(recording, {"expect", "output", "FunctionResult"});
    if (call == nullptr || expected == nullptr || is_placeholder(*expected)) return;
    EXPECT_EQ(value_of(call->as_string(), recording.find("input_text")->as_string()), *expected) << json::print(*call);
    ++compared;
  });
  if (!found) GTEST_SKIP() << "the recordings are not at " << kRecordings;
  EXPECT_GE(compared, 50u);
}

TEST(RecordedIntrinsics, CompileWhereAwsAcceptedThem) {
  size_t compiled = 0;
  const bool found = for_each_recording("must_accept_definitions.jsonl", [&](const Value& recording) {
    for_each_text(recording, [&](std::string_view text) {
      if (!is_intrinsic(text)) return;
      const auto result = Intrinsic::compile(text);
      EXPECT_TRUE(result) << text << ": " << to_string(result.error());
      ++compiled;
    });
  });
  if (!found) GTEST_SKIP() << "the recordings are not at " << kRecordings;
  EXPECT_GE(compiled, 40u);
}

TEST(RecordedIntrinsics, DoNotCompileWhereAwsRefusedThem) {
  size_t refused = 0;
  const bool found = for_each_recording("create_error.jsonl", [&](const Value& recording) {
    const auto definition = json::parse(recording.find("definition_text")->as_string());
    if (!definition) return;
    for_each_text(*definition, [&](std::string_view text) {
      if (is_intrinsic(text)) refused += Intrinsic::compile(text) ? 0 : 1;
    });
  });
  if (!found) GTEST_SKIP() << "the recordings are not at " << kRecordings;
  EXPECT_GE(refused, 1u);
}

}  // namespace
}  // namespace pawl::intrinsic
