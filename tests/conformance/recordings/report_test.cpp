#include "report.h"

#include <cstdio>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace pawl::conformance {
namespace {

Recording recorded(std::vector<std::string> tags, bool validated = true) {
  Recording recording;
  recording.kind = RecordingKind::kChoice;
  recording.tags = std::move(tags);
  recording.aws_validated = validated;
  return recording;
}

std::string printed(const Tally& tally) {
  std::ostringstream out;
  tally.print(out);
  return out.str();
}

class Floors : public testing::Test {
 protected:
  std::vector<std::string> below(const Tally& tally, std::string_view floors) {
    std::ofstream(path_) << floors;
    return tally.below_floors(path_).value();
  }
  void TearDown() override { std::remove(path_.c_str()); }

  const std::string path_ =
      testing::TempDir() + "/floors_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
};

TEST(Tally, CountsALevelOnlyWhereThoseBeforeItAgree) {
  Tally tally;
  Agreement agreement;
  agreement.at(Level::kStatus).push_back("recorded SUCCEEDED, ours FAILED");
  tally.add(recorded({"choice"}), agreement);
  EXPECT_NE(printed(tally).find("output                    passed 0 of 1"), std::string::npos) << printed(tally);
}

TEST(Tally, KeepsWhatIsNotValidatedApart) {
  Tally tally;
  tally.add(recorded({"choice"}, false), Agreement());
  EXPECT_EQ(printed(tally).find("choice"), std::string::npos);
  EXPECT_NE(printed(tally).find("not validated"), std::string::npos);
}

TEST_F(Floors, ReportALevelThatFellBelow) {
  Tally tally;
  tally.add(recorded({"choice"}), Agreement());
  EXPECT_TRUE(below(tally, R"({"choice":{"status":1,"output":1}})").empty());
  EXPECT_EQ(below(tally, R"({"choice":{"output":2}})"),
            std::vector<std::string>{"choice, output: passed 1, the floor is 2"});
}

TEST_F(Floors, ReportATagThatWasNotRun) {
  EXPECT_EQ(below(Tally(), R"({"choice":{"output":2}})"), std::vector<std::string>{"choice: nothing was run"});
}

TEST_F(Floors, MustBeReadable) {
  std::ofstream(path_) << "{";
  EXPECT_EQ(Tally().below_floors(path_).error().code, "FLOORS_UNREADABLE");
}

}  // namespace
}  // namespace pawl::conformance
