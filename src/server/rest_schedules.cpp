// Schedules in Pawl's own REST: list, show, the next times, pause, resume.
#include "server/rest.h"
#include "server/schedules.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr uint64_t kTimesMax = 1000;
constexpr uint64_t kTimesShown = 5;

Refusal no_such_schedule(const std::string& name) {
  return {"SCHEDULE_NOT_FOUND", "The definition '" + name + "' is started by no schedule.", 404};
}

void set_interval(ObjectBuilder& out, const Starter& starter, Timestamp now) {
  const text::Window& window = *starter.window.window();
  out.set("interval", Value::string(starter.rule.interval));
  out.set("opens", to_time(window.start));
  out.set("closes", to_time(window.end));
  out.set("open", Value::boolean(window.contains(now)));
}

// Null where the definition has no schedule.
Value shown(const Service& service, const Starter& starter) {
  ObjectBuilder out;
  out.set("definition", Value::string(starter.name));
  out.set("enabled", Value::boolean(starter.enabled));
  out.set("directInvoke", Value::boolean(starter.rule.allows_direct));
  if (starter.window.window()) set_interval(out, starter, service.clock.now());
  const auto schedule = service.schedules.find(starter.name);
  if (!starter.window.window() && !schedule) return {};
  if (!schedule) return out.build();
  out.set("cron", Value::string(schedule->cron));
  if (!schedule->timezone.empty()) out.set("timezone", Value::string(schedule->timezone));
  if (schedule->next != kNever) out.set("next", to_time(schedule->next));
  out.set("paused", Value::boolean(schedule->paused));
  return out.build();
}

void list_schedules(Service& service, const RestRequest&, net::Respond respond) {
  json::ArrayBuilder items;
  for (const StarterPointer& starter : service.rules.list())
    if (Value item = shown(service, *starter); item.is_object()) items.push(std::move(item));
  ObjectBuilder answer(1);
  answer.set("schedules", items.build());
  respond(rest_answer(answer.build()));
}

Outcome<Value> show(const Service& service, const std::string& name) {
  const StarterPointer starter = service.rules.find(name);
  const Value found = starter == nullptr ? Value() : shown(service, *starter);
  if (!found.is_object()) return std::unexpected(no_such_schedule(name));
  return found;
}

void show_schedule(Service& service, const RestRequest& request, net::Respond respond) {
  respond(rest_outcome(show(service, request.subject)));
}

// The first is the one that is stored; those after it follow from the expression.
Outcome<Value> next_times(const Service& service, const RestRequest& request) {
  PAWL_TRY(const uint64_t count, request.number("count", kTimesShown));
  if (count == 0 || count > kTimesMax)
    return refuse_request("'count' is not from 1 to " + std::to_string(kTimesMax) + ".");
  const StarterPointer starter = service.rules.find(request.subject);
  const auto schedule = service.schedules.find(request.subject);
  if (starter == nullptr || !schedule) return std::unexpected(no_such_schedule(request.subject));
  json::ArrayBuilder times;
  Timestamp time = schedule->next;
  while (time != kNever && times.size() < count) {
    times.push(to_time(time));
    time = starter->window.next_fire(time).value_or(kNever);
  }
  ObjectBuilder answer(2);
  answer.set("definition", Value::string(request.subject));
  answer.set("next", times.build());
  return answer.build();
}

void show_next(Service& service, const RestRequest& request, net::Respond respond) {
  respond(rest_outcome(next_times(service, request)));
}

Outcome<Value> change_paused(Service& service, const std::string& name, bool paused) {
  auto documents = service.schedules.set_paused(name, paused);
  if (!documents) return std::unexpected(no_such_schedule(name));
  if (const auto durable = put_documents(service, *std::move(documents)); !durable)
    return std::unexpected(durable.error());
  service.schedules.fire_due();
  return show(service, name);
}

void set_paused(Service& service, const RestRequest& request, bool paused, net::Respond respond) {
  answer_from_back_office(
      service, [&service, name = request.subject, paused] { return change_paused(service, name, paused); },
      rest_reply(std::move(respond)));
}

void pause_schedule(Service& service, const RestRequest& request, net::Respond respond) {
  set_paused(service, request, true, std::move(respond));
}

void resume_schedule(Service& service, const RestRequest& request, net::Respond respond) {
  set_paused(service, request, false, std::move(respond));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/schedules", "", Role::kRead, list_schedules},
    {"GET", "/api/schedules/{name}", "", Role::kRead, show_schedule},
    {"GET", "/api/schedules/{name}/next", "count", Role::kRead, show_next},
    {"POST", "/api/schedules/{name}/pause", "", Role::kOperate, pause_schedule},
    {"POST", "/api/schedules/{name}/resume", "", Role::kOperate, resume_schedule},
};

}  // namespace

std::span<const Route> rest_schedule_routes() { return kRoutes; }

}  // namespace pawl::server
