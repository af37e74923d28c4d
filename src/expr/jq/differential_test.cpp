// Holds programs against jq itself, where it is installed: those of a list, and generated ones. Each program runs on
// every input; that an error is raised is compared, its text is not.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

#include "expr/jq/differential_test_programs.h"
#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

constexpr size_t kProgramsPerRun = 40;       // jq 1.6 takes longer to start than to run
constexpr size_t kGeneratedPrograms = 1200;  // on each of the inputs below
constexpr uint64_t kSeed = 20'260'901;

constexpr std::string_view kInputs[] = {"null",
                                        "true",
                                        "0",
                                        "-3.5",
                                        "\"\"",
                                        "\"a\"",
                                        "\"abc,a\"",
                                        "\"é, 日本\"",
                                        "[]",
                                        "[1]",
                                        "[3,1,2]",
                                        "[null,false,1]",
                                        "[\"b\",\"a\",\"b\"]",
                                        "[[1,2],[3]]",
                                        "[{\"a\":1,\"b\":2},{\"a\":3}]",
                                        "{}",
                                        "{\"a\":1}",
                                        "{\"a\":{\"b\":1},\"b\":[1,2]}",
                                        "{\"a\":[1,{\"b\":null}],\"c\":\"x\"}",
                                        "[1,[2,[3]],{\"a\":\"x\"}]",
                                        "{\"b\":1,\"a\":2,\"c\":[\"x\",\"y\"]}"};

// The answer of one program on one input: its outputs as an array, or {"error":…}.
std::string wrapped(const std::string& program) { return "(try [" + program + "\n] catch {error: .})"; }

bool is_error(const Value& answer) { return answer.is_object(); }

Value our_answer(const std::string& program, std::string_view input) {
  const auto compiled = Program::compile(wrapped(program));
  if (!compiled) return Value::string("does not compile: " + compiled.error().what);  // which is no error of jq's
  const auto outputs = compiled->evaluate(testing::json_of(input));
  if (!outputs) return testing::json_of("{\"error\":\"" + outputs.error().code + "\"}");
  return outputs->empty() ? Value::empty_array() : outputs->front();
}

// Calls that differ by decision (docs/jq.md) on one of the inputs.
constexpr std::pair<std::string_view, std::string_view> kDecided[] = {
    {"gmtime", "-3.5"},
    {"todate", "-3.5"},
    {"todateiso8601", "-3.5"},
    {"strptime(.)", "\"\""},
    {"strptime(.)", "\"a\""},
    {"strptime(.)", "\"abc,a\""},
    {"strptime(.)", "\"é, 日本\""},
    {"strptime(\"a\")", "\"a\""},
    {"error", "null"},
    {"error(.)", "null"},
    {"error(.a?)", "null"},
    {"error(.a?)", "{}"},
    {"path(\"a\")", "\"a\""},
    {"del(\"a\")", "\"a\""},
};

bool is_decided(const std::string& program, std::string_view input) {
  return std::ranges::any_of(kDecided, [&](const auto& each) {
    return program == "limit(20; " + std::string(each.first) + ")" && input == each.second;
  });
}

// A folder of its own that goes with it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("pawl-jq-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string file = (path_ / name).string();
    std::ofstream(file) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

std::string run_command(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  char buffer[4096];
  while (const size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, size);
  ::pclose(pipe);
  return output;
}

bool has_jq() { return run_command("jq --version 2>/dev/null").starts_with("jq-1.6"); }

std::string all_inputs() {
  std::string text;
  for (const std::string_view input : kInputs) text += std::string(input) + "\n";
  return text;
}

class Differential : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_jq()) GTEST_SKIP() << "jq 1.6 is not installed";
    inputs_ = folder_.write("inputs", all_inputs());
  }

  // For each input, the answers of the programs; nothing where jq does not compile one of them or falls.
  std::vector<Value> jq_answers(const std::vector<std::string>& programs) const {
    std::string text;
    for (const std::string& program : programs) text += (text.empty() ? "" : ",\n") + wrapped(program);
    const std::string file = folder_.write("program", "[" + text + "]");
    std::istringstream lines(run_command("timeout 20 jq -c -f " + file + " " + inputs_ + " 2>/dev/null"));
    std::vector<Value> answers;
    for (std::string line; std::getline(lines, line);) answers.push_back(testing::json_of(line));
    if (answers.size() != std::size(kInputs)) answers.clear();
    return answers;
  }

  void compare(const std::string& program, size_t input, const Value& expected) {
    ++compared_;
    const Value ours = our_answer(program, kInputs[input]);
    const bool same = is_error(expected) ? is_error(ours) : ours == expected;
    EXPECT_FALSE(same && is_decided(program, kInputs[input]))
        << program << " on " << kInputs[input] << " differs no more";
    if (!same && !is_decided(program, kInputs[input]))
      ADD_FAILURE() << program << "\n  on " << kInputs[input] << "\n  jq   " << json::print(expected) << "\n  ours "
                    << json::print(ours);
  }

  void run(const std::vector<std::string>& programs) {
    const std::vector<Value> answers = jq_answers(programs);
    if (answers.empty() && programs.size() > 1) {
      for (const std::string& program : programs) run({program});
      return;
    }
    if (answers.empty()) ++refused_;
    for (size_t input = 0; input < answers.size(); ++input)
      for (size_t i = 0; i < programs.size(); ++i) compare(programs[i], input, answers[input].at(i));
  }

  void run_in_parts(const std::vector<std::string>& programs) {
    for (size_t first = 0; first < programs.size(); first += kProgramsPerRun) {
      const auto begin = programs.begin() + static_cast<ptrdiff_t>(first);
      run({begin, begin + static_cast<ptrdiff_t>(std::min(kProgramsPerRun, programs.size() - first))});
    }
  }

  Folder folder_;
  std::string inputs_;
  size_t compared_ = 0;
  size_t refused_ = 0;  // programs that jq does not take, or that it does not survive
};

TEST_F(Differential, TheListedProgramsAnswerAsJqDoes) {
  std::ifstream file(PAWL_SOURCE_DIR "/tests/conformance/jq/agreed.txt");
  std::vector<std::string> programs;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) programs.push_back(line);
  ASSERT_GT(programs.size(), 300u);
  run_in_parts(programs);
  EXPECT_EQ(refused_, 0u);
}

// The outputs of one program on one input, as an array; errors are not told.
Value jq_outputs(const Folder& folder, const Value& test_case) {
  const std::string program = folder.write("program", std::string(test_case.find("program")->as_string()));
  const std::string input = folder.write("input", json::print(*test_case.find("input")));
  std::istringstream lines(run_command("timeout 20 jq -c -f " + program + " " + input + " 2>/dev/null"));
  json::ArrayBuilder outputs;
  for (std::string line; std::getline(lines, line);) outputs.push(testing::json_of(line));
  return outputs.build();
}

TEST_F(Differential, JqAnswersDecidedDifferencesAsTheyAreListed) {
  std::ifstream file(PAWL_SOURCE_DIR "/tests/conformance/jq/decided.jsonl");
  size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const Value test_case = testing::json_of(line);
    const Value* listed = test_case.find("jq");
    const Value expected = listed->is_null() ? Value::empty_array() : *listed;
    EXPECT_EQ(json::print(jq_outputs(folder_, test_case)), json::print(expected)) << line;
  }
  EXPECT_GE(count, 25u);
}

// Builtins of jq 1.6, and calls of them, that are not held against it, each with its reason.
constexpr std::pair<std::string_view, std::string_view> kNotCompared[] = {
    {"now", "tells the time"},
    {"localtime", "tells the machine's zone"},
    {"strflocaltime", "tells the machine's zone"},
    {"until", "does not end on most inputs"},
    {"get_jq_origin", "tells where jq lies; not in the manual"},
    {"get_prog_origin", "tells where the program lies; not in the manual"},
    {"scalars_or_empty", "a part of another builtin in 1.6 only; not in the manual"},
    {"builtins", "lists other builtins"},
    {"limit/2", "decided: a count that is no number"},
    {"range/3", "decided: bounds that are no numbers"},
    {"flatten/1", "decided: a depth that is no number"},
    {"bsearch/1", "decided: what is no array, several targets"},
    {"fromstream/1", "decided: events that are none"},
    {"IN/2", "decided: the second stream has the first one's input"},
    {"any(.[]?)", "decided: a condition with several outputs"},
    {"any(.[]?; .[]?)", "decided: the same"},
    {"map_values(.[]?)", "decided: what |= empty deletes"},
    {"map_values(.a?)", "decided: the same"},
    {"pow10", "jq was built without it"},
    {"strftime(.)", "ends jq itself"},
    {"strftime(2)", "ends jq itself"},
    {"indices(.)", "jq does not end"},
    {"index(.)", "jq does not end"},
    {"rindex(.)", "jq does not end"},
    {"repeat(.[]?)", "jq does not end"},
    {"repeat(.a?)", "jq does not end"},
};

bool is_compared(const std::string& text) {
  return std::ranges::none_of(kNotCompared, [&](const auto& each) { return each.first == text; });
}

bool is_outside(const std::string& name) {
  return name.starts_with('_') || testing::answer(name, "null") == "JQ_REFUSED";
}

std::string call_of(const std::string& name, size_t arity, std::string_view argument) {
  std::string text = name;
  for (size_t i = 0; i < arity; ++i) text += (i == 0 ? "(" : "; ") + std::string(argument);
  return text + (arity == 0 ? "" : ")");
}

// A call of each of jq's builtins, with a few arguments.
std::vector<std::string> calls_of_builtins() {
  const Value builtins = testing::json_of(run_command("jq -nc builtins"));
  std::vector<std::string> calls;
  for (const Value& builtin : builtins.items()) {
    const std::string text(builtin.as_string());
    const std::string name = text.substr(0, text.find('/'));
    const size_t arity = std::stoul(text.substr(text.find('/') + 1));
    if (is_outside(name) || !is_compared(name) || !is_compared(text)) continue;
    for (const std::string_view argument : {".", "2", "\"a\"", ".[]?", ".a?"}) {
      const std::string call = call_of(name, arity, argument);
      if (is_compared(call)) calls.push_back("limit(20; " + call + ")");
      if (arity == 0) break;
    }
  }
  return calls;
}

TEST_F(Differential, EveryBuiltinOfJqAnswersAsJqDoes) {
  const std::vector<std::string> calls = calls_of_builtins();
  EXPECT_GE(calls.size(), 400u);
  run_in_parts(calls);
  EXPECT_EQ(refused_, 0u);
}

TEST_F(Differential, GeneratedProgramsAnswerAsJqDoes) {
  const char* seed = std::getenv("PAWL_JQ_SEED");
  testing::ProgramGenerator generator(seed == nullptr ? kSeed : std::strtoull(seed, nullptr, 10));
  std::vector<std::string> programs;
  for (size_t i = 0; i < kGeneratedPrograms; ++i) programs.push_back(generator.program());
  run_in_parts(programs);
  EXPECT_GE(compared_, 20'000u);
}

}  // namespace
}  // namespace pawl::jq
