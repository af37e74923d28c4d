// `pawl deploy`, `start`, `list`, `show`, `history`, `stop`, `redrive`, `enable`, `disable` and `undeploy`: what a user
// asks of a server.
#include <algorithm>
#include <chrono>
#include <thread>

#include "api/machine.h"
#include "cli/client_output.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/follow.h"
#include "json/parse.h"
#include "json/print.h"
#include "text/yaml.h"

namespace pawl::cli {

namespace {

using json::ObjectBuilder;
using json::Value;

constexpr size_t kInputBytesMax = 262'144;
constexpr Duration kPollFirst{20};
constexpr Duration kPollMax{500};

Value with_arn(std::string_view field, const std::string& arn) {
  ObjectBuilder request(1);
  request.set(field, Value::string(arn));
  return request.build();
}

// Calls an operation on an execution.
Result<Value> call_on_execution(const ClientOptions& options, std::string_view operation, const Value& extra) {
  const Client client(options);
  PAWL_TRY(const std::string arn, client.execution_arn(options.execution));
  return client.call(operation, extra.with_member("executionArn", Value::string(arn)));
}

// --- deploy

// The server takes JSON: YAML is sent as the JSON that it stands for.
std::string as_json(const std::string& text) {
  if (json::parse(text)) return text;
  const auto document = text::parse_definition(text);
  return document ? json::print_pretty(document->root) : text;
}

Result<Value> update_machine(const Client& client, const ClientOptions& options, const std::string& name,
                             const std::string& definition) {
  PAWL_TRY(const std::string arn, client.machine_arn(name));
  ObjectBuilder request;
  request.set("stateMachineArn", Value::string(arn));
  request.set("definition", Value::string(definition));
  request.set("roleArn", Value::string(options.role));
  PAWL_TRY(const Value updated, client.call("UpdateStateMachine", request.build()));
  return updated.with_member("stateMachineArn", Value::string(arn));
}

Result<Value> deploy_machine(const ClientOptions& options, const std::string& name, const std::string& definition) {
  const Client client(options);
  ObjectBuilder request;
  request.set("name", Value::string(name));
  request.set("definition", Value::string(definition));
  request.set("roleArn", Value::string(options.role));
  auto created = client.call("CreateStateMachine", request.build());
  const bool exists = !created && created.error().where == "StateMachineAlreadyExists";
  return exists ? update_machine(client, options, name, definition) : created;
}

// --- start

Result<Value> wait_for_end(const Client& client, const Value& started) {
  const Value* arn = started.find("executionArn");
  if (arn == nullptr) return started;
  Duration pause = kPollFirst;
  for (;;) {
    PAWL_TRY(const Value described,
             client.call("DescribeExecution", with_arn("executionArn", std::string(arn->as_string()))));
    const Value* status = described.find("status");
    if (status == nullptr || *status != Value::string("RUNNING")) return described;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kPollMax);
  }
}

Result<Value> start_execution(const ClientOptions& options) {
  const Client client(options);
  PAWL_TRY(const Input input, read_input(options.input, kInputBytesMax));
  PAWL_TRY(const std::string arn, client.machine_arn(options.machine));
  ObjectBuilder request;
  request.set("stateMachineArn", Value::string(arn));
  request.set("input", Value::string(input.text.empty() ? json::print(input.value) : input.text));
  if (!options.name.empty()) request.set("name", Value::string(options.name));
  PAWL_TRY(const Value started, client.call("StartExecution", request.build()));
  return options.wait ? wait_for_end(client, started) : started;
}

// What an execution that ended says: its output, or its error and cause.
int print_end(const Value& described) {
  const Value* output = described.find("output");
  if (output != nullptr) {
    print_line(output->as_string());
    return finish_output(kExitOk);
  }
  ObjectBuilder failure;
  for (const char* name : {"status", "error", "cause"})
    if (const Value* found = described.find(name)) failure.set(name, *found);
  print_value(failure.build());
  return finish_output(kExitFailed);
}

// --- lists

Result<void> print_list(const ClientOptions& options) {
  const Client client(options);
  if (options.machine.empty()) return print_pages(client, "ListStateMachines", Value::empty_object(), "stateMachines");
  PAWL_TRY(const std::string arn, client.machine_arn(options.machine));
  Value request = with_arn("stateMachineArn", arn);
  if (!options.status.empty()) request = request.with_member("statusFilter", Value::string(options.status));
  return print_pages(client, "ListExecutions", request, "executions");
}

Result<void> print_history(const ClientOptions& options) {
  const Client client(options);
  PAWL_TRY(const std::string arn, client.execution_arn(options.execution));
  Value request = with_arn("executionArn", arn).with_member("maxResults", Value::integer(1000));
  if (options.reverse) request = request.with_member("reverseOrder", Value::boolean(true));
  return print_pages(client, "GetExecutionHistory", request, "events");
}

// --- definitions

// A name, or the last part of an ARN.
std::string definition_path(const ClientOptions& options) {
  const size_t colon = options.machine.rfind(':');
  return "/api/definitions/" + as_path_part(options.machine.substr(colon == std::string::npos ? 0 : colon + 1));
}

}  // namespace

int deploy(const ClientOptions& options) {
  const auto text = read_file(options.file, kDefinitionBytesMax);
  if (!text) return conclude(std::unexpected(text.error()), options.json);
  // Linted here too, where findings have their place in the file.
  const api::LoadedMachine machine = api::load_machine(*text, options.file, {});
  if (machine.program == nullptr) {
    report(machine.diagnostics, options.json);
    return kExitRefused;
  }
  const std::string name = options.name.empty() ? api::machine_name_of(options.file) : options.name;
  return conclude(deploy_machine(options, name, as_json(*text)), options.json);
}

int start(const ClientOptions& options) {
  const auto answer = start_execution(options);
  return answer && options.wait ? print_end(*answer) : conclude(answer, options.json);
}

int list(const ClientOptions& options) { return conclude_list(print_list(options), options.json); }

int show(const ClientOptions& options) {
  return conclude(call_on_execution(options, "DescribeExecution", Value::empty_object()), options.json);
}

int history(const ClientOptions& options) {
  return options.follow ? follow_history(options) : conclude_list(print_history(options), options.json);
}

int stop(const ClientOptions& options) {
  ObjectBuilder extra;
  if (!options.error.empty()) extra.set("error", Value::string(options.error));
  if (!options.cause.empty()) extra.set("cause", Value::string(options.cause));
  return conclude(call_on_execution(options, "StopExecution", extra.build()), options.json);
}

int redrive(const ClientOptions& options) {
  return conclude(call_on_execution(options, "RedriveExecution", Value::empty_object()), options.json);
}

int enable(const ClientOptions& options) {
  return conclude(Client(options).ask("POST", definition_path(options) + "/enable"), options.json);
}

int disable(const ClientOptions& options) {
  return conclude(Client(options).ask("POST", definition_path(options) + "/disable"), options.json);
}

int undeploy(const ClientOptions& options) {
  return conclude(Client(options).ask("DELETE", definition_path(options)), options.json);
}

}  // namespace pawl::cli
