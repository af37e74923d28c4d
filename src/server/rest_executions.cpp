// Executions in Pawl's own REST: start, list, show, stop, redrive.
#include <algorithm>

#include "json/print.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

void set_row(ObjectBuilder& out, const std::string& machine, const store::ExecutionRow& row, std::string_view status) {
  const std::string name = name_of(row);
  out.set("execution", Value::string(machine + ":" + name));
  out.set("definition", Value::string(machine));
  out.set("name", Value::string(name));
  out.set("status", Value::string(status));
  out.set("started", to_time(row.started));
  if (row.closed != kNever) out.set("ended", to_time(row.closed));
  if (row.version != 0) out.set("version", Value::integer(row.version));
  if (!row.alias.empty()) out.set("alias", Value::string(row.alias));
  out.set("redrives", Value::integer(row.redrives));
  if (row.redrives != 0) out.set("redriven", to_time(row.redriven));
}

// --- show

Value described(const Revision& revision, const engine::Description& description) {
  ObjectBuilder out;
  set_row(out, revision.machine, description.row, kernel::name_of(description.status));
  out.set("language", Value::string(revision.language));
  out.set("input", description.input);
  if (description.status == kernel::Status::kSucceeded)
    out.set("output", description.outcome);
  else
    set_failure(out, description.outcome);
  return out.build();
}

// Answers with the execution as it is now.
void answer_with(Service& service, const FoundExecution& found, int status, net::Respond respond) {
  service.engine.describe(found.row.id, [revision = found.revision, status, respond = std::move(respond)](
                                            Result<engine::Description> description) mutable {
    if (!description) return respond(rest_refusal(to_refusal(description.error())));
    const Value body = described(*revision, *description);
    net::HttpServerResponse response = rest_answer(body, status);
    if (status == 201)
      response.headers.emplace_back("Location", "/api/executions/" + std::string(body.find("execution")->as_string()));
    respond(std::move(response));
  });
}

void show_execution(Service& service, const RestRequest& request, net::Respond respond) {
  const auto found = find_by_subject(service, request.subject);
  if (!found) return respond(rest_refusal(found.error()));
  answer_with(service, *found, 200, std::move(respond));
}

// --- start, stop and redrive, by the operations of the protocol

// An execution of an EXPRESS machine is known by the id in its ARN: its name may be another's too.
std::string subject_in(const std::string& arn) {
  const size_t express = arn.find(":express:");
  if (express == std::string::npos) return arn;
  const std::string rest = arn.substr(express + std::string_view(":express:").size());
  return rest.substr(0, rest.find(':')) + rest.substr(rest.rfind(':'));
}

Outcome<Value> read_start(const Service& service, const RestRequest& request) {
  PAWL_TRY(const Value body, request.object());
  for (const json::Member& member : body.members())
    if (member.key != Value::string("definition") && member.key != Value::string("name") &&
        member.key != Value::string("input"))
      return refuse_request("The body has no '" + std::string(member.key.as_string()) + "' here.");
  const Value* definition = body.find("definition");
  if (definition == nullptr || !definition->is_string())
    return refuse_request("The body has no text 'definition', which names what to start.");
  ObjectBuilder start(3);
  start.set("stateMachineArn", Value::string(service.arns.of_machine(definition->as_string())));
  if (const Value* name = body.find("name")) start.set("name", *name);
  if (const Value* input = body.find("input")) start.set("input", Value::string(json::print(*input)));
  return start.build();
}

void start_execution(Service& service, const RestRequest& request, net::Respond respond) {
  auto start = read_start(service, request);
  if (!start) return respond(rest_refusal(start.error()));
  run_operation(service, "StartExecution", *std::move(start),
                [&service, respond = std::move(respond)](Outcome<Value> started) mutable {
                  if (!started) return respond(rest_refusal(started.error()));
                  const std::string arn(started->find("executionArn")->as_string());
                  const auto found = find_by_subject(service, subject_in(arn));
                  if (!found) return respond(rest_refusal(found.error()));
                  answer_with(service, *found, 201, std::move(respond));
                });
}

// Runs an operation on the execution, and answers with what the execution then is.
void change_execution(Service& service, std::string_view operation, const RestRequest& request, net::Respond respond) {
  const auto found = find_by_subject(service, request.subject);
  if (!found) return respond(rest_refusal(found.error()));
  const auto body = request.object();
  if (!body) return respond(rest_refusal(body.error()));
  const std::string arn = service.arns.of_execution(found->revision->machine, name_of(found->row));
  run_operation(service, operation, body->with_member("executionArn", Value::string(arn)),
                [&service, found = *found, respond = std::move(respond)](Outcome<Value> changed) mutable {
                  if (!changed) return respond(rest_refusal(changed.error()));
                  answer_with(service, found, 200, std::move(respond));
                });
}

void stop_execution(Service& service, const RestRequest& request, net::Respond respond) {
  change_execution(service, "StopExecution", request, std::move(respond));
}

void redrive_execution(Service& service, const RestRequest& request, net::Respond respond) {
  change_execution(service, "RedriveExecution", request, std::move(respond));
}

// --- list

Outcome<std::optional<store::ExecutionStatus>> read_status(const RestRequest& request) {
  using Status = store::ExecutionStatus;
  const std::string asked = request.text("status");
  if (asked.empty()) return std::nullopt;
  for (const Status status :
       {Status::kRunning, Status::kSucceeded, Status::kFailed, Status::kTimedOut, Status::kAborted})
    if (status_name(status) == asked) return status;
  return refuse_request("'status' is none of RUNNING, SUCCEEDED, FAILED, TIMED_OUT, ABORTED.");
}

// Of all revisions of a definition, or of all definitions; newest first.
Outcome<std::vector<store::ExecutionRow>> rows_of(const Service& service, const std::string& definition,
                                                  store::ListFilter filter) {
  if (definition.empty()) return service.store.list_executions(filter);
  const MachinePointer machine = service.catalog.find_machine(definition);
  if (machine == nullptr) return refuse("StateMachineDoesNotExist", "There is no definition '" + definition + "'.");
  std::vector<store::ExecutionRow> rows;
  for (const DefinitionId revision : service.catalog.revisions_of(machine->family)) {
    filter.definition = revision;
    const auto page = service.store.list_executions(filter);
    rows.insert(rows.end(), page.begin(), page.end());
  }
  std::ranges::sort(rows, std::ranges::greater(), &store::ExecutionRow::id);
  return rows;
}

Outcome<Value> list(const Service& service, const RestRequest& request) {
  PAWL_TRY(const size_t limit, request.limit());
  store::ListFilter filter;
  filter.limit = limit + 1;
  PAWL_TRY(filter.status, read_status(request));
  PAWL_TRY(filter.before.number, request.number("next", 0));
  PAWL_TRY(const auto rows, rows_of(service, request.text("definition"), filter));
  json::ArrayBuilder items;
  for (const store::ExecutionRow& row : rows) {
    const RevisionPointer revision = service.catalog.find_revision(row.definition);
    if (items.size() == limit || revision == nullptr) continue;
    ObjectBuilder item;
    set_row(item, revision->machine, row, status_name(row.status));
    items.push(item.build());
  }
  ObjectBuilder answer(2);
  answer.set("executions", items.build());
  if (rows.size() > limit) answer.set("next", Value::string(std::to_string(rows[limit - 1].id.number)));
  return answer.build();
}

void list_executions(Service& service, const RestRequest& request, net::Respond respond) {
  answer_from_back_office(
      service, [&service, request] { return list(service, request); }, rest_reply(std::move(respond)));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/executions", "definition status limit next", Role::kRead, list_executions},
    {"POST", "/api/executions", "", Role::kOperate, start_execution},
    {"GET", "/api/executions/{execution}", "", Role::kRead, show_execution},
    {"POST", "/api/executions/{execution}/stop", "", Role::kOperate, stop_execution},
    {"POST", "/api/executions/{execution}/redrive", "", Role::kOperate, redrive_execution},
};

}  // namespace

std::span<const Route> rest_execution_routes() { return kRoutes; }

}  // namespace pawl::server
