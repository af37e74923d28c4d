#include "server/starts.h"

#include "lang/asl/context.h"

namespace pawl::server {

namespace {

std::function<Value(ExecutionId, Timestamp)> context_maker(const Service& service, RevisionPointer revision,
                                                           std::string name, Value input) {
  return [&arns = service.arns, revision = std::move(revision), name = std::move(name), input = std::move(input)](
             ExecutionId id, Timestamp started) {
    const std::string execution = name.empty() ? generated_name(id) : name;
    const std::string execution_arn = arn_of(arns, *revision, name, id);
    const std::string machine_arn = arns.of_machine(revision->machine);
    const asl::ContextFacts facts{execution_arn, execution, revision->role, machine_arn, revision->machine, started};
    return asl::make_context(facts, input, {});
  };
}

}  // namespace

// Executions of an EXPRESS machine may share a name: their ARNs have the id beside it.
std::string arn_of(const Arns& arns, const Revision& revision, const std::string& given_name, ExecutionId id) {
  const std::string name = given_name.empty() ? generated_name(id) : given_name;
  return revision.express ? arns.of_express(revision.machine, name, generated_name(id))
                          : arns.of_execution(revision.machine, name);
}

Outcome<PreparedStart> prepare_start(Service& service, const Request& request) {
  const StartArn arn = split_test_case(request.text("stateMachineArn"));
  PAWL_TRY(const FoundMachine machine, find_machine(service, arn.machine));
  if (const auto enabled = check_enabled(*machine.machine); !enabled) return std::unexpected(enabled.error());
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
