// Operations on aliases: names that lead starts to one version of a state machine, or by weight to two.
#include <algorithm>
#include <charconv>

#include "server/service.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr size_t kRoutesMax = 2;
constexpr int64_t kWeightSum = 100;

constexpr Field kAliasArn{"stateMachineAliasArn", FieldKind::kText, true, 1, kArnCharactersMax};
constexpr Field kDescription{"description", FieldKind::kText, false, 0, 256};
constexpr Field kCreateFields[] = {{"name", FieldKind::kText, true, 1, 80},
                                   kDescription,
                                   {"routingConfiguration", FieldKind::kList, true, 1, kRoutesMax}};
constexpr Field kUpdateFields[] = {
    kAliasArn, kDescription, {"routingConfiguration", FieldKind::kList, false, 1, kRoutesMax}};
constexpr Field kOneArnFields[] = {kAliasArn};
constexpr Field kListFields[] = {
    {"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax}, kMaxResults, kNextToken};
constexpr Field kRouteFields[] = {{"stateMachineVersionArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                  {"weight", FieldKind::kInteger, true, 0, kWeightSum}};

struct Routing {
  MachinePointer machine;
  std::vector<AliasRoute> routes;
};

// All routes lead to versions of one machine, and their weights are the whole.
Outcome<Routing> read_routing(const Service& service, const Value& list) {
  Routing routing;
  int64_t sum = 0;
  for (const Value& item : list.items()) {
    PAWL_TRY(const Request route, Request::read(item, kRouteFields));
    PAWL_TRY(const FoundMachine found, find_machine(service, route.text("stateMachineVersionArn")));
    if (found.version == nullptr || found.alias != nullptr)
      return refuse("ValidationException", "Routing configuration must contain state machine version ARNs.");
    if (routing.machine != nullptr && routing.machine->family != found.machine->family)
      return refuse("ValidationException", "Routing configuration must contain versions of one state machine.");
    routing.machine = found.machine;
    routing.routes.push_back({found.version->number, static_cast<uint32_t>(route.integer("weight", 0))});
    sum += route.integer("weight", 0);
  }
  if (sum != kWeightSum) return refuse("ValidationException", "Sum of routing configuration weights must equal 100.");
  return routing;
}

Outcome<FoundMachine> find_alias(const Service& service, const Request& request) {
  const std::string arn = request.text("stateMachineAliasArn");
  auto found = find_machine(service, arn);
  if (found && found->alias == nullptr)
    return refuse_about("InvalidArn", "Invalid Arn", "Resource not recognized: " + arn);
  if (found || found.error().type != "StateMachineDoesNotExist") return found;
  return refuse_about("ResourceNotFound", "Request references a resource that does not exist", arn);
}

Outcome<Value> commit_aliases(Service& service, Machine machine, Value answer) {
  if (const auto durable = commit_change(service, {std::move(machine), std::nullopt}); !durable)
    return std::unexpected(durable.error());
  return answer;
}

Value created_answer(const Service& service, const Machine& machine, const Alias& alias) {
  ObjectBuilder answer(2);
  answer.set("stateMachineAliasArn", Value::string(service.arns.of_alias(machine.name, alias.name)));
  answer.set("creationDate", to_seconds(alias.made));
  return answer.build();
}

Outcome<Value> create(Service& service, const Request& request) {
  const std::string name = request.text("name");
  const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
  if (is_number || !check_name(name)) return refuse_about("InvalidName", "Invalid Name", name);
  PAWL_TRY(Routing routing, read_routing(service, *request.find("routingConfiguration")));
  Machine machine = *routing.machine;
  if (const Alias* existing = machine.find_alias(name)) {
    if (existing->routes == routing.routes && existing->description == request.text("description"))
      return created_answer(service, machine, *existing);
    return refuse("ConflictException",
                  "Failed to create alias because an alias with the same name and a different "
                  "routing configuration already exists.");
  }
  const Timestamp now = service.clock.now();
  machine.aliases.push_back({name, request.text("description"), now, now, std::move(routing.routes)});
  const Value answer = created_answer(service, machine, machine.aliases.back());
  return commit_aliases(service, std::move(machine), answer);
}

Outcome<Value> update(Service& service, const Request& request) {
  PAWL_TRY(const FoundMachine found, find_alias(service, request));
  Machine machine = *found.machine;
  Alias& alias = *std::ranges::find(machine.aliases, found.alias->name, &Alias::name);
  if (const Value* list = request.find("routingConfiguration")) {
    PAWL_TRY(Routing routing, read_routing(service, *list));
    if (routing.machine->family != machine.family)
      return refuse("ValidationException", "Routing configuration must contain versions of the alias's state machine.");
    alias.routes = std::move(routing.routes);
  }
  if (request.has("description")) alias.description = request.text("description");
  alias.changed = service.clock.now();
  ObjectBuilder answer(1);
  answer.set("updateDate", to_seconds(alias.changed));
  return commit_aliases(service, std::move(machine), answer.build());
}

Outcome<Value> remove(Service& service, const Request& request) {
  PAWL_TRY(const FoundMachine found, find_alias(service, request));
  Machine machine = *found.machine;
  std::erase_if(machine.aliases, [&](const Alias& alias) { return alias.name == found.alias->name; });
  return commit_aliases(service, std::move(machine), Value::empty_object());
}

void create_alias(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return create(service, request); }, std::move(reply));
}

void update_alias(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return update(service, request); }, std::move(reply));
}

void delete_alias(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return remove(service, request); }, std::move(reply));
}

void describe_alias(Service& service, const Request& request, Reply reply) {
  const auto found = find_alias(service, request);
  if (!found) return reply(std::unexpected(found.error()));
  const Alias& alias = *found->alias;
  json::ArrayBuilder routes;
  for (const AliasRoute& route : alias.routes) {
    ObjectBuilder item(2);
    item.set("stateMachineVersionArn", Value::string(service.arns.of_version(found->machine->name, route.version)));
    item.set("weight", Value::integer(route.weight));
    routes.push(item.build());
  }
  ObjectBuilder answer;
  answer.set("stateMachineAliasArn", Value::string(service.arns.of_alias(found->machine->name, alias.name)));
  answer.set("name", Value::string(alias.name));
  answer.set("description", Value::string(alias.description));
  answer.set("routingConfiguration", routes.build());
  answer.set("creationDate", to_seconds(alias.made));
  answer.set("updateDate", to_seconds(alias.changed));
  reply(answer.build());
}

// In the order of their making.
void list_aliases(Service& service, const Request& request, Reply reply) {
  const auto found = find_machine(service, request.text("stateMachineArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const Machine& machine = *found->machine;
  const std::string list = "aliases:" + machine.name;
  const auto position = page_position(service, list, request);
  if (!position) return reply(std::unexpected(position.error()));
  size_t first = 0;
  std::from_chars(position->data(), position->data() + position->size(), first);
  const size_t end = std::min(machine.aliases.size(), first + page_size(request));
  json::ArrayBuilder items;
  for (size_t i = first; i < end; ++i) items.push(created_answer(service, machine, machine.aliases[i]));
  ObjectBuilder answer(2);
  answer.set("stateMachineAliases", items.build());
  if (end < machine.aliases.size())
    answer.set("nextToken", Value::string(page_token(service, list, std::to_string(end))));
  reply(answer.build());
}

constexpr Operation kOperations[] = {
    {"CreateStateMachineAlias", kCreateFields, create_alias},
    {"DescribeStateMachineAlias", kOneArnFields, describe_alias},
    {"UpdateStateMachineAlias", kUpdateFields, update_alias},
    {"DeleteStateMachineAlias", kOneArnFields, delete_alias},
    {"ListStateMachineAliases", kListFields, list_aliases},
};

}  // namespace

std::span<const Operation> alias_operations() { return kOperations; }

}  // namespace pawl::server
