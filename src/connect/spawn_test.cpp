#include "connect/spawn.h"

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pawl::connect {
namespace {

int status_of(pid_t pid) {
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return status;
}

// What it says on its standard output, once it ended well.
std::string said_by(SpawnRequest request) {
  int output[2];
  EXPECT_EQ(::pipe2(output, O_CLOEXEC), 0);
  request.output = output[1];
  const auto spawned = spawn(request);
  ::close(output[1]);
  std::string said;
  char bytes[256];
  for (ssize_t got = 0; (got = ::read(output[0], bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<size_t>(got));
  ::close(output[0]);
  if (!spawned) return spawned.error().what;
  EXPECT_EQ(status_of(*spawned), 0);
  return said;
}

TEST(Spawn, EndsAProcessWithTheThreadThatStartedIt) {
  pid_t pid = 0;
  std::thread([&] {
    const auto spawned = spawn({.arguments = {"sleep", "600"}, .ends_with_us = true});
    ASSERT_TRUE(spawned) << spawned.error().what;
    pid = *spawned;
  }).join();
  const int status = status_of(pid);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(Spawn, LetsAnotherProcessOutliveTheThreadThatStartedIt) {
  pid_t pid = 0;
  std::thread([&] {
    const auto spawned = spawn({.arguments = {"sleep", "600"}});
    ASSERT_TRUE(spawned) << spawned.error().what;
    pid = *spawned;
  }).join();
  EXPECT_EQ(::kill(-pid, SIGTERM), 0);
  const int status = status_of(pid);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(Spawn, TellsWhyAProcessThatEndsWithUsDidNotStart) {
  const auto missing = spawn({.arguments = {"no-such-command"}, .ends_with_us = true});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "COMMAND_NOT_FOUND");
  const auto forbidden = spawn({.arguments = {"/etc/passwd"}, .ends_with_us = true});
  ASSERT_FALSE(forbidden);
  EXPECT_EQ(forbidden.error().code, "COMMAND_NOT_PERMITTED");
}

TEST(Spawn, GivesAProcessThatEndsWithUsItsFolderStreamsAndEnvironment) {
  const std::string said = said_by({.arguments = {"sh", "-c", "pwd; echo $GREETING; ls /proc/self/fd | wc -l"},
                                    .environment = {{"GREETING", "hello"}},
                                    .directory = "/",
                                    .ends_with_us = true});
  EXPECT_EQ(said, "/\nhello\n4\n");  // the three streams, and the folder that is listed
}

TEST(Spawn, GivesAVariableOnceWithTheLastValueThatItWasGiven) {
  ::setenv("PAWL_SPAWN_TEST", "ours", 1);
  const std::string said = said_by({.arguments = {"sh", "-c", "env | grep PAWL_SPAWN_TEST"},
                                    .environment = {{"PAWL_SPAWN_TEST", "first"}, {"PAWL_SPAWN_TEST", "last"}}});
  ::unsetenv("PAWL_SPAWN_TEST");
  EXPECT_EQ(said, "PAWL_SPAWN_TEST=last\n");
}

TEST(Spawn, TellsThatTheFolderIsMissingAndNotTheCommand) {
  for (const bool ends_with_us : {true, false}) {
    const auto spawned = spawn({.arguments = {"true"}, .directory = "/no/such/folder", .ends_with_us = ends_with_us});
    ASSERT_FALSE(spawned);
    EXPECT_EQ(spawned.error().code, "COMMAND_NO_FOLDER");
    EXPECT_EQ(spawned.error().where, "/no/such/folder");
  }
}

}  // namespace
}  // namespace pawl::connect
