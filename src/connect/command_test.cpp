#include "connect/command.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script, std::string input = "") {
  Command command;
  command.arguments = {"sh", "-c", script};
  command.input = std::move(input);
  return command;
}

Result<CommandResult> run(const Command& command) { return run_command(command, {}); }

TEST(RunCommand, PassesInputAndOutputThrough) {
  const std::string input(1 << 20, 'x');  // more than pipes hold, so that reading and writing must take turns
  Command command = shell("cat", input);
  const auto result = run(command);
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->output, input);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(RunCommand, GivesTheExitCodeAndTheErrors) {
  const auto result = run(shell("echo out; echo wrong >&2; exit 3"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "wrong\n");
}

TEST(RunCommand, KeepsTheEndOfLongErrors) {
  const auto result = run(shell("head -c 100000 /dev/zero | tr '\\0' a >&2; echo the end >&2"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->errors.size(), kCommandErrorsBytesMax);
  EXPECT_TRUE(result->errors.ends_with("the end\n"));
}

TEST(RunCommand, GivesTheSignalThatEndedIt) { EXPECT_EQ(run(shell("kill -9 $$"))->signal, SIGKILL); }

TEST(RunCommand, DoesNotMindACommandThatReadsNothing) {
  const auto result = run(shell("exec true", std::string(1 << 20, 'x')));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0);
}

TEST(RunCommand, AddsToTheEnvironment) {
  Command command = shell("echo $PAWL_STATE $HOME_IS_KEPT");
  ::setenv("HOME_IS_KEPT", "kept", 1);
  command.environment = {{"PAWL_STATE", "Pay"}};
  EXPECT_EQ(run(command)->output, "Pay kept\n");
}

TEST(RunCommand, SaysThatThereIsNoSuchCommand) {
  Command command;
  command.arguments = {"no-such-command-anywhere"};
  EXPECT_EQ(run(command).error().code, "COMMAND_NOT_FOUND");
}

TEST(RunCommand, SaysThatAFileMayNotBeRun) {
  const std::string path = testing::TempDir() + "pawl_not_executable_" + std::to_string(::getpid());
  std::ofstream(path) << "#!/bin/sh\n";
  ::chmod(path.c_str(), 0644);
  Command command;
  command.arguments = {path};
  EXPECT_EQ(run(command).error().code, "COMMAND_NOT_PERMITTED");
  std::filesystem::remove(path);
}

TEST(RunCommand, RefusesMoreOutputThanItsLimit) {
  Command command = shell("yes");
  command.output_bytes_max = 1000;
  EXPECT_EQ(run(command).error().code, "COMMAND_TOO_LARGE");
}

// A command's children hold its group; the pipe closes only when all of them are gone.
// The background process holds a pipe open: its end is the end of the process, however late the kernel gets to it.
TEST(RunCommand, EndsTheWholeGroupAtItsTimeout) {
  const std::string path = testing::TempDir() + "pawl_group_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int pipe = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(pipe, 0);
  Command command = shell("{ echo up; exec sleep 1000; } > " + path + " & wait");
  command.timeout = 1s;
  EXPECT_EQ(run(command).error().code, "COMMAND_TIMEOUT");
  std::filesystem::remove(path);

  char text[8] = {};
  EXPECT_EQ(::read(pipe, text, sizeof text), 3) << "the background process did not start";
  pollfd ended{.fd = pipe, .events = POLLIN, .revents = 0};
  constexpr int kPatienceMs = 30'000;
  EXPECT_EQ(::poll(&ended, 1, kPatienceMs), 1) << "the background process still runs";
  EXPECT_EQ(::read(pipe, text, sizeof text), 0);
  ::close(pipe);
}

TEST(RunCommand, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(run_command(shell("sleep 1000"), stop.get_token()).error().code, "COMMAND_STOPPED");
}

TEST(RunCommand, EndsWhenItIsStoppedWhileItRuns) {
  const std::string path = testing::TempDir() + "pawl_started_" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::stop_source stop;
  std::jthread stopper([&] {
    std::string line;
    std::ifstream(path) >> line;  // blocks until the command has begun
    stop.request_stop();
  });
  EXPECT_EQ(run_command(shell("echo begun > " + path + "; sleep 1000"), stop.get_token()).error().code,
            "COMMAND_STOPPED");
  stopper.join();
  std::filesystem::remove(path);
}

TEST(RunCommand, DoesNotWaitForWhatTheCommandLeavesBehind) {
  const auto result = run(shell("sleep 5 & echo done"));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "done\n");
}

}  // namespace
}  // namespace pawl::connect
