// GetDurableExecution and StopDurableExecution, and what the other calls on durable executions need.
#include "server/durable_reads.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/shard.h"
#include "json/print.h"
#include "lang/durable/update.h"
#include "lang/durable/views.h"

namespace pawl::server {

namespace {

using functions::TimeForm;
using json::ObjectBuilder;

constexpr size_t kArnBytesMax = 1'024;
constexpr size_t kNameBytesMax = 64;
constexpr std::string_view kDurablePart = "/durable-execution/";
constexpr size_t kPageSize = 100;  // where the request does not say
constexpr size_t kPageMax = 1'000;
constexpr size_t kErrorBytesMax = 262'144;

std::unexpected<Refusal> no_execution() {
  return refuse("ResourceNotFoundException", "Durable Execution does not exist");
}

// What an ARN tells beside region and account.
std::string_view tail_of(std::string_view arn) {
  const size_t place = arn.find(":function:");
  return place == std::string_view::npos ? std::string_view() : arn.substr(place);
}

bool is_durable_arn(std::string_view arn) {
  return arn.size() <= kArnBytesMax && arn.starts_with("arn:") && arn.contains(":lambda:") && !tail_of(arn).empty() &&
         arn.contains(kDurablePart);
}

std::optional<FoundDurable> find_by_id(const Service& service, ExecutionId id) {
  auto row = service.store.find_execution(id);
  if (!row) return std::nullopt;
  RevisionPointer revision = service.catalog.find_revision(row->definition);
  if (revision == nullptr || !is_function(*revision)) return std::nullopt;
  return FoundDurable{*std::move(row), std::move(revision)};
}

}  // namespace

std::vector<FoundDurable> find_in_family(const Service& service, DefinitionId family, std::string_view name) {
  const std::string text = std::to_string(family.number);
  std::vector<FoundDurable> all;
  for (const ExecutionId id : service.store.find_names(engine::hash_name(text, std::string(name)))) {
    auto found = find_by_id(service, id);
    if (found && found->row.name == name && service.catalog.family_of(found->row.definition) == text)
      all.push_back(*std::move(found));
  }
  return all;
}

Outcome<void> check_execution_name(std::string_view name) {
  const bool is_fine = name.size() <= kNameBytesMax && std::ranges::all_of(name, [](unsigned char c) {
                         return std::isalnum(c) != 0 || c == '-' || c == '_';
                       });
  if (is_fine) return {};
  return refuse_member("durableExecutionName", "Member must satisfy regular expression pattern: [a-zA-Z0-9-_]+");
}

Outcome<FoundDurable> find_durable(const Service& service, std::string_view arn) {
  if (!is_durable_arn(arn))
    return refuse_member("durableExecutionArn",
                         "Member must satisfy regular expression pattern: "
                         "arn:([a-zA-Z0-9-]+):lambda:([a-zA-Z0-9-]+):(\\d{12}):function:"
                         "([a-zA-Z0-9_-]+):(\\$LATEST(?:\\.PUBLISHED)?|[0-9]+)"
                         "/durable-execution/([a-zA-Z0-9_-]+)/([a-zA-Z0-9_-]+)");
  const auto id = Arns::parse_durable(arn);
  auto found = id ? find_by_id(service, *id) : std::nullopt;
  if (!found || tail_of(durable_arn(service.arns, *found->revision, found->row)) != tail_of(arn)) return no_execution();
  return *std::move(found);
}

std::vector<FoundDurable> find_durables_of(const Service& service, const std::string& function, std::string_view name) {
  const MachinePointer machine = service.catalog.find_machine(std::string(kFunctionPrefix) + function);
  if (machine == nullptr) return {};
  std::vector<FoundDurable> all = find_in_family(service, machine->family, name);
  const auto id = parse_generated_name(name);
  auto generated = id ? find_by_id(service, *id) : std::nullopt;
  const bool is_its = generated && generated->row.name.empty() && name_of_function(*generated->revision) == function;
  if (is_its) all.push_back(*std::move(generated));
  return all;
}

std::string_view durable_status(store::ExecutionStatus status) {
  return status == store::ExecutionStatus::kAborted ? "STOPPED" : status_name(status);
}

void set_durable_row(const Service& service, const FoundDurable& found, ObjectBuilder& out) {
  const std::string version = version_text(found.row.version);
  out.set("DurableExecutionArn", Value::string(durable_arn(service.arns, *found.revision, found.row)));
  out.set("DurableExecutionName", Value::string(name_of(found.row)));
  out.set("FunctionArn", Value::string(service.arns.of_function(name_of_function(*found.revision), version)));
  out.set("Status", Value::string(durable_status(found.row.status)));
  out.set("StartTimestamp", functions::to_time(found.row.started, TimeForm::kSeconds));
  if (found.row.closed != kNever) out.set("EndTimestamp", functions::to_time(found.row.closed, TimeForm::kSeconds));
}

// --- queries

Outcome<bool> read_flag(const LambdaRequest& request, std::string_view name, bool otherwise) {
  const std::string given = request.text(name);
  if (given.empty()) return otherwise;
  if (given == "true") return true;
  if (given == "false") return false;
  return refuse_member(name, "Member must be a boolean");
}

Outcome<size_t> read_page_size(const LambdaRequest& request) {
  const std::string given = request.text("MaxItems");
  if (given.empty()) return kPageSize;
  size_t number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  const bool is_number = error == std::errc{} && end == given.data() + given.size();
  if (!is_number || number > kPageMax)
    return refuse_member("maxItems", "Member must have value less than or equal to " + std::to_string(kPageMax));
  return number == 0 ? kPageSize : number;
}

Outcome<std::string> read_marker(const Service& service, std::string_view list, const LambdaRequest& request) {
  const std::string given = request.text("Marker");
  if (given.empty()) return std::string();
  auto position = service.signer.verify("page:" + std::string(list), given);
  if (!position) return refuse_parameter("Invalid Marker");
  return *std::move(position);
}

Outcome<Value> read_error_object(const LambdaRequest& request) {
  if (request.http.body.size() > kErrorBytesMax)
    return refuse("RequestTooLargeException",
                  "Error object size must be less than or equal to " + std::to_string(kErrorBytesMax) + " bytes.");
  PAWL_TRY(const Value error, request.object());
  if (const auto wrong = functions::find_wrong_member(error)) return refuse_member(wrong->member, wrong->constraint);
  return error;
}

namespace {

// --- get

void set_data(ObjectBuilder& answer, const engine::Description& description, Duration limit) {
  const bool is_as_sent = description.input_text.is_string();
  answer.set("InputPayload", is_as_sent ? description.input_text : Value::string(json::print(description.input)));
  if (description.status == kernel::Status::kRunning) return;
  if (description.status == kernel::Status::kTimedOut)
    answer.set("Error", functions::execution_timeout_error(limit));
  else if (description.status != kernel::Status::kSucceeded)
    answer.set("Error", functions::error_object(description.outcome));
  else if (!description.outcome.is_null())
    answer.set("Result", description.outcome);
}

Value described(const Service& service, const FoundDurable& found, const engine::Description& description,
                bool with_data) {
  ObjectBuilder answer(12);
  set_durable_row(service, {description.row, found.revision}, answer);
  answer.set("Version", Value::string(version_text(description.row.version)));
  const FunctionConfiguration configuration = configuration_of(*found.revision);
  if (with_data) set_data(answer, description, std::chrono::seconds(configuration.execution_timeout_seconds()));
  answer.set("ExecutionDataIncluded", Value::boolean(with_data));
  if (const Value* durable = configuration.members.find("DurableConfig")) answer.set("DurableConfig", *durable);
  return answer.build();
}

void get_execution(Service& service, const LambdaRequest& request, net::Respond respond) {
  auto found = find_durable(service, request.subject);
  if (!found) return respond(lambda_refusal(found.error()));
  const auto with_data = read_flag(request, "IncludeExecutionData", true);
  if (!with_data) return respond(lambda_refusal(with_data.error()));
  const ExecutionId id = found->row.id;
  service.engine.describe(id, [&service, found = *std::move(found), with_data = *with_data,
                               respond = std::move(respond)](Result<engine::Description> description) mutable {
    if (!description) return respond(lambda_refusal(to_lambda_refusal(description.error())));
    respond(lambda_answer(described(service, found, *description, with_data)));
  });
}

// --- stop

void stop_execution(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto found = find_durable(service, request.subject);
  if (!found) return respond(lambda_refusal(found.error()));
  const auto error = read_error_object(request);
  if (!error) return respond(lambda_refusal(error.error()));
  service.engine.stop(found->row.id, functions::to_outcome(*error),
                      [respond = std::move(respond)](Result<Timestamp> stopped) mutable {
                        if (!stopped) return respond(lambda_refusal(to_lambda_refusal(stopped.error())));
                        ObjectBuilder answer(1);
                        answer.set("StopTimestamp", functions::to_time(*stopped, TimeForm::kSeconds));
                        respond(lambda_answer(answer.build()));
                      });
}

constexpr LambdaRoute kRoutes[] = {
    {"GetDurableExecution", "GET", "/2025-12-01/durable-executions/{}", get_execution},
    {"StopDurableExecution", "POST", "/2025-12-01/durable-executions/{}/stop", stop_execution},
};

}  // namespace

std::span<const LambdaRoute> durable_read_routes() { return kRoutes; }

}  // namespace pawl::server
