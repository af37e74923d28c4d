// The machines that were published with SM4C, and the project's own examples: every one can be run.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "lang/sm4c/lint.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::sm4c {
namespace {

const std::filesystem::path kCorpus = PAWL_SOURCE_DIR "/../shared/corpus/sm4c";

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Their documents are on hosts that nothing asks.
TEST(Samples, LackNothingButTheirDocumentsWithTheOptionsThatTheyWereWrittenFor) {
  if (!std::filesystem::exists(kCorpus)) GTEST_SKIP() << "There is no " << kCorpus;
  const Options options{.waits_always = true, .exits_on_end = true};
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    auto document = text::parse_definition(read(entry.path())).value();
    if (const Value* inner = document.root.find("workflow")) document = {Value(*inner), {}};
    EXPECT_TRUE(is_state_machine(document.root)) << entry.path();
    Diagnostics diagnostics;
    static_cast<void>(load(std::move(document), options, {}, diagnostics));
    std::erase_if(diagnostics, [](const Diagnostic& each) { return each.code == "SM4C_DOCUMENT_ELSEWHERE"; });
    EXPECT_TRUE(diagnostics.empty()) << entry.path() << text::format_as_text(diagnostics);
    ++count;
  }
  EXPECT_EQ(count, 9u);
}

TEST(OwnExamples, AreInOrder) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PAWL_SOURCE_DIR "/examples/sm4c")) {
    const std::string name = entry.path().filename();
    const bool is_definition = (name.ends_with(".json") || name.ends_with(".yaml")) && name != "tasks.yaml";
    if (!is_definition) continue;
    ++count;
    Files files;
    for (const char* path : {"depot.proto", "openapi/tracking.yaml"})
      files[path] = read(entry.path().parent_path() / path);
    const Diagnostics diagnostics = lint_text(read(entry.path()), name, {}, files);
    EXPECT_TRUE(diagnostics.empty()) << text::format_as_text(diagnostics);
  }
  EXPECT_EQ(count, 5u);
}

}  // namespace
}  // namespace pawl::sm4c
