// `pawl lint-durable`: what a durable function does between its operations that it must not, by clang-query's eyes.
//
// The code that has to be deterministic is that of coroutines which return durable::Task; the bodies of steps are other
// functions. What such a coroutine calls is not followed.
#include <array>
#include <charconv>
#include <set>
#include <sstream>
#include <tuple>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/findings.h"
#include "connect/command.h"

namespace pawl::cli {

namespace {

struct Rule {
  const char* code;
  const char* cause;
  const char* fix;
};

constexpr std::array kRules = std::to_array<Rule>({
    {"DURABLE_CLOCK", "The clock shows another time on a replay.", "Use ctx.now(), or read the clock in a step."},
    {"DURABLE_RANDOM", "Random numbers and new ids are others on a replay.",
     "Use ctx.random(), ctx.random_bits() or ctx.uuid(), or a step."},
    {"DURABLE_ORDER", "The order of an unordered container may be another on a replay.",
     "Use std::map or std::set, or sort first."},
    {"DURABLE_IO", "What is read or written outside of a step happens again on each replay.",
     "Do it in a step, or log through ctx.logger()."},
    {"DURABLE_ENVIRONMENT", "The environment may have changed on a replay.", "Read it in a step."},
    {"DURABLE_THREAD", "A function that waits must give its process back, and its code runs on one thread.",
     "Use ctx.wait() for time, ctx.parallel() or ctx.map() for branches."},
});

// The rule's code is the name of the binding, which clang-query prints.
constexpr std::array kQueries = std::to_array<const char*>({
    "let code allOf(unless(isExpansionInSystemHeader()), unless(isExpansionInFileMatching(\"/pawl/durable\")), "
    "forCallable(functionDecl(returns(hasDeclaration(classTemplateSpecializationDecl("
    "hasName(\"::pawl::durable::Task\")))))))",
    "match callExpr(callee(functionDecl(hasAnyName(\"::time\", \"::clock\", \"::gettimeofday\", \"::clock_gettime\", "
    "\"::localtime\", \"::gmtime\", \"::std::chrono::system_clock::now\", \"::std::chrono::steady_clock::now\", "
    "\"::std::chrono::high_resolution_clock::now\"))), code).bind(\"DURABLE_CLOCK\")",
    "match callExpr(callee(functionDecl(hasAnyName(\"::rand\", \"::random\", \"::drand48\", \"::lrand48\", "
    "\"::arc4random\", \"::getrandom\", \"::getentropy\", \"::uuid_generate\", \"::uuid_generate_random\", "
    "\"::uuid_generate_time\"))), code).bind(\"DURABLE_RANDOM\")",
    "match cxxConstructExpr(hasDeclaration(cxxConstructorDecl(ofClass(hasAnyName(\"::std::random_device\", "
    "\"::std::mersenne_twister_engine\", \"::std::linear_congruential_engine\", "
    "\"::std::subtract_with_carry_engine\", \"::boost::uuids::random_generator\")))), "
    "code).bind(\"DURABLE_RANDOM\")",
    "match cxxForRangeStmt(hasRangeInit(expr(hasType(hasUnqualifiedDesugaredType(recordType(hasDeclaration(namedDecl("
    "hasAnyName(\"::std::unordered_map\", \"::std::unordered_set\", \"::std::unordered_multimap\", "
    "\"::std::unordered_multiset\")))))))), code).bind(\"DURABLE_ORDER\")",
    "match declRefExpr(to(varDecl(hasAnyName(\"::std::cout\", \"::std::cerr\", \"::std::clog\", \"::std::cin\"))), "
    "code).bind(\"DURABLE_IO\")",
    "match callExpr(callee(functionDecl(hasAnyName(\"::printf\", \"::fprintf\", \"::puts\", \"::fopen\", \"::open\", "
    "\"::read\", \"::write\", \"::socket\", \"::connect\", \"::send\", \"::recv\", \"::system\", \"::popen\"))), "
    "code).bind(\"DURABLE_IO\")",
    "match cxxConstructExpr(hasDeclaration(cxxConstructorDecl(ofClass(hasAnyName(\"::std::basic_ifstream\", "
    "\"::std::basic_ofstream\", \"::std::basic_fstream\")))), code).bind(\"DURABLE_IO\")",
    "match callExpr(callee(functionDecl(hasAnyName(\"::getenv\", \"::secure_getenv\"))), "
    "code).bind(\"DURABLE_ENVIRONMENT\")",
    "match callExpr(callee(functionDecl(hasAnyName(\"::std::this_thread::sleep_for\", "
    "\"::std::this_thread::sleep_until\", \"::sleep\", \"::usleep\", \"::nanosleep\", \"::std::async\"))), "
    "code).bind(\"DURABLE_THREAD\")",
    "match cxxConstructExpr(hasDeclaration(cxxConstructorDecl(ofClass(hasAnyName(\"::std::thread\", "
    "\"::std::jthread\")))), code).bind(\"DURABLE_THREAD\")",
});

constexpr std::array kPrograms = std::to_array<const char*>({"clang-query-19", "clang-query"});
constexpr Duration kPatience = std::chrono::minutes(10);

connect::Command command_for(const LintDurableOptions& options, const char* program) {
  connect::Command command;
  command.arguments = {program};
  if (!options.build_folder.empty()) command.arguments.insert(command.arguments.end(), {"-p", options.build_folder});
  command.arguments.insert(command.arguments.end(), {"-c", "set bind-root false"});
  for (const char* query : kQueries) command.arguments.insert(command.arguments.end(), {"-c", query});
  command.arguments.insert(command.arguments.end(), options.files.begin(), options.files.end());
  if (options.build_folder.empty()) {
    command.arguments.insert(command.arguments.end(), {"--", "-std=c++20"});
    command.arguments.insert(command.arguments.end(), options.flags.begin(), options.flags.end());
  }
  command.timeout = kPatience;
  return command;
}

Result<connect::CommandResult> run_query(const LintDurableOptions& options) {
  for (const char* program : kPrograms) {
    auto result = connect::run_command(command_for(options, program), {});
    if (result || result.error().code != "COMMAND_NOT_FOUND") return result;
  }
  return fail("LINT_DURABLE_NO_CLANG", "clang-query is not installed.", "Install clang-tools-19.");
}

std::optional<uint32_t> number_in(std::string_view text) {
  uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Rule* rule_named(std::string_view code) {
  for (const Rule& rule : kRules)
    if (rule.code == code) return &rule;
  return nullptr;
}

// order.cpp:13:14: note: "DURABLE_CLOCK" binds here
std::optional<Diagnostic> finding_in(const std::string& line) {
  static constexpr std::string_view kNote = ": note: \"";
  const size_t note = line.find(kNote);
  if (note == std::string::npos || !line.ends_with("\" binds here")) return std::nullopt;
  const size_t name = note + kNote.size();
  const Rule* rule = rule_named(std::string_view(line).substr(name, line.find('"', name) - name));
  const size_t column_at = line.rfind(':', note - 1);
  const size_t line_at = column_at == std::string::npos ? column_at : line.rfind(':', column_at - 1);
  if (rule == nullptr || line_at == std::string::npos) return std::nullopt;
  const auto row = number_in(std::string_view(line).substr(line_at + 1, column_at - line_at - 1));
  const auto column = number_in(std::string_view(line).substr(column_at + 1, note - column_at - 1));
  if (!row || !column) return std::nullopt;
  Diagnostic found{.severity = Severity::kWarning,
                   .code = rule->code,
                   .file = line.substr(0, line_at),
                   .position = {},
                   .pointer = {},
                   .cause = rule->cause,
                   .fix = rule->fix};
  found.position.line = *row;
  found.position.column = *column;
  return found;
}

// A template's instances, and the two forms that a coroutine has for clang, give the same place more than once.
Diagnostics findings_in(const std::string& output) {
  Diagnostics findings;
  std::set<std::tuple<std::string, uint32_t, uint32_t, std::string>> seen;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (auto found = finding_in(line);
        found && seen.insert({found->file, found->position.line, found->position.column, found->code}).second)
      findings.push_back(std::move(*found));
  return findings;
}

Result<Diagnostics> find(const LintDurableOptions& options) {
  PAWL_TRY(const connect::CommandResult result, run_query(options));
  if (result.exit_code != 0 || result.errors.find(" error: ") != std::string::npos)
    return fail("LINT_DURABLE_NOT_COMPILED", "clang could not read the code:\n" + result.errors,
                "Give the folder of a compile_commands.json with -p, or what the compiler needs with --flag.");
  return findings_in(result.output);
}

}  // namespace

int lint_durable(const LintDurableOptions& options) {
  const bool json = options.format != "text";
  const auto findings = find(options);
  if (!findings) {
    report(findings.error(), json);
    return kExitRefused;
  }
  print_findings(*findings, options.format);
  if (!json) complain(std::to_string(findings->size()) + (findings->size() == 1 ? " warning\n" : " warnings\n"));
  return finish_output(findings->empty() ? kExitOk : kExitFailed);
}

}  // namespace pawl::cli
