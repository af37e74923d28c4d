#include "command.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

#include "cases.h"
#include "json/parse.h"
#include "run_case.h"

namespace pawl::conformance {

namespace {

constexpr int kBelowFloor = 1;
constexpr int kWrongUse = 2;
constexpr const char* kRow = "durable";  // of the floors

struct Command {
  std::string directory;
  std::string only;
  std::string floors;
  ServerPlace server;
  bool is_local = false;
  bool shows_failures = false;
  size_t jobs = 32;  // cases at once; most of them wait most of the time
};

// A program that was built beside this one.
std::string beside(const char* name) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / name).string();
}

std::optional<Command> parse_command(const std::vector<std::string>& arguments) {
  Command command;
  command.server = {.url = {}, .command = beside("pawl"), .worker = beside("durable_cases")};
  const std::map<std::string, std::string*> texts = {{"--only", &command.only},
                                                     {"--floors", &command.floors},
                                                     {"--server", &command.server.url},
                                                     {"--command", &command.server.command},
                                                     {"--worker", &command.server.worker}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--local") {
      command.is_local = true;
    } else if (argument == "--failures") {
      command.shows_failures = true;
    } else if (!argument.starts_with("--")) {
      command.directory = argument;
    } else if (i + 1 == arguments.size()) {
      return std::nullopt;
    } else if (argument == "--jobs") {
      command.jobs = static_cast<size_t>(std::max(1, std::atoi(arguments[++i].c_str())));
    } else if (const auto text = texts.find(argument); text != texts.end()) {
      *text->second = arguments[++i];
    } else {
      return std::nullopt;
    }
  }
  if (command.directory.empty()) return std::nullopt;
  return command;
}

struct Verdict {
  std::string left_out;  // why
  Differences differences;
};

Verdict judge(Stage& stage, const DurableCase& one) {
  if (handler_of(one.id) == nullptr) return {{}, {"it has no handler"}};
  if (std::string reason = stage.left_out(one); !reason.empty()) return {std::move(reason), {}};
  Bindings bindings(one.variables, one.id);
  const auto observed = stage.run(one, bindings);
  if (!observed) return {{}, {to_string(observed.error())}};
  return {{}, match(one, *observed, bindings)};
}

// The verdicts in the order of the cases.
std::vector<Verdict> judge_all(Stage& stage, const std::vector<DurableCase>& cases, size_t jobs) {
  std::vector<Verdict> verdicts(cases.size());
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> threads;
  for (size_t job = 0; job < std::min(jobs, cases.size()); ++job)
    threads.emplace_back([&] {
      for (size_t i = next++; i < cases.size(); i = next++) verdicts[i] = judge(stage, cases[i]);
    });
  threads.clear();
  return verdicts;
}

struct Count {
  size_t passed = 0;
  size_t of = 0;
};

// By folder, and all of them as `kRow`.
std::map<std::string, Count> count(const std::vector<DurableCase>& cases, const std::vector<Verdict>& verdicts) {
  std::map<std::string, Count> counts;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!verdicts[i].left_out.empty()) continue;
    for (const std::string& row : {cases[i].folder, std::string(kRow)}) {
      counts[row].of += 1;
      counts[row].passed += verdicts[i].differences.empty() ? 1 : 0;
    }
  }
  return counts;
}

void print(const std::vector<DurableCase>& cases, const std::vector<Verdict>& verdicts, bool shows_failures) {
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!verdicts[i].left_out.empty())
      std::cout << "left out: " << cases[i].id << " (" << verdicts[i].left_out << ")\n";
    if (!shows_failures || verdicts[i].differences.empty()) continue;
    std::cout << "FAILED " << cases[i].folder << "/" << cases[i].id << '\n';
    for (const std::string& difference : verdicts[i].differences) std::cout << "  " << difference << '\n';
  }
  const auto counts = count(cases, verdicts);
  for (const auto& [row, counted] : counts)
    if (row != kRow) std::cout << row << ": passed " << counted.passed << " of " << counted.of << '\n';
  if (const auto all = counts.find(kRow); all != counts.end())
    std::cout << "passed " << all->second.passed << " of " << all->second.of << '\n';
}

Result<int64_t> read_floor(const std::string& path, bool is_local) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  PAWL_TRY(const Value floors, json::parse(text.str()));
  const Value* row = floors.find(kRow);
  const Value* floor = row == nullptr ? nullptr : row->find(is_local ? "locally" : "on a server");
  if (floor == nullptr) return fail("FLOORS_UNREADABLE", "There is no floor for durable functions.", "", path);
  return floor->as_integer().value_or(0);
}

int check_floor(const std::vector<DurableCase>& cases, const std::vector<Verdict>& verdicts, const Command& command) {
  const auto floor = read_floor(command.floors, command.is_local);
  if (!floor) {
    std::cerr << to_string(floor.error()) << '\n';
    return kWrongUse;
  }
  const auto counts = count(cases, verdicts);
  const auto all = counts.find(kRow);
  const size_t passed = all == counts.end() ? 0 : all->second.passed;
  if (static_cast<int64_t>(passed) >= *floor) return 0;
  std::cerr << "below the floor: passed " << passed << ", the floor is " << *floor << '\n';
  return kBelowFloor;
}

Result<std::unique_ptr<Stage>> stage_for(const Command& command) {
  if (command.is_local) return local_stage();
  return server_stage(command.server);
}

int run(const Command& command) {
  auto cases = load_cases(command.directory);
  if (!cases) {
    std::cerr << to_string(cases.error()) << '\n';
    return kWrongUse;
  }
  if (!command.only.empty())
    std::erase_if(*cases, [&](const DurableCase& one) { return one.folder != command.only && one.id != command.only; });
  auto stage = stage_for(command);
  if (!stage) {
    std::cerr << to_string(stage.error()) << '\n';
    return kWrongUse;
  }
  const std::vector<Verdict> verdicts = judge_all(**stage, *cases, command.jobs);
  print(*cases, verdicts, command.shows_failures);
  return command.floors.empty() ? 0 : check_floor(*cases, verdicts, command);
}

}  // namespace

int run_durable(const std::vector<std::string>& arguments) {
  const auto command = parse_command(arguments);
  if (command) return run(*command);
  std::cerr << "usage: " << kDurableUsage << '\n';
  return kWrongUse;
}

}  // namespace pawl::conformance
