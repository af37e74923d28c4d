// The draft's own examples: every one can be run, in both forms.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "lang/serverless/lint.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::serverless {
namespace {

const std::filesystem::path kCorpus = PAWL_SOURCE_DIR "/../shared/corpus/serverless";

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The workflows; examples-01-….data1.json and their like are the data they are run with.
std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    const std::string name = entry.path().filename();
    const bool is_definition = name.ends_with(".json") || name.ends_with(".yaml");
    const bool is_example = !name.starts_with("spec-") && !name.contains(".data");
    if (is_definition && is_example) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(Examples, HaveNoErrors) {
  if (!std::filesystem::exists(kCorpus)) GTEST_SKIP() << "There is no " << kCorpus;
  const auto paths = examples();
  EXPECT_EQ(paths.size(), 48u);
  for (const auto& path : paths) {
    const Diagnostics diagnostics = lint_text(read(path), path.filename().string(), {});
    EXPECT_FALSE(has_errors(diagnostics)) << text::format_as_text(diagnostics);
  }
}

// What an example refers to, read from its folder.
Files files_beside(const std::filesystem::path& example) {
  Files files;
  for (const std::string& path : referred_files(text::parse_definition(read(example))->root))
    files[path] = read(example.parent_path() / path);
  return files;
}

// A newcomer's first contact: nothing may be said of them, but that packing.yaml borrows a function of its parent.
TEST(OwnExamples, AreInOrder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PAWL_SOURCE_DIR "/examples/serverless")) {
    const std::string name = entry.path().filename();
    const bool is_definition = (name.ends_with(".json") || name.ends_with(".yaml")) && name != "tasks.yaml";
    if (!is_definition) continue;
    ++count;
    const Diagnostics diagnostics = lint_text(read(entry.path()), name, {}, files_beside(entry.path()));
    const bool borrows = name == "packing.yaml";
    EXPECT_EQ(diagnostics.size(), borrows ? 1u : 0u) << text::format_as_text(diagnostics);
  }
  EXPECT_GE(count, 12u);
}

}  // namespace
}  // namespace pawl::serverless
