// The command line of `pawl`: which subcommands and options there are. The only file that includes CLI11.
#include <functional>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/console.h"

namespace {

using namespace pawl::cli;

// What to do once the arguments are understood.
using Action = std::function<int()>;

constexpr const char* kInputHelp = "JSON, @file, or - for standard input; {} without it";

CLI::App& add_command(CLI::App& app, const char* name, const char* description) {
  return *app.add_subcommand(name, description);
}

void add_run(CLI::App& app, RunOptions& options, Action& action) {
  CLI::App& command = add_command(app, "run", "Run a definition to its end and print its output");
  command.add_option("FILE", options.file, "The definition: JSON or YAML, - for standard input")->required();
  command.add_option("-i,--input", options.input, kInputHelp)->type_name("JSON");
  auto* mocks =
      command.add_option("--mocks", options.mocks_file, "Answer tasks from a MockConfigFile.json")->type_name("FILE");
  command.add_option("--test-case", options.test_case, "Which test case of the mock file")
      ->type_name("NAME")
      ->needs(mocks);
  command.add_option("--tasks", options.tasks_file, "Map Resources to HTTP endpoints, gRPC servers and commands")
      ->type_name("FILE");
  command.add_option("--events", options.events_file, "Events that arrive, one {\"after\", \"event\"} a line")
      ->type_name("FILE");
  command.add_option("--definitions", options.definitions_folder, "Where sub-workflows are [the file's own folder]")
      ->type_name("DIR");
  command.add_option("--set", options.assignments, "An option of the definition, see docs/options.md")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  auto* virtual_time =
      command.add_flag("--virtual-time", options.virtual_time, "Waits, delays and timeouts take no time");
  command.add_option("--now", options.now, "Where the virtual clock starts")
      ->type_name("TIMESTAMP")
      ->needs(virtual_time);
  command.add_option("--context", options.context, "Members of the Context Object")->type_name("JSON");
  command.add_option("--max-events", options.events_max, "Events after which the execution fails")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--max-payload", options.payload_bytes_max, "Bytes of an input, output or result")
      ->type_name("BYTES")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("--history", options.history, "Print each event of the history, one JSON object a line");
  command.add_flag("--emitted", options.emitted, "Print the events that the execution produces, one a line");
  command.add_flag("--json", options.json, "Print the result with its status, and errors as JSON");
  command.callback([&] { action = [&] { return run(options); }; });
}

void add_lint(CLI::App& app, LintOptions& options, Action& action) {
  CLI::App& command = add_command(app, "lint", "Find what is wrong with definitions");
  command.add_option("FILE", options.files, "Definitions: JSON or YAML")->required();
  command.add_option("--format", options.format, "text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command.add_flag_callback("--json", [&] { options.format = "json"; }, "The same as --format json");
  command.add_flag("--strict", options.strict, "Exit with 1 where there are warnings");
  command.add_option("--set", options.assignments, "An option of the definitions, see docs/options.md")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.callback([&] { action = [&] { return lint(options); }; });
}

void add_lint_durable(CLI::App& app, LintDurableOptions& options, Action& action) {
  CLI::App& command = add_command(app, "lint-durable", "Find what is not deterministic in C++ durable functions");
  command.add_option("FILE", options.files, "C++ sources")->required();
  auto* folder = command.add_option("-p,--build", options.build_folder, "The folder that has compile_commands.json")
                     ->type_name("DIR");
  command.add_option("--flag", options.flags, "A flag of the compiler, such as -Iinclude; -std=c++20 is given")
      ->type_name("FLAG")
      ->allow_extra_args(false)
      ->excludes(folder);
  command.add_option("--format", options.format, "text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command.add_flag_callback("--json", [&] { options.format = "json"; }, "The same as --format json");
  command.callback([&] { action = [&] { return lint_durable(options); }; });
}

void add_graph(CLI::App& app, GraphOptions& options, Action& action) {
  CLI::App& command = add_command(app, "graph", "Draw a definition");
  command.add_option("FILE", options.file, "The definition: JSON or YAML, - for standard input")->required();
  command.add_option("--format", options.format, "mermaid, dot or svg")
      ->check(CLI::IsMember({"mermaid", "dot", "svg"}))
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print errors as JSON");
  command.callback([&] { action = [&] { return graph(options); }; });
}

void add_eval(CLI::App& app, EvalOptions& options, Action& action) {
  CLI::App& command = add_command(app, "eval", "Evaluate one expression on an input");
  command.require_subcommand(1);
  CLI::App& path = add_command(command, "jsonpath", "A JSONPath");
  path.add_option("PATH", options.expression, "The path, such as $.orders[0]")->required();
  path.add_option("--dialect", options.dialect, "asl, jayway, serverless or rfc9535")
      ->check(CLI::IsMember({"asl", "jayway", "serverless", "rfc9535"}))
      ->capture_default_str();
  path.callback([&] { action = [&] { return eval_jsonpath(options); }; });
  CLI::App& intrinsic = add_command(command, "intrinsic", "A call of an intrinsic function");
  intrinsic.add_option("EXPRESSION", options.expression, "The call, such as States.UUID()")->required();
  intrinsic.add_option("--context", options.context, "The Context Object")->type_name("JSON");
  intrinsic.callback([&] { action = [&] { return eval_intrinsic(options); }; });
  CLI::App& jq = add_command(command, "jq", "A jq program; each output is printed on a line");
  jq.add_option("PROGRAM", options.expression, "The program, such as '.orders | length'")->required();
  jq.add_option("--arg", options.variables, "A variable: NAME and its JSON value; may be repeated")
      ->type_name("NAME JSON")
      ->type_size(2);
  jq.callback([&] { action = [&] { return eval_jq(options); }; });
  for (CLI::App* each : {&path, &intrinsic, &jq}) {
    each->add_option("-i,--input", options.input, kInputHelp)->type_name("JSON");
    each->add_option("--max-payload", options.payload_bytes_max, "Bytes of the input")
        ->type_name("BYTES")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    each->add_flag("--json", options.json, "Print errors as JSON");
  }
}

void add_test(CLI::App& app, TestOptions& options, Action& action) {
  CLI::App& command = add_command(app, "test", "Run cases: definition, input, mocks and what must come out");
  command.add_option("FILE", options.files, "Files of cases, see docs/testing.md")->required();
  command.add_option("--junit", options.junit_file, "Write the results as JUnit XML")->type_name("FILE");
  command.add_option("--filter", options.filter, "Only cases whose name contains this")->type_name("TEXT");
  command.add_flag("--prove-rebuild", options.prove_rebuild,
                   "Rebuild the execution from its facts as it runs, and compare");
  command.add_flag("--json", options.json, "Print one JSON object a case");
  command.callback([&] { action = [&] { return test(options); }; });
}

void add_server_options(CLI::App& command, ServeOptions& options) {
  command.add_option("--config", options.config_file, "The configuration, see docs/configuration.md; options here win")
      ->type_name("FILE");
  command.add_option("--data", options.directory, "The data directory; made where it does not exist")->type_name("DIR");
  command.add_option("--listen", options.listen, "Address and port; port 0 takes a free one [127.0.0.1:8083]")
      ->type_name("HOST:PORT");
  command.add_option("--tasks", options.tasks_file, "Map Resources to HTTP endpoints, gRPC servers and commands")
      ->type_name("FILE");
  command.add_flag("--allow-exec", options.allow_exec, "Let the file of --tasks run commands");
  command.add_option("--mocks", options.mocks_file, "MockConfigFile.json, for executions started on ARN#CASE");
  command.add_option("--function", options.functions, "A durable function and the command that runs its code")
      ->type_name("NAME=COMMAND");
  command.add_option("--plain-function", options.plain_functions, "A function that is not durable, and its command")
      ->type_name("NAME=COMMAND");
  command.add_flag("--virtual-time", options.virtual_time,
                   "For tests: waits take no time; the clock jumps when nothing is in flight");
  command
      .add_option("--credentials", options.credentials_file, "Access keys: requests must be signed with one of them")
      ->type_name("FILE");
  command.add_option("--shards", options.shards, "Threads that run executions [1]")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  command.add_option("--region", options.region, "Region in ARNs [us-east-1]");
  command.add_option("--account", options.account, "Account in ARNs [000000000000]");
  command.add_option("--log-level", options.log_level, "The least level of what is logged [info]")
      ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}));
  command.add_option("--log-format", options.log_format, "Lines for people or for programs [auto: by the terminal]")
      ->check(CLI::IsMember({"auto", "text", "json"}));
  command.add_flag("--json", options.json, "Print the banner and errors as JSON");
}

void add_serve(CLI::App& app, ServeOptions& options, Action& action) {
  CLI::App& command = add_command(app, "serve", "Run executions durably and answer the AWS SDKs");
  add_server_options(command, options);
  command.callback([&] { action = [&] { return serve(options); }; });
}

void add_dev(CLI::App& app, DevOptions& options, Action& action) {
  CLI::App& command = add_command(app, "dev", "Serve, and deploy the definitions of a folder as they change");
  command.add_option("FOLDER", options.folder, "The definitions; their data are in its folder .pawl without --data")
      ->capture_default_str();
  add_server_options(command, options.serve);
  command.callback([&] { action = [&] { return dev(options); }; });
}

void add_data_commands(CLI::App& app, DataOptions& options, Action& action) {
  CLI::App& copying = add_command(app, "backup", "Copy a data directory, also while a server uses it");
  CLI::App& checking = add_command(app, "doctor", "Check a data directory that no server uses");
  copying.add_option("--to", options.target, "The folder for the copy: a new one, or empty")
      ->type_name("DIR")
      ->required();
  for (CLI::App* each : {&copying, &checking}) {
    each->add_option("--data", options.directory, "The data directory")->type_name("DIR")->required();
    each->add_flag("--json", options.json, "Print the result and errors as JSON");
  }
  copying.callback([&] { action = [&] { return backup(options); }; });
  checking.callback([&] { action = [&] { return doctor(options); }; });
}

// A command that talks to a server.
template <typename Options>
CLI::App& add_client_command(CLI::App& app, const char* name, const char* description, Options& options, Action& action,
                             int (*run)(const Options&)) {
  CLI::App& command = add_command(app, name, description);
  command.add_option("--endpoint", options.endpoint, "The server")->type_name("URL")->capture_default_str();
  command.add_option("--ca", options.authorities_file, "Certificates that an https server may be vouched for by")
      ->type_name("FILE");
  command.add_flag("--json", options.json, "Print errors as JSON");
  command.callback([&options, &action, run] { action = [&options, run] { return run(options); }; });
  return command;
}

void add_client_commands(CLI::App& app, ClientOptions& options, Action& action) {
  constexpr const char* kExecutionHelp =
      "MACHINE:EXECUTION or FUNCTION:EXECUTION, its ARN, or the name alone where it is a durable function's";
  CLI::App& deploying = add_client_command(app, "deploy", "Create or update a state machine", options, action, deploy);
  deploying.add_option("FILE", options.file, "The definition: JSON or YAML, - for standard input")->required();
  deploying.add_option("--name", options.name,
                       "Of the state machine; its id, or the file's name up to the first dot, without it");
  deploying.add_option("--role", options.role, "Its roleArn")->type_name("ARN")->capture_default_str();
  deploying.add_option("--set", options.assignments, "An option of the definition, see docs/options.md")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::App& starting = add_client_command(app, "start", "Start an execution", options, action, start);
  starting.add_option("MACHINE", options.machine, "The state machine's name or ARN")->required();
  starting.add_option("-i,--input", options.input, kInputHelp)->type_name("JSON");
  starting.add_option("--name", options.name, "Of the execution; the server gives one without it");
  starting.add_flag("--wait", options.wait, "Wait for its end and print its output");
  CLI::App& listing = add_client_command(app, "list", "List state machines and functions, or the executions of one",
                                         options, action, list);
  listing.add_option("MACHINE,--definition", options.machine, "List the executions of this state machine or function");
  listing.add_option("--status", options.status,
                     "Only RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED (of a function: STOPPED) ones");
  CLI::App& showing = add_client_command(app, "show", "Describe an execution", options, action, show);
  showing.add_option("EXECUTION", options.execution, kExecutionHelp)->required();
  CLI::App& telling = add_client_command(app, "history", "Print an execution's events", options, action, history);
  telling.add_option("EXECUTION", options.execution, kExecutionHelp)->required();
  auto* reverse = telling.add_flag("--reverse", options.reverse, "The newest first");
  telling.add_flag("--facts", options.facts, "Pawl's own facts, as of any language but ASL")->excludes(reverse);
  telling.add_flag("--follow", options.follow, "Go on with what happens, until the execution ends")->excludes(reverse);
  CLI::App& stopping = add_client_command(app, "stop", "End an execution", options, action, stop);
  stopping.add_option("EXECUTION", options.execution, kExecutionHelp)->required();
  stopping.add_option("--error", options.error, "The error's name");
  stopping.add_option("--cause", options.cause, "Why it was stopped");
  CLI::App& redriving = add_client_command(app, "redrive", "Let an execution that failed go on where it failed",
                                           options, action, redrive);
  redriving.add_option("EXECUTION", options.execution, kExecutionHelp)->required();
  CLI::App& enabling =
      add_client_command(app, "enable", "Let a state machine take new executions again", options, action, enable);
  CLI::App& disabling =
      add_client_command(app, "disable", "Let a state machine take no new executions", options, action, disable);
  CLI::App& undeploying =
      add_client_command(app, "undeploy", "Delete a state machine; what runs goes on", options, action, undeploy);
  for (CLI::App* each : {&enabling, &disabling, &undeploying})
    each->add_option("NAME", options.machine, "The state machine's name or ARN")->required();
}

void add_schedule(CLI::App& app, ScheduleOptions& options, Action& action) {
  CLI::App& group = add_command(app, "schedule", "When a server starts definitions by itself");
  group.require_subcommand(1);
  add_client_command(group, "list", "List the schedules", options, action, schedule_list);
  CLI::App& pausing =
      add_client_command(group, "pause", "Let a schedule start nothing", options, action, schedule_pause);
  CLI::App& resuming = add_client_command(group, "resume", "Let it start again; what was missed runs once", options,
                                          action, schedule_resume);
  CLI::App& telling = add_client_command(group, "next", "Print the next times", options, action, schedule_next);
  telling.add_option("--count", options.count, "How many")->check(CLI::Range(1, 1000))->capture_default_str();
  for (CLI::App* each : {&pausing, &resuming, &telling})
    each->add_option("NAME", options.definition, "The definition's name")->required();
}

// Under both `activity` and `token`.
void add_token_commands(CLI::App& group, ActivityOptions& options, Action& action) {
  CLI::App& succeeding =
      add_client_command(group, "succeed", "End a task with its output", options, action, token_succeed);
  succeeding.add_option("-o,--output", options.output, kInputHelp)->type_name("JSON");
  CLI::App& failing = add_client_command(group, "fail", "End a task with an error", options, action, token_fail);
  failing.add_option("--error", options.error, "The error's name");
  failing.add_option("--cause", options.cause, "Why it failed");
  CLI::App& beating = add_client_command(group, "heartbeat", "Say that a task is still being worked on", options,
                                         action, token_heartbeat);
  for (CLI::App* each : {&succeeding, &failing, &beating})
    each->add_option("TOKEN", options.token, "The task's token")->required();
}

void add_activity(CLI::App& app, ActivityOptions& options, Action& action) {
  constexpr const char* kNameHelp = "The activity's name or ARN";
  CLI::App& group = add_command(app, "activity", "Activities, and workers that take their tasks");
  group.require_subcommand(1);
  CLI::App& creating = add_client_command(group, "create", "Create an activity", options, action, activity_create);
  creating.add_option("NAME", options.name, "The activity's name")->required();
  add_client_command(group, "list", "List the activities", options, action, activity_list);
  CLI::App& deleting = add_client_command(group, "delete", "Delete an activity", options, action, activity_delete);
  deleting.add_option("NAME", options.name, kNameHelp)->required();
  CLI::App& polling =
      add_client_command(group, "poll", "Take the next task, or work on all that come", options, action, activity_poll);
  polling.add_option("NAME", options.name, kNameHelp)->required();
  polling.add_option("--worker", options.worker, "The worker's name, which the history shows");
  auto* command = polling
                      .add_option("--exec", options.command,
                                  "Run this in a shell for each task: its input on stdin, its output on stdout")
                      ->type_name("COMMAND");
  polling.add_option("--heartbeat", options.heartbeat_s, "Send heartbeats while the command runs")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber)
      ->needs(command);
  polling.add_flag("--once", options.once, "End after one task")->needs(command);
  add_token_commands(group, options, action);
}

void add_token(CLI::App& app, ActivityOptions& options, Action& action) {
  CLI::App& group = add_command(app, "token", "Answer a task by its token");
  group.require_subcommand(1);
  add_token_commands(group, options, action);
}

void add_functions(CLI::App& app, FunctionOptions& options, Action& action) {
  CLI::App& invoking =
      add_client_command(app, "invoke", "Call a function and print what it returns", options, action, invoke);
  invoking.add_option("FUNCTION", options.function, "Its name or ARN, with a qualifier or without")->required();
  invoking.add_option("-p,--payload", options.payload, kInputHelp)->type_name("JSON");
  invoking.add_option("--name", options.name, "Of the durable execution: the same name and payload start it once");
  invoking.add_option("--qualifier", options.qualifier, "The version; $LATEST without it");
  invoking.add_flag("--async", options.is_async, "Do not wait for its end");
  CLI::App& group = add_command(app, "callback", "Answer a durable execution that waits for a callback");
  group.require_subcommand(1);
  CLI::App& succeeding =
      add_client_command(group, "succeed", "End a callback with its result", options, action, callback_succeed);
  succeeding.add_option("-r,--result", options.result, "JSON, @file or -; none without it")->type_name("JSON");
  CLI::App& failing = add_client_command(group, "fail", "End a callback with an error", options, action, callback_fail);
  failing.add_option("--error", options.error, "The error's type");
  failing.add_option("--cause", options.cause, "Why it failed");
  failing.add_option("--data", options.data, "What goes with it, for a program");
  CLI::App& beating = add_client_command(group, "heartbeat", "Say that it is still being worked on", options, action,
                                         callback_heartbeat);
  for (CLI::App* each : {&succeeding, &failing, &beating})
    each->add_option("ID", options.callback, "The callback's id")->required();
}

void add_completion(CLI::App& app, std::string& shell, Action& action) {
  CLI::App& command = add_command(app, "completion", "Print a script that completes this command in a shell");
  command.add_option("SHELL", shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.callback([&] { action = [&] { return completion(shell); }; });
}

void add_version_and_help(CLI::App& app, bool& json, Action& action) {
  app.set_version_flag("--version", "pawl " PAWL_VERSION);
  CLI::App& command = add_command(app, "version", "Print the version");
  command.add_flag("--json", json, "Print it as JSON");
  command.callback([&] { action = [&] { return version(json); }; });
  add_command(app, "help", "Print this help").callback([&] {
    action = [&] {
      print(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
      return finish_output(kExitOk);
    };
  });
}

// The subcommand that the arguments got to, for the hint.
std::string reached_command(const CLI::App& app) {
  std::string name = "pawl";
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands()[0];
    name += " " + at->get_name();
  }
  return name;
}

int explain(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
  report(pawl::Error{"USAGE", "", error.what() + std::string("."), "See " + reached_command(app) + " --help."}, false);
  return kExitRefused;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Pawl runs workflows: the Amazon States Language, Serverless Workflow and SM4C, on your machine.",
               "pawl");
  app.require_subcommand(1);
  RunOptions run_options;
  LintOptions lint_options;
  LintDurableOptions lint_durable_options;
  GraphOptions graph_options;
  EvalOptions eval_options;
  TestOptions test_options;
  ServeOptions serve_options;
  DevOptions dev_options;
  DataOptions data_options;
  ClientOptions client_options;
  ScheduleOptions schedule_options;
  ActivityOptions activity_options;
  FunctionOptions function_options;
  std::string shell;
  bool version_as_json = false;
  Action action;
  add_run(app, run_options, action);
  add_lint(app, lint_options, action);
  add_lint_durable(app, lint_durable_options, action);
  add_graph(app, graph_options, action);
  add_eval(app, eval_options, action);
  add_test(app, test_options, action);
  add_serve(app, serve_options, action);
  add_dev(app, dev_options, action);
  add_data_commands(app, data_options, action);
  add_client_commands(app, client_options, action);
  add_schedule(app, schedule_options, action);
  add_activity(app, activity_options, action);
  add_token(app, activity_options, action);
  add_functions(app, function_options, action);
  add_completion(app, shell, action);
  add_version_and_help(app, version_as_json, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return action();
}
