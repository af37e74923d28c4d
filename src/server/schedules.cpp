#include "server/schedules.h"

#include <algorithm>

#include "api/scheduled_events.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr const char* kKind = "schedule";
constexpr Duration kPauseAfterRefusal{1'000};
constexpr Duration kLookEvery = std::chrono::minutes(1);  // a clock that is set forward is noticed by then

store::Document to_document(const Schedule& schedule) {
  ObjectBuilder body(5);
  body.set("definition", Value::string(schedule.definition));
  body.set("cron", Value::string(schedule.cron));
  body.set("timezone", Value::string(schedule.timezone));
  if (schedule.next != kNever) body.set("next", Value::integer(schedule.next.time_since_epoch().count()));
  body.set("paused", Value::boolean(schedule.paused));
  return {kKind, schedule.definition, json::print(body.build())};
}

Result<Schedule> to_schedule(const store::Document& document) {
  const auto body = json::parse(document.body);
  const bool is_one = body && json::text_at(*body, "definition") == document.key;
  if (!is_one)
    return fail("CATALOG_DAMAGED", "The schedule '" + document.key + "' in the data directory cannot be read.",
                "Restore the data directory from a backup.");
  Schedule schedule{document.key, std::string(json::text_at(*body, "cron")),
                    std::string(json::text_at(*body, "timezone")), kNever, false};
  if (const Value* next = body->find("next")) schedule.next = Timestamp(Duration(next->as_integer().value_or(0)));
  if (const Value* paused = body->find("paused")) schedule.paused = *paused == Value::boolean(true);
  return schedule;
}

bool is_kept(const Result<engine::Started>& started) {
  return started || started.error().code == "EXECUTION_ALREADY_EXISTS";
}

}  // namespace

// Without colons, which no name of an execution may have.
std::string scheduled_name(std::string_view definition, Timestamp fired) {
  std::string time = text::format_timestamp(fired);
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  time = time.substr(0, time.find('.')) + "Z";
  return std::string(definition) + "-" + time;
}

Result<void> Schedules::load(const store::Store& store) {
  for (const store::Document& document : store.documents(kKind)) {
    PAWL_TRY(Schedule schedule, to_schedule(document));
    const std::lock_guard lock(mutex_);
    entries_[document.key].schedule = std::move(schedule);
  }
  return {};
}

void Schedules::serve(engine::Engine& engine, bool has_thread) {
  for (const StarterPointer& starter : rules_.list())
    if (auto documents = follow(starter->name); !documents.empty())
      engine.put_documents(std::move(documents), [](Result<void>) {});
  {
    const std::lock_guard lock(mutex_);
    engine_ = &engine;
  }
  fire_due();
  if (has_thread) thread_ = std::thread([this] { work(); });
}

void Schedules::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

// --- what the definitions say

std::vector<store::Document> Schedules::follow(const std::string& definition) {
  const StarterPointer starter = rules_.find(definition);
  const bool has_cron = starter != nullptr && starter->window.has_cron();
  const std::lock_guard lock(mutex_);
  const auto known = entries_.find(definition);
  if (!has_cron) {
    if (known == entries_.end()) return {};
    entries_.erase(known);
    return {{kKind, definition, ""}};
  }
  const bool is_same = known != entries_.end() && known->second.schedule.cron == starter->rule.cron &&
                       known->second.schedule.timezone == starter->rule.timezone;
  if (is_same) {
    changed_.notify_all();
    return {};
  }
  const bool was_paused = known != entries_.end() && known->second.schedule.paused;
  Entry& entry = entries_[definition];
  entry.schedule = {definition, starter->rule.cron, starter->rule.timezone,
                    starter->window.next_fire(clock_.now()).value_or(kNever), was_paused};
  changed_.notify_all();
  return {to_document(entry.schedule)};
}

std::optional<std::vector<store::Document>> Schedules::set_paused(const std::string& definition, bool paused) {
  const std::lock_guard lock(mutex_);
  const auto known = entries_.find(definition);
  if (known == entries_.end()) return std::nullopt;
  known->second.schedule.paused = paused;
  changed_.notify_all();
  return std::vector{to_document(known->second.schedule)};
}

std::vector<Schedule> Schedules::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<Schedule> listed;
  for (const auto& [definition, entry] : entries_) listed.push_back(entry.schedule);
  return listed;
}

std::optional<Schedule> Schedules::find(std::string_view definition) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(definition);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.schedule);
}

// --- firing

Timestamp Schedules::next_fire() const {
  const std::lock_guard lock(mutex_);
  return next_fire_locked();
}

// When an entry is to fire; kNever where it is not.
Timestamp Schedules::due_of(const Entry& entry) const {
  if (engine_ == nullptr || entry.is_firing || entry.schedule.paused) return kNever;
  const StarterPointer starter = rules_.find(entry.schedule.definition);
  const bool may_fire = starter != nullptr && starter->enabled;
  return may_fire ? std::max(entry.schedule.next, entry.not_before) : kNever;
}

Timestamp Schedules::next_fire_locked() const {
  Timestamp next = kNever;
  for (const auto& [definition, entry] : entries_) next = std::min(next, due_of(entry));
  return next;
}

void Schedules::work() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    const Timestamp now = clock_.now();
    const Timestamp next = next_fire_locked();
    if (next > now) {
      changed_.wait_for(lock, std::min<Duration>(kLookEvery, next - now));
      continue;
    }
    lock.unlock();
    fire_due();
    lock.lock();
  }
}

void Schedules::fire_due() {
  std::vector<std::pair<std::string, Timestamp>> due;
  {
    const std::lock_guard lock(mutex_);
    const Timestamp now = clock_.now();
    for (auto& [definition, entry] : entries_) {
      if (due_of(entry) > now || closing_) continue;
      entry.is_firing = true;
      due.emplace_back(definition, entry.schedule.next);
    }
  }
  for (const auto& [definition, time] : due) fire(definition, time);
}

void Schedules::fire(const std::string& definition, Timestamp due) {
  const StarterPointer starter = rules_.find(definition);
  if (starter == nullptr) return take_answer(definition, due, fail("DEFINITION_MISSING", "It is gone.", ""));
  engine::StartRequest request;
  request.definition = starter->definition;
  request.name = scheduled_name(definition, due);
  request.input = Value::empty_object();
  request.events = api::scheduled_events(starter->rule, definition, request.name, due);
  request.make_context = [&programs = programs_, starter, name = request.name](ExecutionId id, Timestamp started) {
    return programs.make_context(starter->definition, id, name, Value::empty_object(), started);
  };
  engine_->start(std::move(request), [this, definition, due](const Result<engine::Started>& started) {
    take_answer(definition, due, started);
  });
}

// On a shard's thread. What was missed between the time that was due and now is passed over.
void Schedules::take_answer(const std::string& definition, Timestamp fired, const Result<engine::Started>& started) {
  const StarterPointer starter = rules_.find(definition);
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  const auto found = entries_.find(definition);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  entry.is_firing = false;
  if (!is_kept(started) || starter == nullptr) {
    entry.not_before = clock_.now() + kPauseAfterRefusal;
    return;
  }
  if (entry.schedule.next != fired) return;  // it was deployed anew meanwhile
  entry.schedule.next = starter->window.next_fire(std::max(fired, clock_.now())).value_or(kNever);
  engine_->put_documents({to_document(entry.schedule)}, [](Result<void>) {});
}

}  // namespace pawl::server
