// The subcommands of `pawl`: each takes its options and gives the process's exit code. One file each; docs/cli.md
// describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::cli {

// Exit codes, the same for every subcommand.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed =
    1;  // it ran, and the answer is no: a failed execution, a failed case, warnings with --strict
inline constexpr int kExitRefused = 2;       // it did not run: wrong arguments, a wrong definition, a wrong input
inline constexpr int kExitSignalBase = 128;  // plus the signal's number: 130 for Ctrl-C

struct RunOptions {
  std::string file;
  std::optional<std::string> input;  // JSON, @file or -
  std::optional<std::string> mocks_file;
  std::optional<std::string> test_case;
  std::optional<std::string> tasks_file;
  std::optional<std::string> events_file;
  std::optional<std::string> definitions_folder;  // of sub-workflows; the file's own without it
  std::vector<std::string> assignments;
  bool virtual_time = false;
  std::optional<std::string> now;
  std::optional<std::string> context;
  uint32_t events_max = 25'000;
  size_t payload_bytes_max = 262'144;
  bool history = false;
  bool emitted = false;
  bool json = false;
};
int run(const RunOptions& options);

struct LintOptions {
  std::vector<std::string> files;
  std::string format = "text";  // text, json or sarif
  bool strict = false;
  std::vector<std::string> assignments;
};
int lint(const LintOptions& options);

struct LintDurableOptions {
  std::vector<std::string> files;  // C++
  std::string build_folder;        // where compile_commands.json is; empty: `flags` say how to compile
  std::vector<std::string> flags;
  std::string format = "text";  // text, json or sarif
};
int lint_durable(const LintDurableOptions& options);

struct GraphOptions {
  std::string file;
  std::string format = "mermaid";  // mermaid, dot or svg
  bool json = false;               // errors as JSON
};
int graph(const GraphOptions& options);

struct EvalOptions {
  std::string expression;
  std::optional<std::string> input;
  std::optional<std::string> context;
  std::string dialect = "asl";
  std::vector<std::string> variables;  // of jq: names and values in turn
  size_t payload_bytes_max = 64 * 1024 * 1024;
  bool json = false;
};
int eval_jsonpath(const EvalOptions& options);
int eval_intrinsic(const EvalOptions& options);
int eval_jq(const EvalOptions& options);

struct TestOptions {
  std::vector<std::string> files;
  std::optional<std::string> junit_file;
  std::string filter;
  bool prove_rebuild = false;
  bool json = false;
};
int test(const TestOptions& options);

// What is given here wins over the configuration file, and that over the defaults (docs/configuration.md).
struct ServeOptions {
  std::optional<std::string> config_file;
  std::optional<std::string> directory;
  std::optional<std::string> listen;
  std::optional<std::string> tasks_file;
  bool allow_exec = false;
  std::optional<std::string> mocks_file;
  std::vector<std::string> functions;        // NAME=COMMAND
  std::vector<std::string> plain_functions;  // the same, of functions that are not durable
  bool virtual_time = false;
  std::optional<std::string> credentials_file;
  std::optional<uint32_t> shards;
  std::optional<std::string> region;
  std::optional<std::string> account;
  std::optional<std::string> log_level;
  std::optional<std::string> log_format;
  bool json = false;
};
int serve(const ServeOptions& options);

struct DevOptions {
  std::string folder = ".";
  ServeOptions serve;  // its data directory is FOLDER/.pawl where nothing says another
};
int dev(DevOptions options);

struct DataOptions {
  std::string directory;
  std::string target;  // backup
  bool json = false;
};
int backup(const DataOptions& options);
int doctor(const DataOptions& options);

// The commands that talk to a server.
struct ClientOptions {
  std::string endpoint = "http://127.0.0.1:8083";
  std::string authorities_file;  // whom an https endpoint's certificate may come from, besides the system's
  std::string file;              // deploy
  std::string machine;           // start, list, enable, disable, undeploy: a state machine's name or ARN
  std::string execution;         // show, history, stop, redrive: MACHINE:EXECUTION or an ARN; of a durable function too
  std::string name;
  std::string role = "arn:aws:iam::000000000000:role/pawl";
  std::vector<std::string> assignments;  // deploy: KEY=VALUE, options of the definition
  std::optional<std::string> input;
  bool wait = false;
  std::string status;
  bool reverse = false;
  bool follow = false;
  bool facts = false;
  std::string error;
  std::string cause;
  bool json = false;
};
int deploy(const ClientOptions& options);
int start(const ClientOptions& options);
int list(const ClientOptions& options);
int show(const ClientOptions& options);
int history(const ClientOptions& options);
int stop(const ClientOptions& options);
int redrive(const ClientOptions& options);
int enable(const ClientOptions& options);
int disable(const ClientOptions& options);
int undeploy(const ClientOptions& options);

// When definitions are started by themselves.
struct ScheduleOptions {
  std::string endpoint = "http://127.0.0.1:8083";
  std::string authorities_file;
  std::string definition;
  uint32_t count = 5;  // next
  bool json = false;
};
int schedule_list(const ScheduleOptions& options);
int schedule_pause(const ScheduleOptions& options);
int schedule_resume(const ScheduleOptions& options);
int schedule_next(const ScheduleOptions& options);

// Activities and their workers, and what a worker tells of a task.
struct ActivityOptions {
  std::string endpoint = "http://127.0.0.1:8083";
  std::string authorities_file;
  std::string name;    // of the activity, or its ARN
  std::string worker;  // the worker's name
  std::optional<std::string> command;
  int64_t heartbeat_s = 0;  // while the command runs; 0: none
  bool once = false;
  std::string token;
  std::optional<std::string> output;
  std::string error;
  std::string cause;
  bool json = false;
};
int activity_create(const ActivityOptions& options);
int activity_list(const ActivityOptions& options);
int activity_delete(const ActivityOptions& options);
int activity_poll(const ActivityOptions& options);
int token_succeed(const ActivityOptions& options);
int token_fail(const ActivityOptions& options);
int token_heartbeat(const ActivityOptions& options);

// Functions, and what durable ones wait for.
struct FunctionOptions {
  std::string endpoint = "http://127.0.0.1:8083";
  std::string authorities_file;
  std::string function;  // invoke: its name or ARN, with or without a qualifier
  std::string qualifier;
  std::optional<std::string> payload;
  std::string name;  // of the execution
  bool is_async = false;
  std::string callback;  // its id
  std::optional<std::string> result;
  std::string error;
  std::string cause;
  std::string data;
  bool json = false;
};
int invoke(const FunctionOptions& options);
int callback_succeed(const FunctionOptions& options);
int callback_fail(const FunctionOptions& options);
int callback_heartbeat(const FunctionOptions& options);

int completion(const std::string& shell);
int version(bool json);

}  // namespace pawl::cli
