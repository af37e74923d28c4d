// Definitions in Pawl's own REST: list, show, deploy, undeploy, enable, disable.
#include "json/parse.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr const char* kRole = "arn:aws:iam::000000000000:role/pawl";  // where the request names none

Refusal no_such_definition(const std::string& name) {
  return {"StateMachineDoesNotExist", "There is no definition '" + name + "'."};
}

void set_machine(ObjectBuilder& out, const Machine& machine, const Revision& revision) {
  out.set("name", Value::string(machine.name));
  out.set("language", Value::string(revision.language));
  out.set("type", Value::string(revision.express ? "EXPRESS" : "STANDARD"));
  out.set("enabled", Value::boolean(!machine.disabled));
  out.set("created", to_time(machine.made));
  out.set("updated", to_time(revision.made));
}

Value summary_of(const Service& service, const Machine& machine) {
  ObjectBuilder out;
  set_machine(out, machine, *service.catalog.find_revision(machine.current));
  return out.build();
}

// --- show and list

Value versions_of(const Machine& machine) {
  json::ArrayBuilder versions;
  for (const PublishedVersion& version : machine.versions)
    versions.push(Value::integer(static_cast<int64_t>(version.number)));
  return versions.build();
}

Value aliases_of(const Machine& machine) {
  json::ArrayBuilder aliases;
  for (const Alias& alias : machine.aliases) aliases.push(Value::string(alias.name));
  return aliases.build();
}

Value whole(const Service& service, const Machine& machine) {
  const RevisionPointer revision = service.catalog.find_revision(machine.current);
  ObjectBuilder out;
  set_machine(out, machine, *revision);
  out.set("role", Value::string(revision->role));
  out.set("versions", versions_of(machine));
  out.set("aliases", aliases_of(machine));
  const auto definition = json::parse(revision->definition);
  out.set("definition", definition ? *definition : Value::string(revision->definition));
  return out.build();
}

void show_definition(Service& service, const RestRequest& request, net::Respond respond) {
  const MachinePointer machine = service.catalog.find_machine(request.subject);
  if (machine == nullptr) return respond(rest_refusal(no_such_definition(request.subject)));
  respond(rest_answer(whole(service, *machine)));
}

void list_definitions(Service& service, const RestRequest& request, net::Respond respond) {
  const auto limit = request.limit();
  if (!limit) return respond(rest_refusal(limit.error()));
  const auto machines = service.catalog.list_machines(request.text("next"), *limit + 1);
  json::ArrayBuilder items;
  for (const MachinePointer& machine : machines)
    if (items.size() < *limit) items.push(summary_of(service, *machine));
  ObjectBuilder answer(2);
  answer.set("definitions", items.build());
  if (machines.size() > *limit) answer.set("next", Value::string(machines[*limit - 1]->name));
  respond(rest_answer(answer.build()));
}

// --- deploy and undeploy, by the operations of the protocol

void answer_with(const Service& service, const std::string& name, int status, net::Respond respond) {
  const MachinePointer machine = service.catalog.find_machine(name);
  if (machine == nullptr) return respond(rest_refusal(no_such_definition(name)));
  respond(rest_answer(whole(service, *machine), status));
}

void update_definition(Service& service, const RestRequest& request, net::Respond respond) {
  ObjectBuilder update(3);
  update.set("stateMachineArn", Value::string(service.arns.of_machine(request.subject)));
  update.set("definition", Value::string(request.body));
  if (const std::string role = request.text("role"); !role.empty()) update.set("roleArn", Value::string(role));
  run_operation(service, "UpdateStateMachine", update.build(),
                [&service, name = request.subject, respond = std::move(respond)](Outcome<Value> updated) mutable {
                  if (!updated) return respond(rest_refusal(updated.error()));
                  answer_with(service, name, 200, std::move(respond));
                });
}

void create_definition(Service& service, const RestRequest& request, net::Respond respond) {
  const std::string role = request.text("role");
  ObjectBuilder create(4);
  create.set("name", Value::string(request.subject));
  create.set("definition", Value::string(request.body));
  create.set("roleArn", Value::string(role.empty() ? kRole : role));
  create.set("type", Value::string(request.text("type") == "EXPRESS" ? "EXPRESS" : "STANDARD"));
  run_operation(service, "CreateStateMachine", create.build(),
                [&service, request, respond = std::move(respond)](Outcome<Value> created) mutable {
                  if (created) return answer_with(service, request.subject, 201, std::move(respond));
                  // Somebody else was faster.
                  if (created.error().type == "StateMachineAlreadyExists")
                    return update_definition(service, request, std::move(respond));
                  respond(rest_refusal(created.error()));
                });
}

Outcome<void> check_deploy(const Service& service, const RestRequest& request) {
  const std::string type = request.text("type");
  if (!type.empty() && type != "STANDARD" && type != "EXPRESS")
    return refuse_request("'type' is neither STANDARD nor EXPRESS.");
  const auto is_json = json::parse(request.body);
  if (!is_json)
    return refuse("InvalidDefinition",
                  "The body is no JSON: " + is_json.error().what + " (" + is_json.error().where + ")");
  const MachinePointer machine = service.catalog.find_machine(request.subject);
  if (machine == nullptr || type.empty()) return {};
  if (service.catalog.find_revision(machine->current)->express == (type == "EXPRESS")) return {};
  return refuse_request("The type of a definition stays as it is: undeploy it first.");
}

void deploy_definition(Service& service, const RestRequest& request, net::Respond respond) {
  if (const auto may = check_deploy(service, request); !may) return respond(rest_refusal(may.error()));
  const bool exists = service.catalog.find_machine(request.subject) != nullptr;
  return exists ? update_definition(service, request, std::move(respond))
                : create_definition(service, request, std::move(respond));
}

void undeploy_definition(Service& service, const RestRequest& request, net::Respond respond) {
  const MachinePointer machine = service.catalog.find_machine(request.subject);
  if (machine == nullptr) return respond(rest_refusal(no_such_definition(request.subject)));
  ObjectBuilder remove(1);
  remove.set("stateMachineArn", Value::string(service.arns.of_machine(request.subject)));
  run_operation(
      service, "DeleteStateMachine", remove.build(),
      [was = summary_of(service, *machine), respond = std::move(respond)](Outcome<Value> removed) mutable {
        respond(removed ? rest_answer(was.with_member("enabled", Value::boolean(false))) : rest_outcome(removed));
      });
}

// --- enable and disable

Outcome<Value> change_disabled(Service& service, const std::string& name, bool disabled) {
  const MachinePointer found = service.catalog.find_machine(name);
  if (found == nullptr) return std::unexpected(no_such_definition(name));
  if (found->disabled == disabled) return summary_of(service, *found);
  Machine machine = *found;
  machine.disabled = disabled;
  const Value answer = summary_of(service, machine);
  if (const auto durable = commit_change(service, {std::move(machine), std::nullopt}); !durable)
    return std::unexpected(durable.error());
  return answer;
}

void set_disabled(Service& service, const RestRequest& request, bool disabled, net::Respond respond) {
  answer_from_back_office(
      service, [&service, name = request.subject, disabled] { return change_disabled(service, name, disabled); },
      rest_reply(std::move(respond)));
}

void disable_definition(Service& service, const RestRequest& request, net::Respond respond) {
  set_disabled(service, request, true, std::move(respond));
}

void enable_definition(Service& service, const RestRequest& request, net::Respond respond) {
  set_disabled(service, request, false, std::move(respond));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/definitions", "limit next", Role::kRead, list_definitions},
    {"GET", "/api/definitions/{name}", "", Role::kRead, show_definition},
    {"PUT", "/api/definitions/{name}", "type role", Role::kAdmin, deploy_definition},
    {"DELETE", "/api/definitions/{name}", "", Role::kAdmin, undeploy_definition},
    {"POST", "/api/definitions/{name}/disable", "", Role::kOperate, disable_definition},
    {"POST", "/api/definitions/{name}/enable", "", Role::kOperate, enable_definition},
};

}  // namespace

std::span<const Route> rest_definition_routes() { return kRoutes; }

}  // namespace pawl::server
