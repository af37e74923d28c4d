// RedriveExecution: lets an execution that closed without success go on where it failed.
#include "server/service.h"

namespace pawl::server {

namespace {

constexpr Field kRedriveFields[] = {{"executionArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                    {"clientToken", FieldKind::kText, false, 1, 64}};

constexpr std::string_view kDeleting = "State machine is in DELETING status";

bool is_deleted(const Service& service, const Revision& revision) {
  const MachinePointer machine = service.catalog.find_machine(revision.machine);
  return machine == nullptr || std::to_string(machine->family.number) != service.catalog.family_of(revision.id);
}

std::unexpected<Refusal> not_redrivable(const std::string& arn, std::string_view why) {
  return refuse("ExecutionNotRedrivable", "Execution " + arn + " invalid for redrive as: " + std::string(why));
}

Outcome<Value> redriven_answer(const std::string& arn, const Result<Timestamp>& redriven) {
  if (!redriven && redriven.error().code == "EXECUTION_NOT_REDRIVABLE")
    return not_redrivable(arn, redriven.error().what);
  if (!redriven) return std::unexpected(to_refusal(redriven.error()));
  json::ObjectBuilder answer(1);
  answer.set("redriveDate", to_seconds(*redriven));
  return answer.build();
}

void redrive_execution(Service& service, const Request& request, Reply reply) {
  const std::string arn = request.text("executionArn");
  const auto found = find_execution(service, arn);
  if (!found) return reply(std::unexpected(found.error()));
  if (found->revision->express) return reply(refuse_about("ExecutionDoesNotExist", "Execution Does Not Exist", arn));
  if (is_deleted(service, *found->revision)) return reply(not_redrivable(arn, kDeleting));
  service.engine.redrive(
      found->row.id, request.text("clientToken"),
      [arn, reply = std::move(reply)](Result<Timestamp> redriven) mutable { reply(redriven_answer(arn, redriven)); });
}

constexpr Operation kOperations[] = {{"RedriveExecution", kRedriveFields, redrive_execution}};

}  // namespace

std::string why_not_redrivable(const Service& service, const Revision& revision,
                               const engine::Description& description) {
  if (is_deleted(service, revision)) return std::string(kDeleting);
  return description.not_redrivable ? std::string(kernel::to_sentence(*description.not_redrivable)) : "";
}

std::span<const Operation> redrive_operations() { return kOperations; }

}  // namespace pawl::server
