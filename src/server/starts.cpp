#include "server/starts.h"

namespace pawl::server {

namespace {

std::function<Value(ExecutionId, Timestamp)> context_maker(const Service& service, RevisionPointer revision,
                                                           std::string name, Value input) {
  return [&arns = service.arns, revision = std::move(revision), name = std::move(name), input = std::move(input)](
             ExecutionId id, Timestamp started) { return make_context(arns, *revision, name, id, input, started); };
}

// Refusal: StartNotAllowed, of a definition that only its schedule may start now.
Outcome<void> check_direct_start(const Service& service, const std::string& definition) {
  const StarterPointer starter = service.rules.find(definition);
  if (starter == nullptr || starter->window.allows_direct(service.clock.now())) return {};
  const std::string when = starter->window.has_cron() ? "by its cron expression '" + starter->rule.cron + "'"
                                                      : "in the interval '" + starter->rule.interval + "'";
  return refuse("StartNotAllowed", "'" + definition + "' is started only " + when + ": its directInvoke is deny.");
}

}  // namespace

Outcome<PreparedStart> prepare_start(Service& service, const Request& request) {
  const StartArn arn = split_test_case(request.text("stateMachineArn"));
  PAWL_TRY(const FoundMachine machine, find_machine(service, arn.machine));
  if (const auto enabled = check_enabled(*machine.machine); !enabled) return std::unexpected(enabled.error());
  if (const auto direct = check_direct_start(service, machine.machine->name); !direct)
    return std::unexpected(direct.error());
  PreparedStart start{{}, machine.revision, request.text("name")};
  if (const auto named = check_name(start.name); !named) return std::unexpected(named.error());
  if (parse_generated_name(start.name)) return refuse_about("InvalidName", "Invalid Name", start.name);
  engine::StartRequest& asked = start.request;
  asked.definition = machine.revision->id;
  if (!machine.revision->express) asked.name = start.name;
  asked.input_text = request.has("input") ? request.text("input") : "{}";
  PAWL_TRY(asked.input, parse_input(asked.input_text));
  asked.make_context = context_maker(service, machine.revision, start.name, asked.input);
  PAWL_TRY(Value labels, start_labels(service, arn, *machine.machine));
  asked.labels = with_trace(std::move(labels), request);
  if (machine.version != nullptr) asked.version = static_cast<uint32_t>(machine.version->number);
  if (machine.alias != nullptr) asked.alias = machine.alias->name;
  return start;
}

Refusal start_refusal(const Service& service, const PreparedStart& start, const Error& error) {
  if (error.code != "EXECUTION_ALREADY_EXISTS") return to_refusal(error);
  return refuse_about("ExecutionAlreadyExists", "Execution Already Exists",
                      service.arns.of_execution(start.revision->machine, start.name))
      .error();
}

}  // namespace pawl::server
