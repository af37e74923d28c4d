// CreateFunction and its relatives: the configuration of functions. Their code is whatever the workers run.
#include <algorithm>
#include <charconv>

#include "json/print.h"
#include "server/functions.h"
#include "server/lambda.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr uint64_t kPageMax = 50;  // AWS's
constexpr int64_t kDefaultTimeout = 3;
constexpr int64_t kDefaultMemory = 128;
constexpr int64_t kMemoryMax = 32'768;

// What a configuration keeps of a request.
constexpr std::string_view kKept[] = {"Role",       "Runtime",     "Handler",     "Description",   "Timeout",
                                      "MemorySize", "Environment", "PackageType", "Architectures", "DurableConfig"};

// --- reading

Outcome<void> check_number(const Value& members, std::string_view name, int64_t least, int64_t most) {
  const Value* found = members.find(name);
  if (found == nullptr || found->is_null()) return {};
  const auto number = found->is_number() ? found->as_integer() : std::nullopt;
  if (!number || *number < least)
    return refuse_member(name, "Member must have value greater than or equal to " + std::to_string(least));
  if (*number > most)
    return refuse_member(name, "Member must have value less than or equal to " + std::to_string(most));
  return {};
}

Outcome<void> check_durable(const Value& members) {
  const Value* durable = members.find("DurableConfig");
  if (durable == nullptr || durable->is_null()) return {};
  if (!durable->is_object()) return refuse_member("durableConfig", "Member must be a structure");
  if (auto checked = check_number(*durable, "ExecutionTimeout", 1, kExecutionSecondsMax); !checked) return checked;
  if (auto checked = check_number(*durable, kOperationsMember, 1, kOperationsMax); !checked) return checked;
  return check_number(*durable, "RetentionPeriodInDays", 1, kRetentionDaysMax);
}

Outcome<void> check_members(const Value& members) {
  if (auto checked = check_number(members, "Timeout", 1, kFunctionSecondsMax); !checked) return checked;
  if (auto checked = check_number(members, "MemorySize", kDefaultMemory, kMemoryMax); !checked) return checked;
  return check_durable(members);
}

// `before` with what the request says.
Value merged(Value before, const Value& request) {
  for (const std::string_view name : kKept) {
    const Value* given = request.find(name);
    if (given != nullptr && !given->is_null()) before = before.with_member(name, *given);
  }
  return before;
}

// One that is created is kept for as long as AWS keeps it.
Value with_retention(Value members) {
  const Value* durable = members.find("DurableConfig");
  if (durable == nullptr || durable->find("RetentionPeriodInDays") != nullptr) return members;
  const Value kept = durable->with_member("RetentionPeriodInDays", Value::integer(kRetentionDays));
  return members.with_member("DurableConfig", kept);
}

Value defaults() {
  ObjectBuilder members(2);
  members.set("Timeout", Value::integer(kDefaultTimeout));
  members.set("MemorySize", Value::integer(kDefaultMemory));
  return members.build();
}

// --- telling

Value described(const Service& service, const FoundFunction& function, bool is_qualified) {
  const Revision& revision = *function.revision;
  ObjectBuilder out(20);
  out.set("FunctionName", Value::string(function.name));
  out.set("FunctionArn", Value::string(service.arns.of_function(function.name, is_qualified ? function.version : "")));
  for (const json::Member& member : function.configuration.members.members())
    out.set(member.key.as_string(), member.value);
  out.set("CodeSize", Value::integer(0));
  out.set("LastModified", Value::string(text::format_timestamp(revision.made)));
  out.set("Version", Value::string(function.version));
  out.set("RevisionId", Value::string(revision_name(revision.id)));
  out.set("State", Value::string("Active"));
  out.set("LastUpdateStatus", Value::string("Successful"));
  return out.build();
}

FoundFunction latest(const Service& service, const MachinePointer& machine) {
  FoundFunction found;
  found.machine = machine;
  found.revision = service.catalog.find_revision(machine->current);
  found.name = name_of_function(*found.revision);
  found.version = kLatest;
  found.configuration = configuration_of(*found.revision);
  return found;
}

FoundFunction published(const Service& service, const MachinePointer& machine, const PublishedVersion& version) {
  FoundFunction found = latest(service, machine);
  found.version = std::to_string(version.number);
  found.revision = service.catalog.find_revision(version.revision);
  found.configuration = configuration_of(*found.revision);
  return found;
}

// --- changing: on the back office's thread

using Work = Outcome<Value> (*)(Service& service, const std::string& subject, const std::string& qualifier, Value body);

template <Work work, int status>
void change(Service& service, const LambdaRequest& request, net::Respond respond) {
  auto body = request.object();
  if (!body) return respond(lambda_refusal(body.error()));
  auto reply = [respond = std::move(respond)](Outcome<Value> outcome) mutable {
    if (!outcome) return respond(lambda_refusal(outcome.error()));
    if (outcome->is_null()) return respond({.status = 204, .headers = {}, .body = {}});
    respond(lambda_answer(*outcome, status));
  };
  answer_from_back_office(
      service,
      [&service, subject = request.subject, qualifier = request.text("Qualifier"), body = *std::move(body)] {
        return work(service, subject, qualifier, body);
      },
      std::move(reply));
}

Outcome<FoundFunction> commit(Service& service, const std::string& name, Change change) {
  if (const auto made = commit_change(service, std::move(change)); !made) return std::unexpected(made.error());
  return find_function(service, name, "");
}

Outcome<Value> publish(Service& service, const FoundFunction& function, const std::string& description) {
  Change change{*function.machine, std::nullopt};
  auto& versions = change.machine.versions;
  const bool is_same = !versions.empty() && versions.back().revision == function.machine->current;
  if (!is_same) {
    versions.push_back({++change.machine.versions_made, function.machine->current, service.clock.now(), description});
    if (const auto made = commit_change(service, change); !made) return std::unexpected(made.error());
  }
  return described(service, published(service, std::make_shared<const Machine>(change.machine), versions.back()), true);
}

bool wants_version(const Value& body) {
  const Value* found = body.find("Publish");
  return found != nullptr && found->is_boolean() && found->as_boolean();
}

Outcome<Value> create_function(Service& service, const std::string&, const std::string&, Value body) {
  const Value* given = body.find("FunctionName");
  if (given == nullptr || !given->is_string()) return refuse_member("functionName", "Member must not be null");
  const auto name = Arns::parse_function(given->as_string());
  if (!name || !name->qualifier.empty()) return refuse_member("functionName", "Member must be a name of a function");
  if (auto checked = check_members(body); !checked) return std::unexpected(checked.error());
  if (find_function(service, name->name, ""))
    return refuse("ResourceConflictException", "Function already exist: " + name->name);
  PAWL_TRY(const FoundFunction made,
           commit(service, name->name, change_of(service, name->name, with_retention(merged(defaults(), body)))));
  return wants_version(body) ? publish(service, made, "") : described(service, made, false);
}

Outcome<Value> update_configuration(Service& service, const std::string& subject, const std::string&, Value body) {
  PAWL_TRY(const FoundFunction function, find_function(service, subject, ""));
  if (auto checked = check_members(body); !checked) return std::unexpected(checked.error());
  const Value* durable = body.find("DurableConfig");
  if (durable != nullptr && !durable->is_null() && !function.configuration.is_durable())
    return refuse_parameter("A function is made durable when it is created: DurableConfig cannot be added later.");
  PAWL_TRY(
      const FoundFunction made,
      commit(service, function.name, change_of(service, function.name, merged(function.configuration.members, body))));
  return described(service, made, false);
}

// The code is the workers': another revision says that it is another one.
Outcome<Value> update_code(Service& service, const std::string& subject, const std::string&, Value body) {
  PAWL_TRY(const FoundFunction function, find_function(service, subject, ""));
  PAWL_TRY(const FoundFunction made,
           commit(service, function.name, change_of(service, function.name, function.configuration.members)));
  return wants_version(body) ? publish(service, made, "") : described(service, made, false);
}

Outcome<Value> publish_version(Service& service, const std::string& subject, const std::string&, Value body) {
  PAWL_TRY(const FoundFunction function, find_function(service, subject, ""));
  const Value* description = body.find("Description");
  return publish(service, function,
                 description != nullptr && description->is_string() ? std::string(description->as_string()) : "");
}

Outcome<Value> delete_function(Service& service, const std::string& subject, const std::string& qualifier, Value) {
  PAWL_TRY(const FoundFunction function, find_function(service, subject, qualifier));
  Change change{*function.machine, std::nullopt};
  if (function.version == kLatest)
    change.machine.deleted = true;
  else
    std::erase_if(change.machine.versions,
                  [&](const PublishedVersion& v) { return std::to_string(v.number) == function.version; });
  if (const auto made = commit_change(service, std::move(change)); !made) return std::unexpected(made.error());
  return Value();
}

// --- reading

Outcome<Value> configuration_answer(const Service& service, const LambdaRequest& request) {
  const std::string qualifier = request.text("Qualifier");
  PAWL_TRY(const FoundFunction function, find_function(service, request.subject, qualifier));
  const auto named = Arns::parse_function(request.subject);
  return described(service, function, !qualifier.empty() || (named && !named->qualifier.empty()));
}

void get_configuration(Service& service, const LambdaRequest& request, net::Respond respond) {
  lambda_reply(std::move(respond))(configuration_answer(service, request));
}

void get_function(Service& service, const LambdaRequest& request, net::Respond respond) {
  auto configuration = configuration_answer(service, request);
  if (!configuration) return respond(lambda_refusal(configuration.error()));
  ObjectBuilder code(1);
  code.set("RepositoryType", Value::string("Pawl"));
  ObjectBuilder answer(3);
  answer.set("Configuration", *configuration);
  answer.set("Code", code.build());
  answer.set("Tags", Value::empty_object());
  respond(lambda_answer(answer.build()));
}

std::optional<uint64_t> to_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

Outcome<size_t> page_of(const LambdaRequest& request) {
  const std::string text = request.text("MaxItems");
  const auto number = text.empty() ? kPageMax : to_number(text).value_or(0);
  if (number == 0) return refuse_member("maxItems", "Member must have value greater than or equal to 1");
  return std::min(number, kPageMax);
}

void list_functions(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto limit = page_of(request);
  if (!limit) return respond(lambda_refusal(limit.error()));
  const auto machines =
      service.catalog.list_functions(std::string(kFunctionPrefix) + request.text("Marker"), *limit + 1);
  json::ArrayBuilder items;
  for (const MachinePointer& machine : machines)
    if (items.size() < *limit) items.push(described(service, latest(service, machine), false));
  ObjectBuilder answer(2);
  answer.set("Functions", items.build());
  if (machines.size() > *limit)
    answer.set("NextMarker", Value::string(machines[*limit - 1]->name.substr(kFunctionPrefix.size())));
  respond(lambda_answer(answer.build()));
}

// $LATEST comes first. A marker is the number that a page ended with, 0 for $LATEST.
Outcome<Value> versions_answer(const Service& service, const LambdaRequest& request) {
  PAWL_TRY(const FoundFunction function, find_function(service, request.subject, ""));
  PAWL_TRY(const size_t limit, page_of(request));
  const std::string marker = request.text("Marker");
  const auto after = marker.empty() ? std::optional<uint64_t>(0) : to_number(marker);
  if (!after) return refuse_parameter("Invalid Marker");
  const auto& versions = function.machine->versions;
  auto at = std::ranges::upper_bound(versions, *after, {}, &PublishedVersion::number);
  uint64_t last = 0;
  json::ArrayBuilder items;
  if (marker.empty()) items.push(described(service, latest(service, function.machine), true));
  for (; at != versions.end() && items.size() < limit; last = (at++)->number)
    items.push(described(service, published(service, function.machine, *at), true));
  ObjectBuilder answer(2);
  answer.set("Versions", items.build());
  if (at != versions.end()) answer.set("NextMarker", Value::string(std::to_string(last)));
  return answer.build();
}

void list_versions(Service& service, const LambdaRequest& request, net::Respond respond) {
  lambda_reply(std::move(respond))(versions_answer(service, request));
}

constexpr LambdaRoute kRoutes[] = {
    {"CreateFunction", "POST", "/2015-03-31/functions", change<create_function, 201>},
    {"ListFunctions", "GET", "/2015-03-31/functions", list_functions},
    {"GetFunction", "GET", "/2015-03-31/functions/{}", get_function},
    {"DeleteFunction", "DELETE", "/2015-03-31/functions/{}", change<delete_function, 204>},
    {"GetFunctionConfiguration", "GET", "/2015-03-31/functions/{}/configuration", get_configuration},
    {"UpdateFunctionConfiguration", "PUT", "/2015-03-31/functions/{}/configuration", change<update_configuration, 200>},
    {"UpdateFunctionCode", "PUT", "/2015-03-31/functions/{}/code", change<update_code, 200>},
    {"PublishVersion", "POST", "/2015-03-31/functions/{}/versions", change<publish_version, 201>},
    {"ListVersionsByFunction", "GET", "/2015-03-31/functions/{}/versions", list_versions},
};

}  // namespace

std::span<const LambdaRoute> function_routes() { return kRoutes; }

}  // namespace pawl::server
