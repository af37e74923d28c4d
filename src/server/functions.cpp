#include "server/functions.h"

#include <charconv>

#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/durable/plain_call.h"

namespace pawl::server {

namespace {

std::unexpected<Refusal> no_function(std::string_view name) {
  return refuse("ResourceNotFoundException", "Function not found: " + std::string(name));
}

// How one call is made, for whoever makes it.
Value call_settings(const FunctionConfiguration& configuration) {
  json::ObjectBuilder settings(1);
  settings.set("timeout", Value::integer(configuration.timeout_seconds()));
  return settings.build();
}

}  // namespace

uint32_t FunctionConfiguration::timeout_seconds() const {
  return static_cast<uint32_t>(json::integer_at(members, "Timeout", kFunctionSecondsMax));
}

uint32_t FunctionConfiguration::execution_timeout_seconds() const {
  const Value* durable = members.find("DurableConfig");
  return durable == nullptr ? 0 : static_cast<uint32_t>(json::integer_at(*durable, "ExecutionTimeout"));
}

std::optional<Duration> FunctionConfiguration::retention() const {
  const Value* durable = members.find("DurableConfig");
  const int64_t days = durable == nullptr ? 0 : json::integer_at(*durable, "RetentionPeriodInDays");
  return days == 0 ? std::nullopt : std::optional<Duration>(std::chrono::hours(24) * days);
}

uint32_t FunctionConfiguration::operations_max() const {
  const Value* durable = members.find("DurableConfig");
  return durable == nullptr ? 0 : static_cast<uint32_t>(json::integer_at(*durable, kOperationsMember));
}

Value function_members(const FunctionSettings& settings) {
  const auto seconds = [](Duration time) {
    return Value::integer(std::chrono::ceil<std::chrono::seconds>(time).count());
  };
  json::ObjectBuilder members(2);
  members.set("Timeout", seconds(settings.timeout));
  if (!settings.is_durable) return members.build();
  json::ObjectBuilder durable(3);
  if (settings.execution_timeout.count() != 0) durable.set("ExecutionTimeout", seconds(settings.execution_timeout));
  if (settings.retention_days != 0) durable.set("RetentionPeriodInDays", Value::integer(settings.retention_days));
  if (settings.operations_max != 0) durable.set(kOperationsMember, Value::integer(settings.operations_max));
  members.set("DurableConfig", durable.build());
  return members.build();
}

bool is_function(const Revision& revision) { return revision.language == kFunctionLanguage; }

std::string name_of_function(const Revision& revision) { return revision.machine.substr(kFunctionPrefix.size()); }

FunctionConfiguration configuration_of(const Revision& revision) {
  auto members = json::parse(revision.definition);
  return {members && members->is_object() ? *std::move(members) : Value::empty_object()};
}

std::shared_ptr<const Compiled> compile_function(const Revision& revision) {
  const FunctionConfiguration configuration = configuration_of(revision);
  functions::Function function;
  function.name = name_of_function(revision);
  function.execution_timeout = std::chrono::seconds(configuration.execution_timeout_seconds());
  function.bounds.operations_max = configuration.operations_max();
  function.call_settings = call_settings(configuration);
  std::shared_ptr<const kernel::Program> program;
  if (configuration.is_durable())
    program = std::make_shared<functions::Program>(function);
  else
    program = std::make_shared<functions::PlainCall>(function);
  return std::make_shared<const Compiled>(std::nullopt, function.name, std::move(program), nullptr,
                                          configuration.retention());
}

const PublishedVersion* find_published(const Machine& machine, const std::string& version) {
  uint64_t number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return std::to_string(number) == version ? machine.find_version(number) : nullptr;
}

Outcome<FoundFunction> find_function(const Service& service, std::string_view name, const std::string& qualifier) {
  auto parsed = Arns::parse_function(name);
  if (!parsed) return refuse("ValidationException", "'" + std::string(name) + "' is no name and no ARN of a function.");
  if (!qualifier.empty() && !parsed->qualifier.empty() && qualifier != parsed->qualifier)
    return refuse("InvalidParameterValueException",
                  "The derived qualifier from the function name does not match the specified qualifier.");
  const std::string version = qualifier.empty() ? parsed->qualifier : qualifier;
  FoundFunction found{parsed->name, version.empty() ? std::string(kLatest) : version, nullptr, nullptr, {}};
  found.machine = service.catalog.find_machine(std::string(kFunctionPrefix) + parsed->name);
  const std::string whole = service.arns.of_function(parsed->name, version);
  if (found.machine == nullptr) return no_function(whole);
  DefinitionId revision = found.machine->current;
  if (found.version != kLatest) {
    const PublishedVersion* published = find_published(*found.machine, found.version);
    if (published == nullptr) return no_function(whole);
    revision = published->revision;
  }
  found.revision = service.catalog.find_revision(revision);
  found.configuration = configuration_of(*found.revision);
  return found;
}

engine::StartRequest durable_start(const Service& service, const FoundFunction& function, const std::string& name,
                                   std::string text, Value input, const std::string& tenant) {
  engine::StartRequest start;
  start.definition = function.revision->id;
  start.name = name;
  start.input = std::move(input);
  start.input_text = std::move(text);
  if (function.version != kLatest)
    std::from_chars(function.version.data(), function.version.data() + function.version.size(), start.version);
  start.make_context = [&arns = service.arns, function_name = function.name, version = function.version, name, tenant](
                           ExecutionId id, Timestamp) {
    const std::string execution = name.empty() ? generated_name(id) : name;
    json::ObjectBuilder context(2);
    context.set("arn", Value::string(arns.of_durable(function_name, version, execution, id)));
    if (!tenant.empty()) context.set("tenant", Value::string(tenant));
    return context.build();
  };
  return start;
}

std::string timeout_message(const FunctionConfiguration& configuration) {
  return "Execution timed out after " + std::to_string(configuration.execution_timeout_seconds()) + " seconds.";
}

Change change_of(const Service& service, const std::string& name, Value members) {
  const std::string machine_name = std::string(kFunctionPrefix) + name;
  const MachinePointer known = service.catalog.find_machine(machine_name);
  Change change;
  change.revision.emplace();
  Revision& revision = *change.revision;
  revision.id = service.catalog.next_id();
  revision.family = known == nullptr ? revision.id : known->family;
  revision.machine = machine_name;
  revision.definition = json::print(members);
  revision.made = service.clock.now();
  revision.language = kFunctionLanguage;
  if (known != nullptr) change.machine = *known;
  if (known == nullptr) {
    change.machine.name = machine_name;
    change.machine.family = revision.id;
    change.machine.made = revision.made;
  }
  change.machine.current = revision.id;
  return change;
}

std::string version_text(uint32_t version) { return version == 0 ? std::string(kLatest) : std::to_string(version); }

std::string durable_arn(const Arns& arns, const Revision& revision, const store::ExecutionRow& row) {
  return arns.of_durable(name_of_function(revision), version_text(row.version), name_of(row), row.id);
}

}  // namespace pawl::server
