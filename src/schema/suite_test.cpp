// The required tests of the official JSON Schema suite.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "schema/schema.h"

namespace pawl::schema {
namespace {

namespace fs = std::filesystem;

const fs::path kSuite = PAWL_SOURCE_DIR "/../shared/corpus/json-schema";
constexpr const char* kRemotes = "http://localhost:1234/";

json::Value read(const fs::path& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return json::parse(text).value();
}

Documents read_remotes() {
  Documents documents;
  for (const auto& entry : fs::recursive_directory_iterator(kSuite / "remotes"))
    if (entry.is_regular_file())
      documents.emplace(kRemotes + fs::relative(entry.path(), kSuite / "remotes").string(), read(entry.path()));
  return documents;
}

struct Suite {
  const char* folder;
  Draft draft;
  int cases;
};

class OfficialSuite : public testing::TestWithParam<Suite> {};

// How many cases of a group hold.
int run_group(const std::string& file, const json::Value& group, const Options& options) {
  const auto schema = Schema::compile(*group.find("schema"), options);
  const std::string name = file + ": " + std::string(group.find("description")->as_string());
  EXPECT_TRUE(schema) << name << ": " << to_string(schema.error());
  if (!schema) return 0;
  int passed = 0;
  for (const json::Value& test : group.find("tests")->items()) {
    const auto violations = schema->validate(*test.find("data"));
    const bool is_right = violations.empty() == test.find("valid")->as_boolean();
    EXPECT_TRUE(is_right) << name << ": " << test.find("description")->as_string() << " "
                          << json::print(*test.find("data")) << (violations.empty() ? "" : " " + violations[0].what);
    passed += is_right ? 1 : 0;
  }
  return passed;
}

TEST_P(OfficialSuite, Passes) {
  if (!fs::exists(kSuite)) GTEST_SKIP() << "the official suite is not at " << kSuite;
  const Documents documents = read_remotes();
  const Options options{GetParam().draft, "", &documents};
  int passed = 0;
  for (const auto& entry : fs::directory_iterator(kSuite / GetParam().folder)) {
    if (entry.path().extension() != ".json") continue;
    const json::Value groups = read(entry.path());
    for (const json::Value& group : groups.items()) passed += run_group(entry.path().filename(), group, options);
  }
  EXPECT_EQ(passed, GetParam().cases);
}

INSTANTIATE_TEST_SUITE_P(Drafts, OfficialSuite,
                         testing::Values(Suite{"draft7", Draft::k7, 927}, Suite{"draft2020-12", Draft::k2020_12, 1299}),
                         [](const auto& suite) { return suite.param.draft == Draft::k7 ? "Seven" : "TwentyTwelve"; });

}  // namespace
}  // namespace pawl::schema
