// Operations on executions: start, describe, list, stop.
#include <algorithm>
#include <charconv>

#include "json/print.h"
#include "server/service.h"
#include "server/starts.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr Field kExecutionArn{"executionArn", FieldKind::kText, true, 1, kArnCharactersMax};
constexpr Field kDescribeFields[] = {kExecutionArn,
                                     {"includedData", FieldKind::kText, false, 0, 100, "ALL_DATA, METADATA_ONLY"}};
constexpr Field kStopFields[] = {
    kExecutionArn, {"error", FieldKind::kText, false, 0, 256}, {"cause", FieldKind::kText, false, 0, 32'768}};
constexpr Field kListFields[] = {{"stateMachineArn", FieldKind::kText, false, 1, kArnCharactersMax},
                                 {"mapRunArn", FieldKind::kText, false, 1, 2000},
                                 {"statusFilter", FieldKind::kText, false, 0, 100,
                                  "RUNNING, SUCCEEDED, FAILED, TIMED_OUT, ABORTED, PENDING_REDRIVE"},
                                 {"redriveFilter", FieldKind::kText, false, 0, 100, "REDRIVEN, NOT_REDRIVEN"},
                                 kMaxResults,
                                 kNextToken};

// --- start

Value started_answer(const Service& service, const PreparedStart& start, const engine::Started& started) {
  ObjectBuilder answer(2);
  answer.set("executionArn", Value::string(arn_of(service.arns, *start.revision, start.name, started.execution)));
  answer.set("startDate", to_seconds(started.started));
  return answer.build();
}

void start_execution(Service& service, const Request& request, Reply reply) {
  auto start = prepare_start(service, request);
  if (!start) return reply(std::unexpected(start.error()));
  engine::StartRequest asked = std::move(start->request);
  service.engine.start(std::move(asked), [&service, start = *std::move(start),
                                          reply = std::move(reply)](Result<engine::Started> started) mutable {
    if (!started) return reply(std::unexpected(start_refusal(service, start, started.error())));
    reply(started_answer(service, start, *started));
  });
}

// --- describe

Value included() {
  ObjectBuilder details(1);
  details.set("included", Value::boolean(true));
  return details.build();
}

void set_data(ObjectBuilder& answer, std::string_view name, std::string_view text) {
  answer.set(name, Value::string(text));
  answer.set(std::string(name) + "Details", included());
}

void set_redrives(ObjectBuilder& answer, const store::ExecutionRow& row) {
  answer.set("redriveCount", Value::integer(row.redrives));
  if (row.redrives != 0) answer.set("redriveDate", to_seconds(row.redriven));
}

}  // namespace

Value described(const Service& service, const FoundExecution& found, const engine::Description& description,
                bool with_data) {
  const std::string name = name_of(found.row);
  const bool is_open = description.status == kernel::Status::kRunning;
  ObjectBuilder answer;
  answer.set("executionArn", Value::string(service.arns.of_execution(found.revision->machine, name)));
  answer.set("stateMachineArn", Value::string(service.arns.of_machine(found.revision->machine)));
  answer.set("name", Value::string(name));
  answer.set("status", Value::string(kernel::name_of(description.status)));
  answer.set("startDate", to_seconds(description.row.started));
  if (!is_open) answer.set("stopDate", to_seconds(description.row.closed));
  if (with_data)
    set_data(answer, "input",
             description.input_text.is_string() ? std::string(description.input_text.as_string())
                                                : json::print(description.input));
  if (with_data && description.status == kernel::Status::kSucceeded)
    set_data(answer, "output", json::print(description.outcome));
  // One that timed out has no error to tell.
  const bool tells_why =
      description.status == kernel::Status::kFailed || description.status == kernel::Status::kAborted;
  if (tells_why) set_failure(answer, description.outcome);
  set_qualifiers(service, found.revision->machine, description.row, answer);
  set_redrives(answer, description.row);
  const std::string obstacle = why_not_redrivable(service, *found.revision, description);
  answer.set("redriveStatus", Value::string(obstacle.empty() ? "REDRIVABLE" : "NOT_REDRIVABLE"));
  if (!obstacle.empty()) answer.set("redriveStatusReason", Value::string(obstacle));
  return answer.build();
}

namespace {

void describe_execution(Service& service, const Request& request, Reply reply) {
  const auto found = find_execution(service, request.text("executionArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const bool with_data = request.text("includedData") != "METADATA_ONLY";
  service.engine.describe(found->row.id, [&service, found = *found, with_data,
                                          reply = std::move(reply)](Result<engine::Description> description) mutable {
    if (!description) return reply(std::unexpected(to_refusal(description.error())));
    reply(described(service, found, *description, with_data));
  });
}

// --- stop

void stop_execution(Service& service, const Request& request, Reply reply) {
  const auto found = find_execution(service, request.text("executionArn"));
  if (!found) return reply(std::unexpected(found.error()));
  ObjectBuilder error(2);
  if (const Value* given = request.find("error")) error.set("Error", *given);
  if (const Value* given = request.find("cause")) error.set("Cause", *given);
  service.engine.stop(found->row.id, error.build(), [reply = std::move(reply)](Result<Timestamp> stopped) mutable {
    if (!stopped) return reply(std::unexpected(to_refusal(stopped.error())));
    ObjectBuilder answer(1);
    answer.set("stopDate", to_seconds(*stopped));
    reply(answer.build());
  });
}

// --- list

std::optional<store::ExecutionStatus> read_status(const Request& request) {
  using Status = store::ExecutionStatus;
  const std::string asked = request.text("statusFilter");
  for (const Status status :
       {Status::kRunning, Status::kSucceeded, Status::kFailed, Status::kTimedOut, Status::kAborted})
    if (status_name(status) == asked) return status;
  return std::nullopt;
}

// Of all revisions of a machine, newest first.
std::vector<store::ExecutionRow> rows_of(const Service& service, DefinitionId family, store::ListFilter filter) {
  std::vector<store::ExecutionRow> rows;
  for (const DefinitionId revision : service.catalog.revisions_of(family)) {
    filter.definition = revision;
    const auto page = service.store.list_executions(filter);
    rows.insert(rows.end(), page.begin(), page.end());
  }
  std::ranges::sort(rows, std::ranges::greater(), &store::ExecutionRow::id);
  if (rows.size() > filter.limit) rows.resize(filter.limit);
  return rows;
}

Value listed(const Service& service, const std::string& machine, const store::ExecutionRow& row) {
  const std::string name = name_of(row);
  ObjectBuilder item(6);
  item.set("executionArn", Value::string(service.arns.of_execution(machine, name)));
  item.set("stateMachineArn", Value::string(service.arns.of_machine(machine)));
  item.set("name", Value::string(name));
  item.set("status", Value::string(status_name(row.status)));
  item.set("startDate", to_seconds(row.started));
  if (row.closed != kNever) item.set("stopDate", to_seconds(row.closed));
  set_qualifiers(service, machine, row, item);
  set_redrives(item, row);
  return item.build();
}

// By a version or an alias, those that were started by it.
store::ListFilter read_filter(const Request& request, const FoundMachine& machine) {
  store::ListFilter filter;
  filter.status = read_status(request);
  if (request.has("redriveFilter")) filter.redriven = request.text("redriveFilter") == "REDRIVEN";
  if (machine.alias != nullptr)
    filter.alias = machine.alias->name;
  else if (machine.version != nullptr)
    filter.version = static_cast<uint32_t>(machine.version->number);
  return filter;
}

std::string name_of_list(const FoundMachine& machine) {
  std::string name = "executions:" + machine.machine->name;
  if (machine.alias != nullptr)
    name += ":" + machine.alias->name;
  else if (machine.version != nullptr)
    name += ":" + std::to_string(machine.version->number);
  return name;
}

Outcome<Value> list(const Service& service, const Request& request) {
  if (request.has("mapRunArn"))
    return refuse_about("ResourceNotFound", "Resource not found", request.text("mapRunArn"));
  if (!request.has("stateMachineArn"))
    return refuse("ValidationException", "Must provide a stateMachineArn or a mapRunArn");
  PAWL_TRY(const FoundMachine machine, find_machine(service, request.text("stateMachineArn")));
  if (machine.revision->express)
    return refuse_about("StateMachineTypeNotSupported", "State Machine Type Not Supported", "EXPRESS");
  const std::string list = name_of_list(machine);
  PAWL_TRY(const std::string position, page_position(service, list, request));
  const size_t limit = page_size(request);
  store::ListFilter filter = read_filter(request, machine);
  filter.limit = limit + 1;
  if (!position.empty()) std::from_chars(position.data(), position.data() + position.size(), filter.before.number);
  const bool matches_none = request.has("statusFilter") && !filter.status;
  const auto rows =
      matches_none ? std::vector<store::ExecutionRow>() : rows_of(service, machine.machine->family, filter);
  json::ArrayBuilder items;
  for (const store::ExecutionRow& row : rows)
    if (items.size() < limit) items.push(listed(service, machine.machine->name, row));
  ObjectBuilder answer(2);
  answer.set("executions", items.build());
  if (rows.size() > limit)
    answer.set("nextToken", Value::string(page_token(service, list, std::to_string(rows[limit - 1].id.number))));
  return answer.build();
}

void list_executions(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return list(service, request); }, std::move(reply));
}

constexpr Operation kOperations[] = {
    {"StartExecution", kStartFields, start_execution},
    {"DescribeExecution", kDescribeFields, describe_execution},
    {"StopExecution", kStopFields, stop_execution},
    {"ListExecutions", kListFields, list_executions},
};

}  // namespace

std::string_view status_name(store::ExecutionStatus status) {
  switch (status) {
    case store::ExecutionStatus::kRunning:
      return "RUNNING";
    case store::ExecutionStatus::kSucceeded:
      return "SUCCEEDED";
    case store::ExecutionStatus::kFailed:
      return "FAILED";
    case store::ExecutionStatus::kTimedOut:
      return "TIMED_OUT";
    case store::ExecutionStatus::kAborted:
      return "ABORTED";
  }
  return "";
}

std::span<const Operation> execution_operations() { return kOperations; }

}  // namespace pawl::server
