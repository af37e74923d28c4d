// serve(): what a program of a durable function does from its start.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "pawl/durable_testing.h"
#include "sdk/runtime.h"

namespace pawl::durable {
namespace {

// The program's arguments; serve() is not given them.
std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (!words.empty()) words.erase(words.begin());
  return words;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

Config with_environment(Config config) {
  const std::string slots = environment("PAWL_DURABLE_SLOTS");
  std::size_t number = 0;
  if (std::from_chars(slots.data(), slots.data() + slots.size(), number).ec == std::errc() && number > 0)
    config.slots = number;
  const std::string level = environment("AWS_LAMBDA_LOG_LEVEL");
  for (const LogLevel known : {LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error}) {
    if (level == to_string(known)) config.log_level = known;
  }
  return config;
}

int usage(const std::string& name) {
  std::fprintf(
      stderr,
      "%s is a durable function. It is started by AWS Lambda or by Pawl (AWS_LAMBDA_RUNTIME_API is set then), or as\n"
      "  %s --local [--input JSON]   runs one execution in this process, in memory, and skips its waits\n"
      "  %s --replay HISTORY.json    runs a recorded history against this program and names the first difference\n",
      name.c_str(), name.c_str(), name.c_str());
  return 2;
}

std::optional<std::string> option(const std::vector<std::string>& words, const std::string& name) {
  for (std::size_t index = 0; index + 1 < words.size(); ++index) {
    if (words[index] == name) return words[index + 1];
  }
  return std::nullopt;
}

int run_local(const Handler& handler, Config config, const std::vector<std::string>& words) {
  if (!config.log) config.log = log_to_stdout;
  testing::TestRunner runner(handler, std::move(config));
  const testing::Run run = runner.run_text(option(words, "--input"));
  switch (run.status) {
    case testing::RunStatus::Succeeded:
      std::printf("%s\n", run.result.value_or("null").c_str());
      return 0;
    case testing::RunStatus::Failed:
      std::fprintf(stderr, "failed: %s\n", to_text(run.error.value_or(ErrorObject())).c_str());
      return 1;
    case testing::RunStatus::Stuck:
      std::fprintf(stderr, "it waits for a callback, and a local run has nobody to answer it\n");
      return 3;
  }
  return 1;
}

int replay(const Handler& handler, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return 2;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  try {
    const auto divergence = testing::replay_history(handler, text);
    std::printf("%s\n", divergence ? divergence->message.c_str() : "the history replays");
    return divergence ? 1 : 0;
  } catch (const SerializationError& error) {
    std::fprintf(stderr, "%s is no history: %s\n", path.c_str(), error.what());
    return 2;
  }
}

// Empty: the program was not asked for one of its functions.
std::string function_asked_for(const Functions& functions) {
  const std::string names[] = {option(arguments(), "--function").value_or(""), environment("_HANDLER"),
                               environment("AWS_LAMBDA_FUNCTION_NAME")};
  for (const std::string& name : names) {
    for (const auto& [known, handler] : functions) {
      if (known == name) return name;
    }
  }
  return "";
}

int tell_functions(const Functions& functions) {
  std::fprintf(stderr,
               "say which function: --function NAME, or _HANDLER or AWS_LAMBDA_FUNCTION_NAME in the environment; there "
               "are:\n");
  for (const auto& [name, handler] : functions) std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}

}  // namespace

int serve(const std::string& name, const Handler& handler, const Config& config) {
  const Config complete = with_environment(config);
  const std::vector<std::string> words = arguments();
  if (std::find(words.begin(), words.end(), "--local") != words.end()) return run_local(handler, complete, words);
  if (const auto path = option(words, "--replay")) return replay(handler, *path);
  const std::string runtime_api = environment("AWS_LAMBDA_RUNTIME_API");
  if (runtime_api.empty()) return usage(name);
  try {
    return detail::serve_runtime(handler, complete, runtime_api);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  }
}

int serve(const Functions& functions, const Config& config) {
  const std::string asked = function_asked_for(functions);
  for (const auto& [name, handler] : functions) {
    if (name == asked) return serve(name, handler, config);
  }
  return tell_functions(functions);
}

}  // namespace pawl::durable
