// Operations on published versions of state machines.
#include <charconv>

#include "server/service.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr Field kPublishFields[] = {{"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                    {"revisionId", FieldKind::kText, false, 0, 256},
                                    {"description", FieldKind::kText, false, 0, 256}};
constexpr Field kListFields[] = {
    {"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax}, kMaxResults, kNextToken};
constexpr Field kDeleteFields[] = {{"stateMachineVersionArn", FieldKind::kText, true, 1, 2000}};

Value to_answer(const Service& service, const Machine& machine, const PublishedVersion& version) {
  ObjectBuilder answer(2);
  answer.set("creationDate", to_seconds(version.made));
  answer.set("stateMachineVersionArn", Value::string(service.arns.of_version(machine.name, version.number)));
  return answer.build();
}

std::string revision_of(const Machine& machine) {
  return machine.current == machine.family ? "INITIAL" : revision_name(machine.current);
}

// Publishing a revision that is published already gives the version that it has.
Outcome<Value> publish(Service& service, const Request& request) {
  PAWL_TRY(const FoundMachine found, find_whole_machine(service, request.text("stateMachineArn")));
  Machine machine = *found.machine;
  const std::string asked = request.text("revisionId");
  if (!asked.empty() && asked != revision_of(machine))
    return refuse("ConflictException", "Failed to publish the State Machine version for revision " + asked +
                                           ". The current State Machine revision is " + revision_of(machine) + ".");
  for (const PublishedVersion& version : machine.versions)
    if (version.revision == machine.current) return to_answer(service, machine, version);
  machine.versions.push_back(
      {++machine.versions_made, machine.current, service.clock.now(), request.text("description")});
  if (const auto durable = commit_change(service, {machine, std::nullopt}); !durable)
    return std::unexpected(durable.error());
  return to_answer(service, machine, machine.versions.back());
}

void publish_version(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return publish(service, request); }, std::move(reply));
}

// Newest first.
void list_versions(Service& service, const Request& request, Reply reply) {
  const auto found = find_machine(service, request.text("stateMachineArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const Machine& machine = *found->machine;
  const std::string list = "versions:" + machine.name;
  const auto position = page_position(service, list, request);
  if (!position) return reply(std::unexpected(position.error()));
  uint64_t before = machine.versions_made + 1;
  if (!position->empty()) std::from_chars(position->data(), position->data() + position->size(), before);
  json::ArrayBuilder items;
  uint64_t last = before;
  bool has_more = false;
  for (auto version = machine.versions.rbegin(); version != machine.versions.rend(); ++version) {
    if (version->number >= before) continue;
    has_more = items.size() == page_size(request);
    if (has_more) break;
    items.push(to_answer(service, machine, *version));
    last = version->number;
  }
  ObjectBuilder answer(2);
  answer.set("stateMachineVersions", items.build());
  if (has_more) answer.set("nextToken", Value::string(page_token(service, list, std::to_string(last))));
  reply(answer.build());
}

Outcome<Value> remove(Service& service, const Request& request) {
  PAWL_TRY(const MachineArn arn, service.arns.parse_machine(request.text("stateMachineVersionArn")));
  if (!arn.version)
    return refuse_about("InvalidArn", "Invalid Arn",
                        "Resource not recognized: " + request.text("stateMachineVersionArn"));
  const MachinePointer existing = service.catalog.find_machine(arn.name);
  if (existing == nullptr || existing->find_version(*arn.version) == nullptr) return Value::empty_object();
  for (const Alias& alias : existing->aliases)
    for (const AliasRoute& route : alias.routes)
      if (route.version == *arn.version)
        return refuse("ConflictException",
                      "Version to be deleted must not be referenced by an alias. Current list of aliases "
                      "referencing this version: [" +
                          alias.name + "]");
  Machine machine = *existing;
  std::erase_if(machine.versions, [&](const PublishedVersion& version) { return version.number == *arn.version; });
  if (const auto durable = commit_change(service, {std::move(machine), std::nullopt}); !durable)
    return std::unexpected(durable.error());
  return Value::empty_object();
}

void delete_version(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return remove(service, request); }, std::move(reply));
}

constexpr Operation kOperations[] = {
    {"PublishStateMachineVersion", kPublishFields, publish_version},
    {"ListStateMachineVersions", kListFields, list_versions},
    {"DeleteStateMachineVersion", kDeleteFields, delete_version},
};

}  // namespace

std::span<const Operation> version_operations() { return kOperations; }

}  // namespace pawl::server
