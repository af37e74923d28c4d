// `pawl deploy`, `start`, `list`, `show`, `history`, `stop`, `redrive`, `enable`, `disable` and `undeploy`: what a user
// asks of a server.
#include <algorithm>
#include <chrono>
#include <thread>

#include "api/definition.h"
#include "api/machine.h"
#include "cli/client_output.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/durable_client.h"
#include "cli/files.h"
#include "cli/follow.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/serverless/kpi.h"
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

struct Deployment {
  std::string name;
  std::string definition;
  api::Files files;
};

// Its own name, else that of its file.
std::string name_for(const ClientOptions& options, const api::LoadedDefinition& definition) {
  if (!options.name.empty()) return options.name;
  return definition.name.empty() ? api::machine_name_of(options.file) : definition.name;
}

Value files_of(const Deployment& deployment) {
  ObjectBuilder files(deployment.files.size());
  for (const auto& [path, text] : deployment.files) files.set(path, Value::string(text));
  return files.build();
}

Value assignments_of(const ClientOptions& options) {
  json::ArrayBuilder assignments(options.assignments.size());
  for (const std::string& assignment : options.assignments) assignments.push(Value::string(assignment));
  return assignments.build();
}

void set_content(ObjectBuilder& request, const ClientOptions& options, const Deployment& deployment) {
  request.set("definition", Value::string(deployment.definition));
  request.set("roleArn", Value::string(options.role));
  if (!deployment.files.empty()) request.set("files", files_of(deployment));
  if (!options.assignments.empty()) request.set("options", assignments_of(options));
}

Result<Value> update_definition(const Client& client, const ClientOptions& options, const Deployment& deployment) {
  PAWL_TRY(const std::string arn, client.machine_arn(deployment.name));
  ObjectBuilder request;
  request.set("stateMachineArn", Value::string(arn));
  set_content(request, options, deployment);
  PAWL_TRY(const Value updated, client.call("UpdateStateMachine", request.build()));
  return updated.with_member("stateMachineArn", Value::string(arn));
}

Result<Value> deploy_definition(const ClientOptions& options, const Deployment& deployment) {
  const Client client(options);
  ObjectBuilder request;
  request.set("name", Value::string(deployment.name));
  set_content(request, options, deployment);
  auto created = client.call("CreateStateMachine", request.build());
  const bool exists = !created && created.error().where == "StateMachineAlreadyExists";
  return exists ? update_definition(client, options, deployment) : created;
}

// A document of KPIs goes to the definition that it is about.
Result<Value> deploy_kpis(const ClientOptions& options, const serverless::KpiDocument& kpis, const Value& document) {
  const std::string& name = options.name.empty() ? kpis.workflow_id : options.name;
  return Client(options).ask("PUT", "/api/definitions/" + as_path_part(name) + "/kpis", document);
}

int deploy_kpis(const ClientOptions& options, const json::Document& document) {
  Diagnostics diagnostics;
  const serverless::KpiDocument kpis = serverless::read_kpis(document, diagnostics);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = options.file;
  if (has_errors(diagnostics)) {
    report(diagnostics, options.json);
    return kExitRefused;
  }
  return conclude(deploy_kpis(options, kpis, document.root), options.json);
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

// A name may be that of a state machine, which it is rather than that of a function.
bool is_function(const Client& client, const std::string& name) {
  if (name.starts_with("arn:")) return name.contains(":function:");
  const auto arn = client.machine_arn(name);
  if (!arn) return false;
  const auto machine = client.call("DescribeStateMachine", with_arn("stateMachineArn", *arn));
  return !machine && machine.error().where == "StateMachineDoesNotExist" &&
         client.call_lambda("GET", "/2015-03-31/functions/" + as_path_part(name)).has_value();
}

Result<void> print_list(const ClientOptions& options) {
  const Client client(options);
  if (options.machine.empty()) {
    const auto printed = print_pages(client, "ListStateMachines", Value::empty_object(), "stateMachines");
    return printed ? print_functions(client) : printed;
  }
  if (is_function(client, options.machine)) return print_durable_executions(client, options.machine, options.status);
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

// Pawl's own facts, page by page, one a line.
Result<void> print_facts(const ClientOptions& options) {
  const Client client(options);
  const std::string path = "/api/executions/" + as_path_part(options.execution) + "/facts?limit=1000&after=";
  int64_t after = 0;
  for (;;) {
    PAWL_TRY(const Value page, client.ask("GET", path + std::to_string(after)));
    const Value* facts = page.find("facts");
    if (facts != nullptr && facts->is_array())
      for (const Value& fact : facts->items()) print_line(json::print(fact));
    const Value* next = page.find("next");
    if (next == nullptr) return {};
    after = next->as_integer().value_or(0);
  }
}

// AWS's events are for ASL: an execution of another language is told by its facts.
bool is_told_by_facts(const ClientOptions& options) {
  if (options.facts) return true;
  const auto shown = Client(options).ask("GET", "/api/executions/" + as_path_part(options.execution));
  const Value* language = shown ? shown->find("language") : nullptr;
  return language != nullptr && *language != Value::string("asl");
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
  const auto document = text::parse_definition(*text);
  if (document && serverless::is_kpi_document(document->root)) return deploy_kpis(options, *document);
  // Linted here too, where findings have their place in the file.
  const api::LoadedDefinition definition = api::load_definition({.text = *text,
                                                                 .file = options.file,
                                                                 .assignments = options.assignments,
                                                                 .read = read_beside(options.file, Elsewhere::kFetch)});
  if (definition.program == nullptr) {
    report(definition.diagnostics, options.json);
    return kExitRefused;
  }
  return conclude(deploy_definition(options, {name_for(options, definition), as_json(*text), definition.files}),
                  options.json);
}

int start(const ClientOptions& options) {
  const auto answer = start_execution(options);
  return answer && options.wait ? print_end(*answer) : conclude(answer, options.json);
}

int list(const ClientOptions& options) { return conclude_list(print_list(options), options.json); }

int show(const ClientOptions& options) {
  const Client client(options);
  const auto durable = find_durable_execution(client, options.execution);
  if (!durable) return conclude(std::unexpected(durable.error()), options.json);
  if (*durable) return conclude(show_durable(client, **durable), options.json);
  return conclude(call_on_execution(options, "DescribeExecution", Value::empty_object()), options.json);
}

int history(const ClientOptions& options) {
  const Client client(options);
  const auto durable = find_durable_execution(client, options.execution);
  if (!durable) return conclude_list(std::unexpected(durable.error()), options.json);
  ClientOptions asked = options;
  if (*durable) {
    asked.execution = **durable;
    if (options.follow) return follow_history(asked);
    return conclude_list(options.facts ? print_facts(asked) : print_durable_history(client, **durable, options.reverse),
                         options.json);
  }
  asked.facts = !options.reverse && is_told_by_facts(options);
  if (options.follow) return follow_history(asked);
  return conclude_list(asked.facts ? print_facts(asked) : print_history(asked), options.json);
}

int stop(const ClientOptions& options) {
  const Client client(options);
  const auto durable = find_durable_execution(client, options.execution);
  if (!durable) return conclude(std::unexpected(durable.error()), options.json);
  if (*durable) return conclude(stop_durable(client, **durable, options.error, options.cause), options.json);
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
