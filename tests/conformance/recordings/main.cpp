// conformance asl-recordings FILE.jsonl… [--failures] [--filter SUBSTRING] [--floors FILE] [--on-server]
// conformance durable DIRECTORY …   AWS's cases for durable functions, see ../durable/command.h
//
// Runs recordings of real AWS and prints how many pass, by tag and level of strictness. docs/conformance.md has the
// details. Exit: 0; 1 where a floor is not reached; 2 where the command or a file is wrong.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "judge.h"
#include "recording.h"
#include "report.h"

namespace pawl::conformance {
namespace {

constexpr int kBelowFloor = 1;
constexpr int kWrongUse = 2;

struct Command {
  std::vector<std::string> files;
  std::string filter;
  std::string floors;
  bool shows_failures = false;
  bool on_server = false;  // executions; what else is recorded runs as ever
};

std::optional<Command> parse_command(const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments[0] != "asl-recordings") return std::nullopt;
  Command command;
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool takes_value = argument == "--filter" || argument == "--floors";
    if (takes_value && i + 1 == arguments.size()) return std::nullopt;
    if (argument == "--failures")
      command.shows_failures = true;
    else if (argument == "--on-server")
      command.on_server = true;
    else if (argument == "--filter")
      command.filter = arguments[++i];
    else if (argument == "--floors")
      command.floors = arguments[++i];
    else if (argument.starts_with("--"))
      return std::nullopt;
    else
      command.files.push_back(argument);
  }
  if (command.files.empty()) return std::nullopt;
  return command;
}

void run_all(const std::vector<Recording>& recordings, const Command& command, Tally& tally) {
  for (const Recording& recording : recordings) {
    if (recording.id.find(command.filter) == std::string::npos) continue;
    if (!recording.left_out.empty()) {
      tally.leave_out(recording);
      continue;
    }
    const Agreement agreement = judge(recording, command.on_server ? run_on_server : run_locally);
    tally.add(recording, agreement);
    if (command.shows_failures) print_failure(recording, agreement, std::cout);
  }
}

int check_floors(const Tally& tally, const std::string& floors) {
  const auto below = tally.below_floors(floors);
  if (!below) {
    std::cerr << to_string(below.error()) << '\n';
    return kWrongUse;
  }
  for (const std::string& line : *below) std::cerr << "below the floor: " << line << '\n';
  return below->empty() ? 0 : kBelowFloor;
}

int run(const Command& command) {
  Tally tally;
  for (const std::string& file : command.files) {
    const auto recordings = load_recordings(file);
    if (!recordings) {
      std::cerr << to_string(recordings.error()) << '\n';
      return kWrongUse;
    }
    run_all(*recordings, command, tally);
  }
  tally.print(std::cout);
  return command.floors.empty() ? 0 : check_floors(tally, command.floors);
}

}  // namespace
}  // namespace pawl::conformance

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (!words.empty() && words[0] == "durable") return pawl::conformance::run_durable({words.begin() + 1, words.end()});
  const auto command = pawl::conformance::parse_command(words);
  if (command) return pawl::conformance::run(*command);
  std::cerr << "usage: conformance asl-recordings FILE.jsonl… [--failures] [--filter SUBSTRING] [--floors FILE] "
               "[--on-server]\n       "
            << pawl::conformance::kDurableUsage << '\n';
  return pawl::conformance::kWrongUse;
}
