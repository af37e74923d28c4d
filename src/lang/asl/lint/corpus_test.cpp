// Lint against recordings of AWS and against another validator's files: what AWS accepts has no error, what it refuses
// has one.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/lint.h"
#include "lang/asl/program.h"

namespace pawl::asl {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(PAWL_SOURCE_DIR) / "../shared/corpus";

#define SKIP_WITHOUT(path) \
  if (!fs::exists(path)) GTEST_SKIP() << "the recordings are not at hand: " << (path)

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<Value> read_lines(const fs::path& path) {
  std::vector<Value> values;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) values.push_back(json::parse(line).value());
  return values;
}

std::string text_of(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

std::string errors_of(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::kError)
      out += "\n  " + diagnostic.code + " " + diagnostic.pointer + ": " + diagnostic.cause;
  return out;
}

// Whatever has no error, and asks for nothing that cannot be run yet, compiles.
std::string compile_error_of(const Value& definition) {
  Diagnostics diagnostics;
  const Definition parsed = parse_definition(json::parse_document(json::print(definition)).value(), diagnostics);
  if (!unsupported_features(parsed).empty()) return "";
  const auto program = Program::compile(parsed, Options());
  return program ? "" : to_string(program.error());
}

std::string errors_in(const Value& definition) { return errors_of(lint_text(json::print(definition), "", Options())); }

TEST(LintCorpus, HasNoErrorForWhatAwsAccepted) {
  const fs::path path = kCorpus / "asl/must_accept_definitions.jsonl";
  SKIP_WITHOUT(path);
  const std::vector<Value> definitions = read_lines(path);
  EXPECT_EQ(definitions.size(), 242u);
  for (const Value& definition : definitions) {
    EXPECT_EQ(errors_in(definition), "") << json::print(definition);
    EXPECT_EQ(compile_error_of(definition), "") << json::print(definition);
  }
}

TEST(LintCorpus, HasNoErrorForWhatAwsRan) {
  SKIP_WITHOUT(kCorpus / "asl/exec_tagged.jsonl");
  size_t checked = 0;
  for (const char* file : {"asl/exec_tagged.jsonl", "asl/choice.jsonl", "asl/express.jsonl"})
    for (const Value& record : read_lines(kCorpus / file)) {
      const Value* definition = record.find("definition");
      if (definition == nullptr || !definition->is_object()) continue;
      ++checked;
      EXPECT_EQ(errors_in(*definition), "") << text_of(record, "id");
      EXPECT_EQ(compile_error_of(*definition), "") << text_of(record, "id");
    }
  EXPECT_GT(checked, 700u);
}

// The name is the one that AWS gives to a state that is tested alone.
Value machine_of(const Value& state) {
  json::ObjectBuilder states;
  states.set("StateName", state);
  json::ObjectBuilder machine;
  machine.set("StartAt", Value::string("StateName"));
  machine.set("States", states.build());
  return machine.build();
}

// The state is tested without its machine, so that nothing can be said of where it goes.
std::string errors_of_state(const Value& state) {
  Diagnostics diagnostics = lint_text(json::print(machine_of(state)), "", Options());
  std::erase_if(diagnostics, [](const Diagnostic& diagnostic) {
    return diagnostic.code == "ASL_MISSING_STATE" || diagnostic.code == "ASL_NO_WAY_TO_END";
  });
  return errors_of(diagnostics);
}

TEST(LintCorpus, HasNoErrorForStatesThatAwsTested) {
  const fs::path path = kCorpus / "asl/teststate.jsonl";
  SKIP_WITHOUT(path);
  size_t checked = 0;
  for (const Value& record : read_lines(path)) {
    const Value* response = record.find("response");
    if (response == nullptr || response->find("status") == nullptr) continue;
    const auto state = json::parse(text_of(*record.find("call"), "definition"));
    if (!state || state->find("Type") == nullptr) continue;
    ++checked;
    EXPECT_EQ(errors_of_state(*state), "") << text_of(record, "id");
  }
  EXPECT_GT(checked, 60u);
}

// The message, from whichever of the two shapes the recording has.
std::string recorded_message(const Value& record) {
  const Value* response = record.find("response");
  if (response == nullptr) return "";
  std::string message = text_of(*response, "message") + text_of(*response, "exception_value");
  const std::string begin = "Invalid State Machine Definition: '";
  const size_t at = message.find(begin);
  if (at == std::string::npos) return message;
  message = message.substr(at + begin.size());
  return message.substr(0, message.rfind('\''));
}

TEST(LintCorpus, RefusesStatesThatAwsRefusedToTestInItsWords) {
  const fs::path path = kCorpus / "asl/teststate.jsonl";
  SKIP_WITHOUT(path);
  size_t checked = 0;
  for (const Value& record : read_lines(path)) {
    const std::string message = recorded_message(record);
    if (!message.starts_with("SCHEMA_VALIDATION_FAILED")) continue;
    const Value tested = json::parse(text_of(*record.find("call"), "definition")).value();
    const Value machine = tested.find("States") != nullptr ? tested : machine_of(tested);
    EXPECT_EQ(aws_refusal(lint_text(json::print(machine), "", Options())), message) << text_of(record, "id");
    ++checked;
  }
  EXPECT_EQ(checked, 2u);
}

Options options_for(const Value& call) {
  Options options;
  options.express = text_of(call, "type") == "EXPRESS";
  return options;
}

TEST(LintCorpus, RefusesWhatAwsRefusedAndInItsWords) {
  const fs::path path = kCorpus / "asl/create_error.jsonl";
  SKIP_WITHOUT(path);
  size_t validated = 0;
  for (const Value& record : read_lines(path)) {
    const Value* arguments = record.find("args");
    const Diagnostics diagnostics =
        lint_document(json::parse_document(text_of(record, "definition_text")), options_for(*arguments));
    EXPECT_TRUE(has_errors(diagnostics)) << text_of(record, "id") << "\n"
                                         << recorded_message(record) << "\n"
                                         << text_of(record, "definition_text");
    if (!record.find("aws_validated")->as_boolean()) continue;
    ++validated;
    EXPECT_EQ(aws_refusal(diagnostics), recorded_message(record)) << text_of(record, "id");
  }
  EXPECT_EQ(validated, 8u);
}

TEST(LintCorpus, ValidatesAsAwsDoes) {
  const fs::path path = kCorpus / "asl/validate.jsonl";
  SKIP_WITHOUT(path);
  const std::vector<Value> records = read_lines(path);
  EXPECT_EQ(records.size(), 9u);
  for (const Value& record : records) {
    const Value& call = *record.find("call");
    const Value expected = record.find("response")->without_member("ResponseMetadata");
    const Value answer = aws_validation(text_of(call, "definition"), options_for(call));
    EXPECT_TRUE(answer == expected) << text_of(record, "id") << "\n"
                                    << json::print(answer) << "\n"
                                    << json::print(expected);
  }
}

// Named invalid, and not an error here.
const std::map<std::string, std::string> kNotRefused = {
    {"invalid-math-add.json", "the service refuses the kind of an argument when the function is called"},
    {"invalid-jsonata-surround-syntax-no-spaces.json",
     "JSONata comes later; the service takes {%10%} without blanks inside"},
    {"invalid-jsonata-syntax-arithmetic.json", "JSONata comes later"},
    {"invalid-jsonata-syntax-mismatched-parens.json", "JSONata comes later"},
};

// Named valid, and an error here.
const std::map<std::string, std::string> kRefused = {
    {"valid-task-intrisic-function.json", "Resource is a template of CloudFormation, which the service never sees"},
    {"valid-assign.asl.json", "a variable has a hyphen in its name, which the specification forbids"},
};

TEST(LintCorpus, JudgesTheFilesOfAnotherValidatorAsTheirNamesSay) {
  const fs::path folder = kCorpus / "lint/asl-validator";
  SKIP_WITHOUT(folder);
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool valid = name.starts_with("valid-") ? !kRefused.contains(name) : kNotRefused.contains(name);
    const std::string errors = errors_of(lint_text(read_text(entry.path()), name, Options()));
    EXPECT_EQ(errors.empty(), valid) << name << errors;
    ++files;
  }
  EXPECT_EQ(files, 68u);
}

}  // namespace
}  // namespace pawl::asl
