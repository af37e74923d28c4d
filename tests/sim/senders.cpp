#include "sim/senders.h"

#include <algorithm>

#include "sim/violation.h"

namespace pawl::sim {

namespace {

constexpr uint64_t kPairs = 40;

Value event_of(const std::string& id, const std::string& type, const std::string& attribute, const std::string& value) {
  json::ObjectBuilder event;
  event.set("specversion", Value::string("1.0"));
  event.set("id", Value::string(id));
  event.set("source", Value::string("sim"));
  event.set("type", Value::string(type));
  event.set(attribute, Value::string(value));
  event.set("data", Value::empty_object().with_member("sent", Value::string(id)));
  return event.build();
}

}  // namespace

void Senders::send(const std::string& id) {
  Sent& sent = sent_.at(id);
  if (sent.is_out || sent.is_taken) return;
  sent.is_out = true;
  scene_.engine->publish(sent.event, [this, id, asked = incarnation_](const Result<engine::Published>& answer) {
    require(asked == incarnation_, "an event was answered by an engine that is gone");
    Sent& known = sent_.at(id);
    require(known.is_out, "event ", id, " was answered twice");
    known.is_out = false;
    known.is_taken = answer.has_value();
    if (answer || answer.error().code == "ENGINE_OVERLOADED") return;
    require(answer.error().code == "STORE_FULL_OR_BUSY" && scene_.may_be_full,
            "an event was refused without a reason: ", to_string(answer.error()));
  });
}

void Senders::send_new(const std::string& type, const std::string& attribute, const std::string& value) {
  const std::string id = type + "-" + std::to_string(++last_);
  sent_[id].event = event_of(id, type, attribute, value);
  send(id);
}

void Senders::poke(ExecutionId listener, const std::string& key) {
  last_pokes_[listener] = scene_.clock.passed();
  send_new("sim.poke", "Target", key);
}

// Each half of a pair once: how many meetings there are then follows.
void Senders::act() {
  Dice& dice = scene_.dice;
  const uint64_t choice = dice.below(100);
  if (choice < 30 && !sent_.empty()) return send(dice.pick(sent_).first);
  if (choice < 50) return send_new("sim.spark", "spark", std::to_string(dice.below(5)));
  if (choice < 75) {
    const std::string side = dice.chance(500) ? "left" : "right";
    const std::string pair = std::to_string(dice.below(kPairs));
    const std::string id = "sim." + side + "-" + pair;
    if (!sent_.contains(id)) sent_[id].event = event_of(id, "sim." + side, "pair", pair);
    return send(id);
  }
  const ExecutionId listener = some_listener();
  if (listener) poke(listener, key_of(listener));
}

// One whose start was acknowledged.
ExecutionId Senders::some_listener() const {
  if (ledger_.known().empty()) return {};
  const ExecutionId id = scene_.dice.pick(ledger_.known());
  const auto row = scene_.store.durable().find_execution(id);
  return row && scene_.definitions.is_listener(row->definition) ? id : ExecutionId();
}

std::string Senders::key_of(ExecutionId listener) const {
  const auto history = read_history(scene_.store.durable(), listener);
  return std::string(history->execution->input().find("key")->as_string());
}

// One that was redriven may have missed what came while it was closed. It is poked once at a time: where the mailbox is
// small, a poke each time that this is called would keep it full for ever.
void Senders::finish() {
  for (const auto& [id, sent] : sent_) send(id);
  store::ListFilter open{.status = store::ExecutionStatus::kRunning};
  open.limit = SIZE_MAX;
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions(open)) {
    const auto last = last_pokes_.find(row.id);
    const bool may_lack_it = last == last_pokes_.end() || (row.redrives != 0 && last->second != scene_.clock.passed());
    if (scene_.definitions.is_listener(row.definition) && may_lack_it) poke(row.id, key_of(row.id));
  }
}

void Senders::forget() {
  ++incarnation_;
  for (auto& [id, sent] : sent_) sent.is_out = false;
}

bool Senders::are_all_taken() const {
  return std::ranges::all_of(sent_, [](const auto& entry) { return entry.second.is_taken; });
}

void Senders::check_starts() const {
  if (scene_.weather.retention != engine::kKeepForever) return;  // some may be gone
  std::map<std::string, int> started;
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions({.limit = SIZE_MAX})) {
    const auto history = read_history(scene_.store.durable(), row.id);
    const Value* events = history->facts.front().extra.find("events");
    if (events == nullptr) continue;
    for (const Value& item : events->items()) ++started[std::string(item.find("value")->find("id")->as_string())];
  }
  for (const auto& [id, sent] : sent_) {
    const bool is_half = id.starts_with("sim.left") || id.starts_with("sim.right");
    const std::string other = (id.starts_with("sim.left") ? "sim.right" : "sim.left") + id.substr(id.find('-'));
    const bool starts = id.starts_with("sim.spark") || (is_half && sent_.contains(other));
    require(started[id] == (starts ? 1 : 0), "event ", id, " has started ", started[id], " executions");
  }
}

}  // namespace pawl::sim
