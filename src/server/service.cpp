#include "server/service.h"

#include <algorithm>
#include <array>
#include <future>
#include <memory>

#include "base/random.h"
#include "connect/trace_context.h"
#include "engine/shard.h"
#include "json/parse.h"

namespace pawl::server {

namespace {

constexpr uint64_t kWeightSum = 100;  // of an alias's routes
constexpr size_t kPageSize = 100;     // where the request does not say
constexpr std::string_view kForbiddenInNames = " \t\n\r<>{}[]?*\"#%\\^|~`$&,;:/";

const auto& operation_groups() {
  static const std::array kGroups = {machine_operations(), version_operations(),   alias_operations(),
                                     tag_operations(),     execution_operations(), redrive_operations(),
                                     express_operations(), history_operations(),   callback_operations(),
                                     map_run_operations(), activity_operations(),  test_state_operations()};
  return kGroups;
}

const Operation* find_operation(std::string_view name) {
  for (const auto group : operation_groups()) {
    const auto found = std::ranges::find(group, name, &Operation::name);
    if (found != group.end()) return &*found;
  }
  return nullptr;
}

Refusal too_busy() { return {"ThrottlingException", "Rate exceeded", 400, true}; }

std::optional<store::ExecutionRow> find_named(const Service& service, const ExecutionArn& arn) {
  for (const MachinePointer& machine : service.catalog.find_generations(arn.machine)) {
    const std::string family = std::to_string(machine->family.number);
    for (const ExecutionId id : service.store.find_names(engine::hash_name(family, arn.execution))) {
      auto row = service.store.find_execution(id);
      if (row && row->name == arn.execution && service.catalog.family_of(row->definition) == family) return row;
    }
  }
  return std::nullopt;
}

std::optional<store::ExecutionRow> find_generated(const Service& service, const ExecutionArn& arn) {
  const auto id = parse_generated_name(arn.execution);
  if (!id) return std::nullopt;
  auto row = service.store.find_execution(*id);
  if (!row || !row->name.empty()) return std::nullopt;
  const RevisionPointer revision = service.catalog.find_revision(row->definition);
  return revision != nullptr && revision->machine == arn.machine ? row : std::nullopt;
}

// U+0000 to U+001F, and U+007F to U+009F, which begin with C2 in UTF-8 from U+0080 on.
bool has_control_character(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0xFF);
    if (byte < 0x20 || byte == 0x7F || (byte == 0xC2 && next < 0xA0)) return true;
  }
  return false;
}

uint64_t pick_version(const Alias& alias) {
  uint64_t drawn = alias.routes.size() == 1 ? 0 : entropy_seed() % kWeightSum;
  for (const AliasRoute& route : alias.routes) {
    if (drawn < route.weight) return route.version;
    drawn -= route.weight;
  }
  return alias.routes.back().version;
}

}  // namespace

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (const auto group : operation_groups())
    for (const Operation& operation : group) names.push_back(operation.name);
  return names;
}

void run_operation(Service& service, std::string_view name, Value body, Reply reply,
                   std::shared_ptr<net::HttpServerClient> client) {
  const Operation* operation = find_operation(name);
  if (operation == nullptr)
    return reply(refuse("UnknownOperationException", "The operation '" + std::string(name) + "' is not there (yet)."));
  auto request = Request::read(std::move(body), operation->fields);
  if (!request) return reply(std::unexpected(request.error()));
  request->set_client(std::move(client));
  operation->run(service, *request, std::move(reply));
}

void answer_from_back_office(Service& service, std::move_only_function<Outcome<Value>()> compute, Reply reply) {
  const auto shared = std::make_shared<Reply>(std::move(reply));  // still here where the job is not taken
  const bool taken =
      service.back_office.post([shared, compute = std::move(compute)]() mutable { (*shared)(compute()); });
  if (!taken) (*shared)(std::unexpected(too_busy()));
}

Outcome<void> put_documents(Service& service, std::vector<store::Document> documents) {
  std::promise<Result<void>> durable;
  service.engine.put_documents(std::move(documents),
                               [&](Result<void> result) { durable.set_value(std::move(result)); });
  const Result<void> result = durable.get_future().get();
  if (!result) return std::unexpected(to_refusal(result.error()));
  return {};
}

Outcome<void> commit_change(Service& service, Change change) {
  if (const auto durable = put_documents(service, Catalog::documents_of(change)); !durable)
    return std::unexpected(durable.error());
  const std::string name = change.machine.name;
  service.catalog.apply(std::move(change));
  service.rules.follow(name);
  std::vector<store::Document> schedule = service.schedules.follow(name);
  if (schedule.empty()) return {};
  return put_documents(service, std::move(schedule));
}

Value with_trace(Value labels, const Request& request) {
  const std::string header = request.text("traceHeader");
  const auto parent = connect::is_trace_parent(header) ? std::optional(header) : connect::trace_parent_of_xray(header);
  if (!parent) return labels;
  const Value before = labels.is_object() ? std::move(labels) : Value::empty_object();
  return before.with_member(connect::kTraceParent, Value::string(*parent));
}

Refusal to_refusal(const Error& error) {
  if (error.code == "ENGINE_OVERLOADED") return too_busy();
  return {"InternalFailure", to_string(error), 500};
}

Value to_seconds(Timestamp time) { return Value::real(static_cast<double>(time.time_since_epoch().count()) / 1000.0); }

Outcome<void> check_name(std::string_view name) {
  const bool is_forbidden = name.find_first_of(kForbiddenInNames) != std::string_view::npos;
  if (is_forbidden || has_control_character(name)) return refuse_about("InvalidName", "Invalid Name", name);
  return {};
}

// Nothing is allowed or forbidden by it, so it only has to look like an ARN.
Outcome<void> check_role(std::string_view arn) {
  if (arn.starts_with("arn:") && !has_control_character(arn)) return {};
  return refuse_about("InvalidArn", "Invalid Role Arn", arn);
}

Outcome<Value> parse_input(std::string_view text) {
  auto input = json::parse(text);
  if (input) return *std::move(input);
  return refuse_about("InvalidExecutionInput", "Invalid State Machine Execution Input",
                      input.error().what + " (" + input.error().where + ")");
}

void set_failure(json::ObjectBuilder& answer, const Value& outcome) {
  for (const auto& [member, name] : {std::pair("Error", "error"), std::pair("Cause", "cause")}) {
    const Value* found = outcome.find(member);
    if (found != nullptr && found->is_string()) answer.set(name, *found);
  }
}

Outcome<FoundMachine> find_machine(const Service& service, std::string_view arn) {
  PAWL_TRY(const MachineArn parsed, service.arns.parse_machine(arn));
  const auto missing = [&] { return refuse_about("StateMachineDoesNotExist", "State Machine Does Not Exist", arn); };
  FoundMachine found;
  found.machine = service.catalog.find_machine(parsed.name);
  if (found.machine == nullptr) return missing();
  std::optional<uint64_t> version = parsed.version;
  if (!parsed.alias.empty()) {
    found.alias = found.machine->find_alias(parsed.alias);
    if (found.alias == nullptr) return missing();
    version = pick_version(*found.alias);
  }
  DefinitionId revision = found.machine->current;
  if (version) {
    found.version = found.machine->find_version(*version);
    if (found.version == nullptr) return missing();
    revision = found.version->revision;
  }
  found.revision = service.catalog.find_revision(revision);
  return found;
}

Outcome<FoundMachine> find_whole_machine(const Service& service, std::string_view arn) {
  auto found = find_machine(service, arn);
  if (found && found->version != nullptr)
    return refuse("ValidationException",
                  "This operation is for a state machine as a whole: its ARN must have no version and no alias.");
  return found;
}

Outcome<void> check_enabled(const Machine& machine) {
  if (!machine.disabled) return {};
  return refuse("StateMachineDisabled",
                "'" + machine.name + "' is disabled: it takes no new executions until it is enabled.");
}

StartArn split_test_case(std::string_view arn) {
  const size_t hash = arn.find('#');
  if (hash == std::string_view::npos) return {std::string(arn), {}};
  return {std::string(arn.substr(0, hash)), std::string(arn.substr(hash + 1))};
}

Outcome<Value> start_labels(Service& service, const StartArn& arn, const Machine& machine) {
  if (arn.test_case.empty()) return Value();
  if (const auto known = service.mocks.check(machine.name, arn.test_case); !known)
    return refuse("ValidationException", to_string(known.error()));
  return MockedTasks::labels_of(machine.name, arn.test_case);
}

Outcome<FoundExecution> find_execution(const Service& service, std::string_view arn) {
  PAWL_TRY(const ExecutionArn parsed, service.arns.parse_execution(arn));
  auto row = find_named(service, parsed);
  if (!row) row = find_generated(service, parsed);
  if (!row) return refuse_about("ExecutionDoesNotExist", "Execution Does Not Exist", arn);
  return FoundExecution{*row, service.catalog.find_revision(row->definition)};
}

void set_qualifiers(const Service& service, const std::string& machine, const store::ExecutionRow& row,
                    json::ObjectBuilder& answer) {
  if (row.version != 0)
    answer.set("stateMachineVersionArn", Value::string(service.arns.of_version(machine, row.version)));
  if (!row.alias.empty()) answer.set("stateMachineAliasArn", Value::string(service.arns.of_alias(machine, row.alias)));
}

std::string name_of(const store::ExecutionRow& row) { return row.name.empty() ? generated_name(row.id) : row.name; }

std::string page_token(const Service& service, std::string_view list, std::string_view position) {
  return service.signer.sign("page:" + std::string(list), position);
}

Outcome<std::string> page_position(const Service& service, std::string_view list, const Request& request) {
  if (!request.has("nextToken")) return std::string();
  auto position = service.signer.verify("page:" + std::string(list), request.text("nextToken"));
  if (!position) return refuse_about("InvalidToken", "Invalid Token", "Invalid token");
  return *std::move(position);
}

size_t page_size(const Request& request) {
  const int64_t asked = request.integer("maxResults", 0);
  return asked == 0 ? kPageSize : static_cast<size_t>(asked);
}

}  // namespace pawl::server
