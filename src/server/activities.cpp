// Operations on activities, and the poll of a worker that asks for its next task.
#include <atomic>

#include "json/print.h"
#include "server/service.h"
#include "server/tags.h"

namespace pawl::server {

namespace {

using connect::ActivityQueues;
using json::ObjectBuilder;

constexpr std::chrono::seconds kPollTime{60};  // AWS's own: how long a worker waits for a task

constexpr Field kActivityArn{"activityArn", FieldKind::kText, true, 1, kArnCharactersMax};
constexpr Field kCreateFields[] = {{"name", FieldKind::kText, true, 1, 80},
                                   {"tags", FieldKind::kList},
                                   {"encryptionConfiguration", FieldKind::kObject}};
constexpr Field kOneFields[] = {kActivityArn};
constexpr Field kListFields[] = {kMaxResults, kNextToken};
constexpr Field kPollFields[] = {kActivityArn, {"workerName", FieldKind::kText, false, 1, 80}};

Outcome<ActivityPointer> find_activity(const Service& service, const Request& request) {
  const std::string arn = request.text("activityArn");
  PAWL_TRY(const std::string name, service.arns.parse_activity(arn));
  if (ActivityPointer found = service.activities.find(name)) return found;
  return refuse_about("ActivityDoesNotExist", "Activity Does Not Exist", arn);
}

// --- create and delete

Value created_answer(const Service& service, const Activity& activity) {
  ObjectBuilder answer(2);
  answer.set("activityArn", Value::string(service.arns.of_activity(activity.name)));
  answer.set("creationDate", to_seconds(activity.made));
  return answer.build();
}

// The same name again is the same activity; tags that differ are passed over, as AWS does.
Outcome<Value> create_again(const Service& service, const Activity& activity, const Request& request) {
  const Value* encryption = request.find("encryptionConfiguration");
  if (activity.encryption == (encryption == nullptr ? Value() : *encryption)) return created_answer(service, activity);
  return refuse_about("ActivityAlreadyExists", "Activity Already Exists", service.arns.of_activity(activity.name));
}

Outcome<Value> create(Service& service, const Request& request) {
  const std::string name = request.text("name");
  if (const auto named = check_name(name); !named) return std::unexpected(named.error());
  const Value* given_tags = request.find("tags");
  PAWL_TRY(const Value tags,
           add_tags(Value::empty_object(), given_tags == nullptr ? Value::empty_array() : *given_tags));
  if (const ActivityPointer existing = service.activities.find(name)) return create_again(service, *existing, request);
  if (service.activities.size() >= kActivitiesMax)
    return refuse("ActivityLimitExceeded", "There are " + std::to_string(kActivitiesMax) + " activities already");
  const Value* encryption = request.find("encryptionConfiguration");
  Activity activity{name, service.clock.now(), encryption == nullptr ? Value() : *encryption, tags};
  Value answer = created_answer(service, activity);
  if (const auto durable = commit_activity(service, std::move(activity)); !durable)
    return std::unexpected(durable.error());
  return answer;
}

void create_activity(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return create(service, request); }, std::move(reply));
}

// Deleting twice is no error.
Outcome<Value> remove(Service& service, const Request& request) {
  PAWL_TRY(const std::string name, service.arns.parse_activity(request.text("activityArn")));
  if (service.activities.find(name) == nullptr) return Value::empty_object();
  if (const auto durable = put_documents(service, {ActivityRegister::removal_of(name)}); !durable)
    return std::unexpected(durable.error());
  service.activities.remove(name);
  return Value::empty_object();
}

void delete_activity(Service& service, const Request& request, Reply reply) {
  answer_from_back_office(service, [&service, request] { return remove(service, request); }, std::move(reply));
}

// --- describe and list

Value own_key() {
  ObjectBuilder encryption(1);
  encryption.set("type", Value::string("AWS_OWNED_KEY"));
  return encryption.build();
}

Value listed(const Service& service, const Activity& activity) {
  ObjectBuilder item(4);
  item.set("activityArn", Value::string(service.arns.of_activity(activity.name)));
  item.set("name", Value::string(activity.name));
  item.set("creationDate", to_seconds(activity.made));
  return item.build();
}

void describe_activity(Service& service, const Request& request, Reply reply) {
  const auto found = find_activity(service, request);
  if (!found) return reply(std::unexpected(found.error()));
  const Activity& activity = **found;
  reply(listed(service, activity)
            .with_member("encryptionConfiguration", activity.encryption.is_null() ? own_key() : activity.encryption));
}

void list_activities(Service& service, const Request& request, Reply reply) {
  const auto after = page_position(service, "activities", request);
  if (!after) return reply(std::unexpected(after.error()));
  const size_t limit = page_size(request);
  const auto activities = service.activities.list(*after, limit + 1);
  json::ArrayBuilder items;
  for (const ActivityPointer& activity : activities)
    if (items.size() < limit) items.push(listed(service, *activity));
  ObjectBuilder answer(2);
  answer.set("activities", items.build());
  if (activities.size() > limit)
    answer.set("nextToken", Value::string(page_token(service, "activities", activities[limit - 1]->name)));
  reply(answer.build());
}

// --- the poll

// A worker that waits. One that went away is handed nothing; what it was handed before the server knew is its own.
struct Poll {
  connect::PollId id;
  std::string activity;
  std::string worker;
  ActivityQueues::Deadline deadline;
  std::shared_ptr<std::atomic<bool>> is_gone;
  Reply reply;
};

Value no_task() {
  ObjectBuilder answer(1);
  answer.set("taskToken", Value());
  return answer.build();
}

Value task_answer(const engine::ActivityTask& task) {
  ObjectBuilder answer(2);
  answer.set("taskToken", Value::string(task.token));
  answer.set("input", Value::string(json::print(task.input)));
  return answer.build();
}

void wait_for_task(Service& service, Poll poll);

// What the worker was handed may be gone by now, or its taking rolled back: then it waits on.
void take(Service& service, const engine::ActivityOffer& offer, Poll poll) {
  std::string worker = poll.worker;
  service.engine.take_activity(offer, std::move(worker),
                               [&service, poll = std::move(poll)](Result<engine::ActivityTask> task) mutable {
                                 if (task) return poll.reply(task_answer(*task));
                                 if (*poll.is_gone) return poll.reply(no_task());
                                 wait_for_task(service, std::move(poll));
                               });
}

void wait_for_task(Service& service, Poll poll) {
  const connect::PollId id = poll.id;
  const std::string activity = poll.activity;
  const ActivityQueues::Deadline deadline = poll.deadline;
  service.activities.queues().poll(id, activity, deadline, [&service, poll = std::move(poll)](auto handed) mutable {
    if (handed) return take(service, *handed, std::move(poll));
    if (handed.error() == connect::NoOffer::kTimeIsUp) return poll.reply(no_task());
    poll.reply(refuse("ActivityWorkerLimitExceeded",
                      "The maximum number of workers concurrently polling for activity tasks has been reached"));
  });
}

void get_activity_task(Service& service, const Request& request, Reply reply) {
  const auto found = find_activity(service, request);
  if (!found) return reply(std::unexpected(found.error()));
  if (const auto named = check_name(request.text("workerName")); !named) return reply(std::unexpected(named.error()));
  const connect::PollId id = service.activities.queues().new_poll();
  const auto is_gone = std::make_shared<std::atomic<bool>>(false);
  wait_for_task(service, {id, (*found)->name, request.text("workerName"), std::chrono::steady_clock::now() + kPollTime,
                          is_gone, std::move(reply)});
  if (request.client() == nullptr) return;
  request.client()->when_gone([&queues = service.activities.queues(), id, is_gone] {
    *is_gone = true;
    queues.leave(id);
  });
}

constexpr Operation kOperations[] = {
    {"CreateActivity", kCreateFields, create_activity},  {"DeleteActivity", kOneFields, delete_activity},
    {"DescribeActivity", kOneFields, describe_activity}, {"ListActivities", kListFields, list_activities},
    {"GetActivityTask", kPollFields, get_activity_task},
};

}  // namespace

Outcome<void> commit_activity(Service& service, Activity activity) {
  if (const auto durable = put_documents(service, {ActivityRegister::document_of(activity)}); !durable)
    return std::unexpected(durable.error());
  service.activities.put(std::move(activity));
  return {};
}

std::span<const Operation> activity_operations() { return kOperations; }

}  // namespace pawl::server
