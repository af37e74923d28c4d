// The published examples, run to their end by a world that answers whatever they wait for, well or badly.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernel/redrive.h"
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

namespace fs = std::filesystem;

constexpr int kStepsMax = 400;  // of one run: some examples go round until a job is done

const fs::path kExamples = fs::path(PAWL_SOURCE_DIR) / "../shared/corpus/serverless";

bool is_definition(const fs::path& file) {
  const std::string name = file.filename().string();
  const bool is_data = name.find(".data") != std::string::npos;
  const bool is_part = name.find("sampleWorkflow") != std::string::npos || name.find("fragment") != std::string::npos;
  return (file.extension() == ".json" || file.extension() == ".yaml") && !is_data && !is_part;
}

std::vector<fs::path> example_files() {
  std::vector<fs::path> files;
  if (!fs::exists(kExamples)) return files;
  for (const auto& entry : fs::directory_iterator(kExamples))
    if (is_definition(entry.path())) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class ExampleRuns : public WorkflowTest {
 protected:
  // Runs until the end or for kStepsMax steps; 0 failures in ten: all is well.
  void run(uint64_t seed, uint64_t failures_in_ten) {
    SeededRandom dice(seed);
    start(R"({"orders":[{"n":1},{"n":2}],"person":{"name":"John"}})");
    for (int step = 0; step < kStepsMax && !HasFatalFailure(); ++step) {
      if (!execution().is_open()) {
        if (failures_in_ten == 0 || !kernel::is_redrivable(execution().status()) || dice.next() % 2 == 0) return;
        redrive();
        continue;
      }
      move(dice, failures_in_ten);
    }
  }

 private:
  // One thing of all that could happen next.
  void move(SeededRandom& dice, uint64_t failures_in_ten) {
    const auto& open = execution().open_operations();
    ASSERT_FALSE(open.empty());
    const auto at = std::next(open.begin(), static_cast<std::ptrdiff_t>(dice.next() % open.size()));
    const kernel::Operation operation = at->second;
    const bool goes_wrong = dice.next() % 10 < failures_in_ten;
    const bool can_be_late = execution().next_due() != kNever;
    if (can_be_late && (goes_wrong || !operation.is_shown())) return pass(execution().next_due() - world.clock.now());
    if (operation.kind == kernel::OperationKind::kEvent) return send(operation);
    if (!operation.is_called()) return;
    end(operation.id, goes_wrong ? kernel::Outcome::kFailed : kernel::Outcome::kSucceeded,
        goes_wrong ? R"({"Error":"Broken","Cause":"By chance."})" : R"({"output":{"a":1},"status":"SUCCEEDED"})");
  }

  void send(const kernel::Operation& operation) {
    const auto filter = *kernel::EventFilter::from_value(operation.input.find("filters")->at(0));
    json::ObjectBuilder event;
    event.set("id", Value::string("1"));
    event.set("source", Value::string(filter.source.empty() ? "here" : filter.source));
    event.set("type", Value::string(filter.type.empty() ? "some" : filter.type));
    for (const auto& attribute : filter.attributes)
      event.set(attribute.name, Value::string(attribute.value.value_or("value")));
    ASSERT_GE(arrive(json::print(event.build())), 1u);
  }
};

TEST_F(ExampleRuns, NeverGetStuckNorLeaveWhatFactsCannotRebuild) {
  const auto found = example_files();
  if (found.empty()) GTEST_SKIP() << "the published examples are not in " << kExamples;
  for (const fs::path& file : found)
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(file.filename().string() + " seed " + std::to_string(seed));
      load_text(read(file));
      run(seed, seed % 4 == 0 ? 0 : 3);
      if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace pawl::serverless
