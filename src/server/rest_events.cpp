// POST /events: CloudEvents come in, one or a batch. Answered when all are durable.
#include <atomic>
#include <memory>
#include <mutex>

#include "base/random.h"
#include "net/cloud_event.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

// A random UUID of version 4. Any thread.
std::string make_event_id() {
  static std::mutex mutex;  // guards the one below
  static SeededRandom random(entropy_seed());
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx";
  const std::lock_guard lock(mutex);
  std::string id;
  for (const char c : kForm) id.push_back(c == 'x' ? kDigits[random.next() % 16] : c);
  return id;
}

Refusal to_event_refusal(const Error& error) {
  Refusal refusal{error.code, to_string(error), 400};
  if (error.code == "EVENT_TOO_LARGE") refusal.status = 413;
  if (error.code == "EVENT_MEDIA_TYPE") refusal.status = 415;
  return refusal;
}

// The events of one request, as they become durable. Any thread.
class Arrivals {
 public:
  Arrivals(size_t count, net::Respond respond) : waiting_(count), results_(count), respond_(std::move(respond)) {}

  void note(size_t index, Value id, const Result<engine::Published>& published) {
    const std::lock_guard lock(mutex_);
    if (!published && !error_) error_ = published.error();
    json::ObjectBuilder result(2);
    result.set("id", std::move(id));
    result.set("duplicate", Value::boolean(published && published->is_duplicate));
    results_[index] = result.build();
    if (--waiting_ == 0) answer();
  }

 private:
  void answer() {
    if (error_) return respond_(rest_refusal(to_refusal(*error_)));
    json::ArrayBuilder events;
    for (const Value& result : results_) events.push(result);
    json::ObjectBuilder body(1);
    body.set("events", events.build());
    respond_(rest_answer(body.build(), 202));
  }

  std::mutex mutex_;  // guards everything below
  size_t waiting_;
  std::vector<Value> results_;
  std::optional<Error> error_;
  net::Respond respond_;
};

void take_events(Service& service, const RestRequest& request, net::Respond respond) {
  auto events = net::read_cloud_events(*request.headers, request.body, make_event_id);
  if (!events) return respond(rest_refusal(to_event_refusal(events.error())));
  if (events->empty())
    return respond(rest_answer(Value::empty_object().with_member("events", Value::empty_array()), 202));
  const auto arrivals = std::make_shared<Arrivals>(events->size(), std::move(respond));
  for (size_t i = 0; i < events->size(); ++i) {
    const Value id = *events->at(i).find("id");
    service.engine.publish(std::move(events->at(i)), [arrivals, i, id](const Result<engine::Published>& published) {
      arrivals->note(i, id, published);
    });
  }
}

constexpr Route kRoutes[] = {{"POST", "/events", "", Role::kOperate, take_events}};

}  // namespace

std::span<const Route> rest_event_routes() { return kRoutes; }

}  // namespace pawl::server
