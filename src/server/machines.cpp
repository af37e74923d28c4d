// Operations on state machines: create, describe, list, update, delete, validate. Every definition is one to them,
// whatever its language.
#include <array>

#include "json/parse.h"
#include "lang/asl/lint.h"
#include "server/service.h"
#include "server/tags.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr int64_t kDefinitionCharactersMax = 1'048'576;
constexpr size_t kFilesBytesMax = 4 * 1'048'576;  // that one definition refers to
constexpr std::array kSettings = {"loggingConfiguration", "tracingConfiguration", "encryptionConfiguration"};

constexpr Field kMachineArn{"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax};
constexpr Field kIncludedData{"includedData", FieldKind::kText, false, 0, 100, "ALL_DATA, METADATA_ONLY"};
constexpr Field kLogging{"loggingConfiguration", FieldKind::kObject};
constexpr Field kTracing{"tracingConfiguration", FieldKind::kObject};
constexpr Field kEncryption{"encryptionConfiguration", FieldKind::kObject};
constexpr Field kFiles{"files", FieldKind::kObject};  // Pawl's own: what the definition refers to, {path: text}
constexpr Field kOptions{"options", FieldKind::kList, false, 0, 100};  // Pawl's own: of the language, ["KEY=VALUE"]
constexpr Field kPublish{"publish", FieldKind::kFlag};
constexpr Field kVersionDescription{"versionDescription", FieldKind::kText, false, 0, 256};

constexpr Field kCreateFields[] = {{"name", FieldKind::kText, true, 1, 80},
                                   {"definition", FieldKind::kText, true, 1, kDefinitionCharactersMax},
                                   {"roleArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                   {"type", FieldKind::kText, false, 0, 100, "STANDARD, EXPRESS"},
                                   {"tags", FieldKind::kList},
                                   kLogging,
                                   kTracing,
                                   kEncryption,
                                   kFiles,
                                   kOptions,
                                   kPublish,
                                   kVersionDescription};
constexpr Field kUpdateFields[] = {kMachineArn,
                                   {"definition", FieldKind::kText, false, 1, kDefinitionCharactersMax},
                                   {"roleArn", FieldKind::kText, false, 1, kArnCharactersMax},
                                   kLogging,
                                   kTracing,
                                   kEncryption,
                                   kFiles,
                                   kOptions,
                                   kPublish,
                                   kVersionDescription};
constexpr Field kDescribeFields[] = {kMachineArn, kIncludedData};
constexpr Field kDescribeForFields[] = {{"executionArn", FieldKind::kText, true, 1, kArnCharactersMax}, kIncludedData};
constexpr Field kDeleteFields[] = {kMachineArn};
constexpr Field kListFields[] = {kMaxResults, kNextToken};
constexpr Field kValidateFields[] = {{"definition", FieldKind::kText, true, 1, kDefinitionCharactersMax},
                                     {"type", FieldKind::kText, false, 0, 100, "STANDARD, EXPRESS"},
                                     {"severity", FieldKind::kText, false, 0, 100, "ERROR, WARNING"},
                                     {"maxResults", FieldKind::kInteger, false, 0, 100}};

// Notes the language of a definition that can be run. One that names itself is deployed under that name: others find it
// by it.
Outcome<void> check_definition(Revision& revision) {
  const auto invalid = [](std::string_view why) {
    return refuse_about("InvalidDefinition", "Invalid State Machine Definition", why);
  };
  const auto compiled = compile_definition(revision);
  if (!compiled) return invalid(compiled.error());
  const std::string& name = (*compiled)->name;
  if (!name.empty() && name != revision.machine) return invalid("Its id is '" + name + "': deploy it under that name.");
  revision.language = api::name_of(*(*compiled)->language);
  return {};
}

Outcome<api::Files> read_files(const Request& request) {
  api::Files files;
  const Value* given = request.find("files");
  if (given == nullptr) return files;
  size_t bytes = 0;
  for (const json::Member& member : given->members()) {
    if (!member.value.is_string()) return refuse("ValidationException", "'files' maps paths to texts.");
    bytes += member.value.as_string().size();
    files.emplace(member.key.as_string(), member.value.as_string());
  }
  if (bytes <= kFilesBytesMax) return files;
  return refuse("ValidationException",
                "The files of a definition have more than " + std::to_string(kFilesBytesMax) + " bytes.");
}

Outcome<std::vector<std::string>> read_options(const Request& request) {
  std::vector<std::string> options;
  const Value* given = request.find("options");
  if (given == nullptr) return options;
  for (const Value& option : given->items()) {
    if (!option.is_string()) return refuse("ValidationException", "'options' is a list of texts, KEY=VALUE.");
    options.emplace_back(option.as_string());
  }
  return options;
}

// The settings of a request, over those there were.
Value merge_settings(const Request& request, Value settings) {
  if (!settings.is_object()) settings = Value::empty_object();
  for (const char* name : kSettings)
    if (const Value* given = request.find(name)) settings = settings.with_member(name, *given);
  return settings;
}

// --- create

void publish_current(Machine& machine, const Request& request, Timestamp now) {
  machine.versions.push_back({++machine.versions_made, machine.current, now, request.text("versionDescription")});
}

Value created_answer(const Service& service, const Machine& machine, bool published) {
  ObjectBuilder answer;
  answer.set("stateMachineArn", Value::string(service.arns.of_machine(machine.name)));
  answer.set("creationDate", to_seconds(machine.made));
  if (published)
    answer.set("stateMachineVersionArn",
               Value::string(service.arns.of_version(machine.name, machine.versions.back().number)));
  return answer.build();
}

// The same request again is answered as the first one was.
Outcome<Value> create_again(const Service& service, const Machine& machine, const Request& request) {
  const RevisionPointer current = service.catalog.find_revision(machine.current);
  const bool publish = request.flag("publish", false);
  const bool express = request.text("type") == "EXPRESS";
  const bool is_same_text = current->definition == request.text("definition") &&
                            current->files == read_files(request) && current->options == read_options(request);
  const bool is_same = is_same_text && express == current->express &&
                       current->settings == merge_settings(request, {}) && publish == !machine.versions.empty();
  if (is_same) return created_answer(service, machine, publish);
  return refuse_about("StateMachineAlreadyExists", "State Machine Already Exists",
                      service.arns.of_machine(machine.name));
}

Outcome<Value> create(Service& service, const Request& request) {
  const std::string name = request.text("name");
  if (const auto named = check_name(name); !named) return std::unexpected(named.error());
  if (request.flag("publish", false) == false && request.has("versionDescription"))
    return refuse("ValidationException", "Version description can only be set when publish is true");
  if (const auto role = check_role(request.text("roleArn")); !role) return std::unexpected(role.error());
  Revision revision;
  revision.machine = name;
  revision.definition = request.text("definition");
  revision.role = request.text("roleArn");
  revision.settings = merge_settings(request, {});
  revision.express = request.text("type") == "EXPRESS";
  PAWL_TRY(revision.files, read_files(request));
  PAWL_TRY(revision.options, read_options(request));
  if (const auto checked = check_definition(revision); !checked) return std::unexpected(checked.error());
  const Value* given_tags = request.find("tags");
  PAWL_TRY(const Value tags,
           add_tags(Value::empty_object(), given_tags == nullptr ? Value::empty_array() : *given_tags));
  if (const MachinePointer existing = service.catalog.find_machine(name))
    return create_again(service, *existing, request);
  const DefinitionId id = service.catalog.next_id();
  const Timestamp now = service.clock.now();
  Machine machine;
  machine.name = name;
  machine.family = machine.current = id;
  machine.made = now;
  machine.tags = tags;
  const bool publish = request.flag("publish", false);
  if (publish) publish_current(machine, request, now);
  revision.id = revision.family = id;
  revision.made = now;
  if (const auto durable = commit_change(service, {machine, std::move(revision)}); !durable)
    return std::unexpected(durable.error());
  return created_answer(service, machine, publish);
}

void create_machine(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return create(service, request); }, std::move(reply));
}

// --- describe

Value default_logging() {
  ObjectBuilder logging(2);
  logging.set("level", Value::string("OFF"));
  logging.set("includeExecutionData", Value::boolean(false));
  return logging.build();
}

Value default_tracing() {
  ObjectBuilder tracing(1);
  tracing.set("enabled", Value::boolean(false));
  return tracing.build();
}

Value default_encryption() {
  ObjectBuilder encryption(1);
  encryption.set("type", Value::string("AWS_OWNED_KEY"));
  return encryption.build();
}

Value type_of(const Revision& revision) { return Value::string(revision.express ? "EXPRESS" : "STANDARD"); }

void set_revision(ObjectBuilder& answer, const Revision& revision) {
  const auto setting = [&](const char* name, Value otherwise) {
    const Value* given = revision.settings.find(name);
    answer.set(name, given != nullptr ? *given : std::move(otherwise));
  };
  answer.set("definition", Value::string(revision.definition));
  answer.set("roleArn", Value::string(revision.role));
  setting("loggingConfiguration", default_logging());
  setting("tracingConfiguration", default_tracing());
  setting("encryptionConfiguration", default_encryption());
  // The first revision of a machine has no name.
  if (revision.id != revision.family) answer.set("revisionId", Value::string(revision_name(revision.id)));
}

void describe_machine(Service& service, const Request& request, Reply reply) {
  const auto found = find_machine(service, request.text("stateMachineArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const PublishedVersion* version = found->version;
  const std::string& name = found->machine->name;
  ObjectBuilder answer;
  answer.set("stateMachineArn", Value::string(version == nullptr ? service.arns.of_machine(name)
                                                                 : service.arns.of_version(name, version->number)));
  answer.set("name", Value::string(name));
  answer.set("status", Value::string("ACTIVE"));
  answer.set("type", type_of(*found->revision));
  answer.set("creationDate", to_seconds(version == nullptr ? found->machine->made : version->made));
  set_revision(answer, *found->revision);
  if (version != nullptr && !version->description.empty())
    answer.set("description", Value::string(version->description));
  reply(answer.build());
}

void describe_for_execution(Service& service, const Request& request, Reply reply) {
  const auto found = find_execution(service, request.text("executionArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const Revision& revision = *found->revision;
  ObjectBuilder answer;
  answer.set("stateMachineArn", Value::string(service.arns.of_machine(revision.machine)));
  answer.set("name", Value::string(revision.machine));
  answer.set("updateDate", to_seconds(revision.made));
  set_revision(answer, revision);
  reply(answer.build());
}

// --- list

Value listed(const Service& service, const Machine& machine) {
  ObjectBuilder item(4);
  item.set("stateMachineArn", Value::string(service.arns.of_machine(machine.name)));
  item.set("name", Value::string(machine.name));
  item.set("type", type_of(*service.catalog.find_revision(machine.current)));
  item.set("creationDate", to_seconds(machine.made));
  return item.build();
}

void list_machines(Service& service, const Request& request, Reply reply) {
  const auto after = page_position(service, "machines", request);
  if (!after) return reply(std::unexpected(after.error()));
  const size_t limit = page_size(request);
  const auto machines = service.catalog.list_machines(*after, limit + 1);
  json::ArrayBuilder items;
  for (const MachinePointer& machine : machines)
    if (items.size() < limit) items.push(listed(service, *machine));
  ObjectBuilder answer(2);
  answer.set("stateMachines", items.build());
  if (machines.size() > limit)
    answer.set("nextToken", Value::string(page_token(service, "machines", machines[limit - 1]->name)));
  reply(answer.build());
}

// --- update and delete

Outcome<Value> update(Service& service, const Request& request) {
  PAWL_TRY(const FoundMachine found, find_whole_machine(service, request.text("stateMachineArn")));
  const bool has_change = request.has("definition") || request.has("roleArn") || request.has("loggingConfiguration") ||
                          request.has("tracingConfiguration") || request.has("encryptionConfiguration");
  const bool publish = request.flag("publish", false);
  if (!has_change && !publish)
    return refuse("MissingRequiredParameter",
                  "Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be "
                  "specified");
  if (request.has("roleArn"))
    if (const auto checked = check_role(request.text("roleArn")); !checked) return std::unexpected(checked.error());
  Revision revision = *found.revision;
  revision.id = service.catalog.next_id();
  revision.made = service.clock.now();
  if (request.has("definition")) {
    revision.definition = request.text("definition");
    PAWL_TRY(revision.files, read_files(request));
    PAWL_TRY(revision.options, read_options(request));
    if (const auto checked = check_definition(revision); !checked) return std::unexpected(checked.error());
  }
  if (request.has("roleArn")) revision.role = request.text("roleArn");
  revision.settings = merge_settings(request, revision.settings);
  Machine machine = *found.machine;
  machine.current = revision.id;
  if (publish) publish_current(machine, request, revision.made);
  ObjectBuilder answer;
  answer.set("updateDate", to_seconds(revision.made));
  answer.set("revisionId", Value::string(revision_name(revision.id)));
  if (publish)
    answer.set("stateMachineVersionArn", Value::string(service.arns.of_version(machine.name, machine.versions_made)));
  if (const auto durable = commit_change(service, {std::move(machine), std::move(revision)}); !durable)
    return std::unexpected(durable.error());
  return answer.build();
}

void update_machine(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return update(service, request); }, std::move(reply));
}

// Running executions go on: their revisions stay.
Outcome<Value> remove(Service& service, const Request& request) {
  const auto found = find_whole_machine(service, request.text("stateMachineArn"));
  if (!found && found.error().type == "StateMachineDoesNotExist") return Value::empty_object();  // twice is no error
  if (!found) return std::unexpected(found.error());
  Machine machine = *found->machine;
  machine.deleted = true;
  if (const auto durable = commit_change(service, {std::move(machine), std::nullopt}); !durable)
    return std::unexpected(durable.error());
  return Value::empty_object();
}

void delete_machine(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return remove(service, request); }, std::move(reply));
}

// --- validate

bool is_asl(const std::string& text) {
  const auto root = json::parse(text);
  return !root || api::language_of(*root, "").value_or(api::Language::kAsl) == api::Language::kAsl;
}

Value to_aws(const Diagnostic& diagnostic) {
  ObjectBuilder item(4);
  item.set("severity", Value::string(diagnostic.severity == Severity::kError ? "ERROR" : "WARNING"));
  item.set("code", Value::string(diagnostic.code));
  item.set("message", Value::string(diagnostic.cause));
  item.set("location", Value::string(diagnostic.pointer));
  return item.build();
}

// In the shape of AWS's answer, in the words of the language's own lint.
Value validation_of(const std::string& text, size_t limit) {
  const Diagnostics found = api::lint_definition({.text = text, .file = "", .assignments = {}, .read = {}});
  json::ArrayBuilder items;
  for (const Diagnostic& diagnostic : found)
    if (items.size() < limit) items.push(to_aws(diagnostic));
  ObjectBuilder answer(3);
  answer.set("result", Value::string(has_errors(found) ? "FAIL" : "OK"));
  answer.set("diagnostics", items.build());
  answer.set("truncated", Value::boolean(found.size() > limit));
  return answer.build();
}

void validate_definition(Service& service, const Request& request, Reply reply) {
  const auto validate = [request]() -> Outcome<Value> {
    asl::Options options;
    options.express = request.text("type") == "EXPRESS";
    const int64_t asked = request.integer("maxResults", 0);
    const size_t limit = asked == 0 ? asl::kAwsDiagnosticsMax : static_cast<size_t>(asked);
    const std::string text = request.text("definition");
    return is_asl(text) ? asl::aws_validation(text, options, limit) : validation_of(text, limit);
  };
  answer_from_back_office(service, validate, std::move(reply));
}

constexpr Operation kOperations[] = {
    {"CreateStateMachine", kCreateFields, create_machine},
    {"DescribeStateMachine", kDescribeFields, describe_machine},
    {"DescribeStateMachineForExecution", kDescribeForFields, describe_for_execution},
    {"ListStateMachines", kListFields, list_machines},
    {"UpdateStateMachine", kUpdateFields, update_machine},
    {"DeleteStateMachine", kDeleteFields, delete_machine},
    {"ValidateStateMachineDefinition", kValidateFields, validate_definition},
};

}  // namespace

std::span<const Operation> machine_operations() { return kOperations; }

}  // namespace pawl::server
