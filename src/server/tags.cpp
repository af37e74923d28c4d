#include "server/tags.h"

#include "server/service.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr Field kResourceArn{"resourceArn", FieldKind::kText, true, 1, kArnCharactersMax};
constexpr Field kTagFields[] = {kResourceArn, {"tags", FieldKind::kList, true}};
constexpr Field kUntagFields[] = {kResourceArn, {"tagKeys", FieldKind::kList, true}};
constexpr Field kListFields[] = {kResourceArn};

constexpr Field kKey{"key", FieldKind::kText, true, 1, 128};
constexpr Field kOneTagFields[] = {kKey, {"value", FieldKind::kText, false, 0, 256}};
constexpr Field kOneKeyFields[] = {kKey};

Outcome<Value> find_tags(const Service& service, std::string_view arn) {
  const auto missing = [&] { return refuse_about("ResourceNotFound", "Resource not found", arn); };
  if (const auto name = service.arns.parse_activity(arn)) {
    const ActivityPointer activity = service.activities.find(*name);
    if (activity == nullptr) return missing();
    return activity->tags;
  }
  const auto found = find_machine(service, arn);
  if (found) return found->machine->tags;
  if (found.error().type == "StateMachineDoesNotExist") return missing();
  return std::unexpected(found.error());
}

// Of something that has tags already.
Outcome<void> replace_tags(Service& service, std::string_view arn, Value tags) {
  if (const auto name = service.arns.parse_activity(arn)) {
    Activity activity = *service.activities.find(*name);
    activity.tags = std::move(tags);
    return commit_activity(service, std::move(activity));
  }
  PAWL_TRY(const FoundMachine found, find_machine(service, arn));
  Change change{*found.machine, std::nullopt};
  change.machine.tags = std::move(tags);
  return commit_change(service, std::move(change));
}

Outcome<Value> commit_tags(Service& service, std::string_view arn, Value tags) {
  if (const auto durable = replace_tags(service, arn, std::move(tags)); !durable)
    return std::unexpected(durable.error());
  return Value::empty_object();
}

Outcome<Value> tag(Service& service, const Request& request) {
  const std::string arn = request.text("resourceArn");
  PAWL_TRY(const Value present, find_tags(service, arn));
  PAWL_TRY(Value tags, add_tags(present, *request.find("tags")));
  return commit_tags(service, arn, std::move(tags));
}

Outcome<Value> untag(Service& service, const Request& request) {
  const std::string arn = request.text("resourceArn");
  PAWL_TRY(Value tags, find_tags(service, arn));
  for (const Value& key : request.find("tagKeys")->items()) {
    ObjectBuilder item(1);
    item.set("key", key);
    PAWL_TRY(const Request named, Request::read(item.build(), kOneKeyFields));
    if (tags.find(named.text("key")) != nullptr) tags = tags.without_member(named.text("key"));
  }
  return commit_tags(service, arn, std::move(tags));
}

void tag_resource(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return tag(service, request); }, std::move(reply));
}

void untag_resource(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return untag(service, request); }, std::move(reply));
}

void list_tags(Service& service, const Request& request, Reply reply) {
  const auto found = find_tags(service, request.text("resourceArn"));
  if (!found) return reply(std::unexpected(found.error()));
  json::ArrayBuilder tags;
  for (const json::Member& member : found->members()) {
    ObjectBuilder tag(2);
    tag.set("key", member.key);
    tag.set("value", member.value);
    tags.push(tag.build());
  }
  ObjectBuilder answer(1);
  answer.set("tags", tags.build());
  reply(answer.build());
}

constexpr Operation kOperations[] = {
    {"TagResource", kTagFields, tag_resource},
    {"UntagResource", kUntagFields, untag_resource},
    {"ListTagsForResource", kListFields, list_tags},
};

}  // namespace

Outcome<Value> add_tags(Value tags, const Value& list) {
  for (const Value& item : list.items()) {
    PAWL_TRY(const Request tag, Request::read(item, kOneTagFields));
    tags = tags.with_member(tag.text("key"), Value::string(tag.text("value")));
  }
  if (tags.size() > kTagsMax)
    return refuse("TooManyTags", "A resource has at most " + std::to_string(kTagsMax) + " tags");
  return tags;
}

std::span<const Operation> tag_operations() { return kOperations; }

}  // namespace pawl::server
