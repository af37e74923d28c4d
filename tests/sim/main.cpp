// The simulation: many worlds, one after another, each from its seed.
//
//   simulation [--seeds N] [--first S] [--verbose]
//
// Ends with 1 at the first seed whose world broke a promise, and prints how to see it again.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <unistd.h>

#include "sim/violation.h"
#include "sim/world.h"

namespace pawl::sim {
namespace {

constexpr uint64_t kRepeatedSeeds = 50;  // one in so many is run twice and must go the same way

struct Arguments {
  uint64_t seeds = 500;
  uint64_t first = 1;
  bool is_verbose = false;
};

char repeat_line[200];  // how to see the current seed again

// An assertion of the engine's ends the process: the seed must be known then too.
void tell_seed(int signal) {
  const ssize_t written = write(STDERR_FILENO, repeat_line, std::strlen(repeat_line));
  static_cast<void>(written);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool read_arguments(int count, char** texts, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view text = texts[i];
    if (text == "--verbose")
      arguments.is_verbose = true;
    else if (text == "--seeds" && i + 1 < count)
      arguments.seeds = std::strtoull(texts[++i], nullptr, 10);
    else if (text == "--first" && i + 1 < count)
      arguments.first = std::strtoull(texts[++i], nullptr, 10);
    else
      return false;
  }
  return arguments.seeds > 0;
}

void add(const Report& report, Report& total) {
  total.executions += report.executions;
  total.facts += report.facts;
  total.crashes += report.crashes;
  total.commits += report.commits;
  total.rolled_back += report.rolled_back;
  total.elapsed += report.elapsed;
}

void print(const Arguments& arguments, const Report& total) {
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(total.elapsed).count();
  std::printf(
      "%llu seeds from %llu: %lld simulated hours, %llu executions, %llu facts, %llu commits, %llu rolled back, "
      "%llu crashes; every promise was kept\n",
      static_cast<unsigned long long>(arguments.seeds), static_cast<unsigned long long>(arguments.first),
      static_cast<long long>(hours), static_cast<unsigned long long>(total.executions),
      static_cast<unsigned long long>(total.facts), static_cast<unsigned long long>(total.commits),
      static_cast<unsigned long long>(total.rolled_back), static_cast<unsigned long long>(total.crashes));
}

int run(const char* program, const Arguments& arguments) {
  Definitions definitions;
  Report total;
  for (uint64_t seed = arguments.first; seed < arguments.first + arguments.seeds; ++seed) {
    std::snprintf(repeat_line, sizeof repeat_line,
                  "seed %llu failed; to see it again: %s --first %llu --seeds 1 --verbose\n",
                  static_cast<unsigned long long>(seed), program, static_cast<unsigned long long>(seed));
    try {
      const Report report = World(seed, definitions, arguments.is_verbose).run();
      const bool is_repeated = seed % kRepeatedSeeds == 0;
      if (is_repeated)
        require(World(seed, definitions, false).run().checksum == report.checksum,
                "the seed does not decide everything");
      add(report, total);
    } catch (const Violation& violation) {
      std::fprintf(stderr, "a promise is broken: %s\n%s", violation.what(), repeat_line);
      return EXIT_FAILURE;
    }
  }
  print(arguments, total);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace pawl::sim

int main(int count, char** texts) {
  pawl::sim::Arguments arguments;
  if (!pawl::sim::read_arguments(count, texts, arguments)) {
    std::fprintf(stderr, "usage: %s [--seeds N] [--first S] [--verbose]\n", texts[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV}) std::signal(signal, pawl::sim::tell_seed);
  return pawl::sim::run(texts[0], arguments);
}
