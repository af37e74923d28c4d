// Processes of functions, as they are started, watched and ended. Those of these tests are shells.
#include "connect/function_processes.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>

#include <gtest/gtest.h>
#include <unistd.h>

namespace pawl::connect {
namespace {

// Sends what `request` holds to the Runtime API, and stays.
std::string asking(const std::string& request) {
  return "exec 3<>/dev/tcp/${AWS_LAMBDA_RUNTIME_API%:*}/${AWS_LAMBDA_RUNTIME_API#*:}; printf '" + request +
         "' >&3; exec sleep 600";
}

class FunctionProcessesTest : public testing::Test {
 protected:
  Result<void> run(std::vector<std::string> arguments) {
    FunctionCommand command;
    command.function = "f";
    command.arguments = std::move(arguments);
    return processes.run(command);
  }
  Result<void> run_script(const std::string& script) { return run({"bash", "-c", script}); }

  void take(std::string_view what, const std::string& detail) {
    const std::lock_guard lock(mutex);
    if (on_notice) on_notice(what);
    notices.push_back(std::string(what) + ": " + detail);
    changed.notify_all();
  }
  // The first notice from that place on that begins like this.
  std::string wait_for(std::string_view beginning, size_t from = 0) {
    std::unique_lock lock(mutex);
    std::string found;
    changed.wait(lock, [&] {
      for (size_t i = from; i < notices.size() && found.empty(); ++i)
        if (notices[i].starts_with(beginning)) found = notices[i];
      return !found.empty();
    });
    return found;
  }

  std::mutex mutex;  // guards the notices
  std::condition_variable changed;
  std::vector<std::string> notices;
  std::function<void(std::string_view)> on_notice;
  FunctionCalls calls;
  FunctionProcesses processes{
      calls,
      {"http://127.0.0.1:1", "us-east-1"},
      [this](std::string_view what, const std::string&, const std::string& detail) { take(what, detail); }};
};

TEST_F(FunctionProcessesTest, AreStartedAgainWhenTheyEnd) {
  ASSERT_TRUE(run_script("exit 3"));
  EXPECT_EQ(wait_for("ended"), "ended: exit status 3");
  EXPECT_NE(wait_for("started", 2), wait_for("started")) << "another process";
}

TEST_F(FunctionProcessesTest, HaveTheDirectoryTheEnvironmentAndTheMemoryTheyAreGiven) {
  FunctionCommand command;
  command.function = "f";
  command.arguments = {
      "bash", "-c",
      "until [ $(ulimit -v) = 1048576 ]; do :; done; "
      "[ \"$PWD $OWN $AWS_LAMBDA_FUNCTION_NAME $PAWL_DURABLE_SLOTS\" = '/ yes f 3' ] && exit 7; exit 8"};
  command.directory = "/";
  command.environment = {{"OWN", "yes"}};
  command.slots = 3;
  command.memory_bytes_max = 1ULL << 30;
  ASSERT_TRUE(processes.run(command));
  EXPECT_EQ(wait_for("ended"), "ended: exit status 7");
}

TEST_F(FunctionProcessesTest, AreNotStartedWithoutTheirProgram) {
  const auto run_it = run({"/no/such/program"});
  ASSERT_FALSE(run_it);
  EXPECT_EQ(run_it.error().code, "COMMAND_NOT_FOUND");
}

TEST_F(FunctionProcessesTest, TellWhenTheyCannotBeStartedAgain) {
  const std::string program = testing::TempDir() + "pawl_function_" + std::to_string(::getpid());
  std::ofstream(program) << "#!/bin/sh\nexit 0\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  on_notice = [&](std::string_view what) {
    if (what == "ended") std::filesystem::remove(program);
  };
  ASSERT_TRUE(run({program}));
  EXPECT_TRUE(wait_for("not started").contains("COMMAND_NOT_FOUND"));
}

TEST_F(FunctionProcessesTest, TellThatTheirCodeCouldNotBegin) {
  ASSERT_TRUE(
      run_script(asking(R"(POST /2018-06-01/runtime/init/error HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n)"
                        R"({"errorType":"Bad","errorMessage":"No."})")));
  EXPECT_EQ(wait_for("init failed"), "init failed: Bad: No.");
}

TEST_F(FunctionProcessesTest, AreEndedWhenACallTakesTooLong) {
  std::promise<CallEnd> ended;
  FunctionCall call;
  call.id = "1";
  call.function = "f";
  call.event = "{}";
  call.timeout = std::chrono::milliseconds(1);
  calls.submit(call, [&](CallEnd end) { ended.set_value(std::move(end)); });
  ASSERT_TRUE(run_script(asking(R"(GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: x\r\n\r\n)")));
  EXPECT_EQ(ended.get_future().get().error_type, "Sandbox.Timedout");
  EXPECT_EQ(wait_for("timed out").substr(9), wait_for("started").substr(7)) << "the same process";
  EXPECT_EQ(wait_for("ended"), "ended: signal: Killed");
}

}  // namespace
}  // namespace pawl::connect
