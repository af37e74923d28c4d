#include "server/log.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::server {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    close_input();
  }
  int input() const { return ends_[1]; }
  void close_input() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }
  // Everything that was written, once nobody writes any more.
  std::string read_all() {
    close_input();
    std::string text;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::read(ends_[0], buffer, sizeof(buffer))) > 0;)
      text.append(buffer, static_cast<size_t>(size));
    return text;
  }

 private:
  std::array<int, 2> ends_{};
};

std::string logged(const LogOptions& options, LogLevel level, std::initializer_list<LogField> fields) {
  Pipe pipe;
  Log(options, pipe.input()).write(level, "something happened", fields);
  return pipe.read_all();
}

TEST(Log, WritesOneJsonObjectALine) {
  const std::string line =
      logged({LogLevel::kInfo, LogFormat::kAuto}, LogLevel::kWarning, {{"execution", "m:1"}, {"empty", ""}});
  const auto object = json::parse(line);
  ASSERT_TRUE(object) << line;
  EXPECT_EQ(object->find("level")->as_string(), "warning");
  EXPECT_EQ(object->find("event")->as_string(), "something happened");
  EXPECT_EQ(object->find("execution")->as_string(), "m:1");
  EXPECT_EQ(object->find("empty"), nullptr);
  EXPECT_THAT(line, EndsWith("}\n"));
}

TEST(Log, WritesLinesForPeople) {
  EXPECT_THAT(logged({LogLevel::kInfo, LogFormat::kText}, LogLevel::kError, {{"a", "b"}, {"c", "d e"}}),
              MatchesRegex("20[-0-9T:.]+Z error something happened a=b c=\"d e\"\n"));
}

TEST(Log, LeavesOutWhatIsBelowItsLevel) {
  EXPECT_EQ(logged({LogLevel::kWarning, LogFormat::kJson}, LogLevel::kInfo, {}), "");
  EXPECT_EQ(logged({LogLevel::kOff, LogFormat::kJson}, LogLevel::kError, {}), "");
}

TEST(Log, KeepsAnEventOnOneLineWhateverAClientSent) {
  for (const LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
    const std::string line = logged({LogLevel::kInfo, format}, LogLevel::kInfo, {{"name", "a\nb\x1b[0m\xff\x7f"}});
    EXPECT_THAT(line, HasSubstr("a?b?[0m??"));
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
  }
}

TEST(Log, CutsLongTexts) {
  const std::string text(10'000, 'x');
  EXPECT_LT(logged({LogLevel::kInfo, LogFormat::kJson}, LogLevel::kInfo, {{"name", text}}).size(),
            kLogFieldBytesMax + 200);
}

TEST(Log, DropsAndCountsWhatNobodyReads) {
  const Pipe pipe;
  Log log({LogLevel::kInfo, LogFormat::kJson}, pipe.input());
  const std::string text(kLogFieldBytesMax, 'x');
  for (size_t i = 0; i < kLogLinesMax + 1'000; ++i) log.write(LogLevel::kInfo, "flood", {{"text", text}});
  EXPECT_GT(log.dropped(), 0u);
}  // and its end does not wait for a reader that takes nothing

}  // namespace
}  // namespace pawl::server
