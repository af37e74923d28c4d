#include "server/activity_register.h"

#include <mutex>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::server {

namespace {

using json::Value;

constexpr const char* kActivityKind = "activity";

std::optional<Activity> read_activity(const store::Document& document) {
  const auto body = json::parse(document.body);
  if (!body || !body->is_object()) return std::nullopt;
  const Value* made = body->find("made");
  const Value* tags = body->find("tags");
  const Value* encryption = body->find("encryption");
  const bool whole = made != nullptr && made->is_number() && tags != nullptr && tags->is_object();
  if (!whole || document.key.empty()) return std::nullopt;
  return Activity{document.key, Timestamp(Duration(made->as_integer().value_or(0))),
                  encryption == nullptr ? Value() : *encryption, *tags};
}

}  // namespace

Result<void> ActivityRegister::load(const store::Store& store) {
  for (const store::Document& document : store.documents(kActivityKind)) {
    auto activity = read_activity(document);
    if (!activity)
      return fail("CATALOG_DAMAGED", "The activity '" + document.key + "' in the data directory cannot be read.",
                  "Restore the data directory from a backup.");
    put(*std::move(activity));
  }
  return {};
}

bool ActivityRegister::exists(std::string_view resource) {
  const auto name = arns_.parse_activity(resource);
  return name && find(*name) != nullptr;
}

void ActivityRegister::offer(engine::ActivityOffer offer) {
  if (auto name = arns_.parse_activity(offer.resource)) offer.resource = *std::move(name);
  queues_.offer(std::move(offer));
}

ActivityPointer ActivityRegister::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = activities_.find(name);
  return found == activities_.end() ? nullptr : found->second;
}

std::vector<ActivityPointer> ActivityRegister::list(std::string_view after, size_t limit) const {
  const std::shared_lock lock(mutex_);
  std::vector<ActivityPointer> listed;
  for (auto at = activities_.upper_bound(after); at != activities_.end() && listed.size() < limit; ++at)
    listed.push_back(at->second);
  return listed;
}

size_t ActivityRegister::size() const {
  const std::shared_lock lock(mutex_);
  return activities_.size();
}

store::Document ActivityRegister::document_of(const Activity& activity) {
  json::ObjectBuilder body(3);
  body.set("made", Value::integer(activity.made.time_since_epoch().count()));
  body.set("encryption", activity.encryption);
  body.set("tags", activity.tags);
  return {kActivityKind, activity.name, json::print(body.build())};
}

store::Document ActivityRegister::removal_of(std::string_view name) { return {kActivityKind, std::string(name), ""}; }

void ActivityRegister::put(Activity activity) {
  const std::lock_guard lock(mutex_);
  std::string name = activity.name;
  activities_.insert_or_assign(std::move(name), std::make_shared<const Activity>(std::move(activity)));
}

void ActivityRegister::remove(std::string_view name) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = activities_.find(name); found != activities_.end()) activities_.erase(found);
  }
  queues_.end_polls(name);
}

}  // namespace pawl::server
