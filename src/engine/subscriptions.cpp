#include "engine/subscriptions.h"

#include <algorithm>
#include <optional>

namespace pawl::engine {

using kernel::EventFilter;
using kernel::EventShape;
using kernel::Execution;
using kernel::Fact;
using kernel::FactKind;
using kernel::Operation;
using kernel::OperationKind;
using store::EventNumber;
using store::SubscriptionRow;

namespace {

// What counts for every key: events up to there came before the execution.
constexpr std::string_view kAnyKey = "";

EventNumber floor_of(const Execution& execution, const kernel::EventKey& key) {
  const json::Value* before = execution.taken().find(kAnyKey);
  const bool has_floor = before != nullptr && before->is_number();
  const uint64_t floor = has_floor ? static_cast<uint64_t>(before->as_integer().value_or(0)) : 0;
  return EventNumber(std::max(floor, execution.taken_up_to(key)));
}

struct Wait {
  std::vector<SubscriptionRow> rows;
  std::vector<EventShape> shapes;
};

Wait wait_of(const store::ExecutionRow& row, const Execution& execution, const Operation& operation) {
  Wait wait;
  const json::Value* filters = operation.input.find("filters");
  if (filters == nullptr || !filters->is_array()) return wait;
  for (size_t i = 0; i < filters->size(); ++i) {
    const auto filter = EventFilter::from_value(filters->at(i));
    if (!filter) continue;
    SubscriptionRow subscription;
    subscription.key = kernel::key_of(*filter);
    subscription.definition = row.definition;
    subscription.execution = row.id;
    subscription.operation = operation.id;
    subscription.filter = static_cast<uint32_t>(i);
    subscription.after = floor_of(execution, subscription.key);
    subscription.made = execution.last_time();
    wait.rows.push_back(subscription);
    wait.shapes.push_back(kernel::shape_of(*filter));
  }
  return wait;
}

// The filter whose event ended the operation; none where none did.
std::optional<uint32_t> taken_filter(const std::vector<Fact>& facts, OperationId operation) {
  for (const Fact& fact : facts) {
    const bool is_end = fact.kind == FactKind::kOperationEnded && fact.operation == operation;
    const json::Value* filter = is_end ? fact.value.find("filter") : nullptr;
    if (filter != nullptr && filter->is_number()) return static_cast<uint32_t>(filter->as_integer().value_or(0));
  }
  return std::nullopt;
}

// The one that was taken has been removed by whoever sent the event.
void unsubscribe(const std::vector<SubscriptionRow>& rows, std::optional<uint32_t> taken, store::Batch& batch) {
  for (const SubscriptionRow& row : rows)
    if (row.filter != taken) batch.unsubscribed.push_back(row);
}

bool begins_wait(const Fact& fact) {
  return fact.kind == FactKind::kOperationScheduled && fact.operation_kind == OperationKind::kEvent;
}

}  // namespace

void Subscriptions::restore(const store::ExecutionRow& row, const Execution& execution) {
  for (const auto& [id, operation] : execution.open_operations())
    if (operation.kind == OperationKind::kEvent) stored_[id] = wait_of(row, execution, operation).rows;
}

void Subscriptions::save(const store::ExecutionRow& row, const Execution& execution, const std::vector<Fact>& facts,
                         EventNumber last_event, store::Batch& batch, std::vector<EventShape>& shapes) {
  std::erase_if(stored_, [&](const auto& entry) {
    const bool is_over = execution.find_operation(entry.first) == nullptr;
    if (is_over) unsubscribe(entry.second, taken_filter(facts, entry.first), batch);
    return is_over;
  });
  for (const Fact& fact : facts) {
    const Operation* operation = begins_wait(fact) ? execution.find_operation(fact.operation) : nullptr;
    if (operation == nullptr) continue;
    Wait wait = wait_of(row, execution, *operation);
    for (SubscriptionRow& subscription : wait.rows) subscription.known = last_event;
    batch.subscribed.insert(batch.subscribed.end(), wait.rows.begin(), wait.rows.end());
    shapes.insert(shapes.end(), wait.shapes.begin(), wait.shapes.end());
    stored_[fact.operation] = std::move(wait.rows);
  }
}

}  // namespace pawl::engine
