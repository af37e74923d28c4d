// Runs a command for a task: its input as JSON on standard input, its result as JSON on standard output.
#include <string.h>

#include "connect/answers.h"
#include "connect/command.h"
#include "json/print.h"

namespace pawl::connect {

namespace {

Command make_command(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max) {
  Command command;
  for (const Secretive& word : target.command) command.arguments.push_back(word.text);
  command.environment = {{"PAWL_IDEMPOTENCY_KEY", request.idempotency_key},
                         {"PAWL_RESOURCE", request.resource},
                         {"PAWL_STATE", request.state}};
  command.input = json::print(request.input);
  command.output_bytes_max = answer_bytes_max;
  if (auto timeout = timeout_of(target, request)) command.timeout = *timeout;
  return command;
}

std::string ending_of(const CommandResult& result) {
  if (result.signal != 0)
    return "was ended by signal " + std::to_string(result.signal) + " (" + strsignal(result.signal) + ")";
  return "exited with " + std::to_string(result.exit_code);
}

TaskAnswer not_run_answer(const TaskTarget& target, const TaskRequest& request, const Error& error) {
  if (error.code == "COMMAND_TIMEOUT") return TaskAnswer::timed_out();
  if (error.code == "COMMAND_TOO_LARGE") return too_large(request);
  const bool forbidden = error.code == "COMMAND_NOT_PERMITTED";
  return failure(target, forbidden ? "States.Permissions" : "States.TaskFailed", error.code + ": " + error.what);
}

}  // namespace

TaskAnswer call_command(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max,
                        const std::stop_token& stop) {
  const auto result = run_command(make_command(target, request, answer_bytes_max), stop);
  if (!result) return not_run_answer(target, request, result.error());
  if (result->exit_code == 0 && result->signal == 0)
    return json_answer(target, "The output of '" + target.command[0].written + "'", result->output);
  const std::string errors = presentable(result->errors);
  if (!errors.empty()) return failure(target, "States.TaskFailed", errors);
  return failure(target, "States.TaskFailed", "'" + target.command[0].written + "' " + ending_of(*result) + ".");
}

}  // namespace pawl::connect
