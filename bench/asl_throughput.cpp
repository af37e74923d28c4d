// Runs one definition again and again in memory and prints what bench/run compares with other engines.
//
//   asl_throughput --machine FILE --input FILE --seconds S
//
// Prints {"executions","seconds","transitions","output"}: executions finished one after another on one thread, after a
// warm-up of half of S. Each is a whole one, with its Context Object, its facts kept until it ends, and the real clock.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"
#include "engine/local_run.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"
#include "lang/asl/program.h"

namespace {

using pawl::json::Value;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "asl_throughput: %s\n", why.c_str());
  std::exit(2);
}

template <typename T>
T must(pawl::Result<T> result) {
  if (!result) give_up(pawl::to_string(result.error()));
  return std::move(*result);
}

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) give_up("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Arguments {
  std::string machine;
  std::string input;
  double seconds = 2;
};

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--machine") arguments.machine = argv[i + 1];
    if (name == "--input") arguments.input = argv[i + 1];
    if (name == "--seconds") arguments.seconds = std::strtod(argv[i + 1], nullptr);
  }
  if (arguments.machine.empty() || arguments.input.empty()) give_up("--machine FILE --input FILE [--seconds S]");
  return arguments;
}

// The definitions measured here have no Task.
class NoTasks final : public pawl::engine::TaskHandler {
 public:
  Expect start(const pawl::engine::TaskRequest& request, pawl::engine::AnswerTask) override {
    give_up("the state " + request.state + " calls a task");
  }
  void cancel(pawl::engine::TaskId) override {}
};

std::unique_ptr<pawl::asl::Program> compile(const std::string& file) {
  pawl::Diagnostics diagnostics;
  auto document = must(pawl::json::parse_document(read_file(file)));
  const auto definition = pawl::asl::parse_definition(std::move(document), diagnostics);
  if (!diagnostics.empty()) give_up(file + ": " + diagnostics.front().cause);
  return must(pawl::asl::Program::compile(definition, {}));
}

pawl::engine::LocalRun execute(const pawl::asl::Program& program, const Value& input) {
  static NoTasks tasks;
  const pawl::asl::ContextFacts facts{.execution_arn = "arn:aws:states:us-east-1:123456789012:execution:bench:local",
                                      .execution_name = "local",
                                      .role_arn = "arn:aws:iam::123456789012:role/bench",
                                      .machine_arn = "arn:aws:states:us-east-1:123456789012:stateMachine:bench",
                                      .machine_name = "bench",
                                      .started = pawl::SystemClock().now()};
  auto context = pawl::asl::make_context(facts, input, Value());
  auto run = must(pawl::engine::run_local(program, input, std::move(context), tasks, {}));
  if (run.status != pawl::kernel::Status::kSucceeded)
    give_up("the execution failed: " + pawl::json::print(run.outcome));
  return run;
}

size_t count_transitions(const pawl::engine::LocalRun& run) {
  size_t count = 0;
  for (const auto& fact : run.facts) count += fact.kind == pawl::kernel::FactKind::kStateEntered;
  return count;
}

struct Measured {
  size_t executions = 0;
  double seconds = 0;
  double cpu_seconds = 0;
};

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Measured run_for(double seconds, const pawl::asl::Program& program, const Value& input) {
  using Stopwatch = std::chrono::steady_clock;
  const auto start = Stopwatch::now();
  const double cpu_start = thread_cpu_seconds();
  Measured measured;
  while (measured.seconds < seconds) {
    execute(program, input);
    ++measured.executions;
    measured.seconds = std::chrono::duration<double>(Stopwatch::now() - start).count();
  }
  measured.cpu_seconds = thread_cpu_seconds() - cpu_start;
  return measured;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  const auto program = compile(arguments.machine);
  const Value input = must(pawl::json::parse(read_file(arguments.input)));
  const auto first = execute(*program, input);
  run_for(arguments.seconds / 2, *program, input);
  const Measured measured = run_for(arguments.seconds, *program, input);
  std::printf(R"({"executions":%zu,"seconds":%.6f,"cpu_seconds":%.6f,"transitions":%zu,"output":%s})"
              "\n",
              measured.executions, measured.seconds, measured.cpu_seconds,
              measured.executions * count_transitions(first), pawl::json::print(first.outcome).c_str());
  return 0;
}
