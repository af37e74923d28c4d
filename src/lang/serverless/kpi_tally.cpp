// What histories tell of KPIs.
#include <algorithm>

#include "lang/serverless/kpi.h"

namespace pawl::serverless {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

namespace {

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

std::string_view text_in(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

}  // namespace

// Reads one history. Lives as long as that takes.
class KpiTally::Reader {
 public:
  Reader(KpiTally& tally, const Workflow& workflow) : tally_(tally), workflow_(workflow) {}

  void read(const Fact& fact) {
    switch (fact.kind) {
      case FactKind::kExecutionStarted:
        return read_start_events(fact.extra);
      case FactKind::kStateEntered:
        return enter(fact);
      case FactKind::kStateExited:
        return leave(fact);
      case FactKind::kOperationScheduled:
        return schedule(fact);
      case FactKind::kOperationEnded:
        return end(fact);
      case FactKind::kRetryScheduled:
        if (!failed_.empty()) tally_.count(KpiSubject::kFunction, failed_, KpiMeasure::kRetry);
        return;
      case FactKind::kEventPublished:
        return publish(fact.value);
      case FactKind::kExecutionSucceeded:
      case FactKind::kExecutionFailed:
      case FactKind::kExecutionTimedOut:
      case FactKind::kExecutionAborted:
      case FactKind::kStateAborted:
      case FactKind::kOperationStarted:
      case FactKind::kOperationSubmitted:
      case FactKind::kJoinStarted:
      case FactKind::kJoinEnded:
      case FactKind::kScopeOpened:
      case FactKind::kScopeClosed:
      case FactKind::kExecutionRedriven:
      case FactKind::kWaiterAdded:
      case FactKind::kEntryChanged:
      case FactKind::kCheckpointTaken:
        return;
    }
  }

 private:
  // Null where the ordinal is not of this text.
  const Node* node_at(StateOrdinal ordinal) const {
    const bool is_there = ordinal && ordinal.number <= workflow_.nodes.size();
    return is_there ? &workflow_.node(ordinal) : nullptr;
  }

  void read_start_events(const Value& extra) {
    const Value* events = extra.find("events");
    if (events == nullptr || !events->is_array()) return;
    for (const Value& event : events->items())
      tally_.count(KpiSubject::kEvent, text_in(event, "event"), KpiMeasure::kConsumed);
  }

  void enter(const Fact& fact) {
    const Node* node = node_at(fact.state);
    if (node == nullptr || node->kind != NodeKind::kState) return;
    tally_.count(KpiSubject::kState, node->state->name, KpiMeasure::kExec);
    entered_[fact.state] = fact.time;
  }

  void leave(const Fact& fact) {
    const auto entered = entered_.find(fact.state);
    if (entered == entered_.end()) return;
    tally_.observe(KpiSubject::kState, node_at(fact.state)->state->name, fact.time - entered->second);
    entered_.erase(entered);
  }

  void schedule(const Fact& fact) {
    const Node* node = node_at(fact.state);
    if (node == nullptr) return;
    Called called{.state = node->state == nullptr ? std::string() : node->state->name, .function = {}, .filters = {}};
    if (fact.operation_kind == OperationKind::kEvent) {
      if (const Value* filters = fact.value.find("filters")) called.filters = *filters;
    } else if (node->action != nullptr) {
      if (const auto* call = std::get_if<FunctionCall>(&node->action->call)) called.function = call->name;
    }
    if (!called.function.empty()) tally_.count(KpiSubject::kFunction, called.function, KpiMeasure::kInvoked);
    called_[fact.operation] = std::move(called);
  }

  void end(const Fact& fact) {
    const auto found = called_.find(fact.operation);
    if (found == called_.end()) return;
    const Called called = std::move(found->second);
    called_.erase(found);
    if (called.filters.is_array()) consume(called.filters, fact);
    const bool timed_out = fact.outcome == Outcome::kTimedOut || fact.outcome == Outcome::kHeartbeatTimedOut;
    if (timed_out) tally_.count(KpiSubject::kState, called.state, KpiMeasure::kTimeout);
    if (called.function.empty()) return;
    if (timed_out) tally_.count(KpiSubject::kFunction, called.function, KpiMeasure::kTimeout);
    if (fact.outcome == Outcome::kFailed) tally_.count(KpiSubject::kFunction, called.function, KpiMeasure::kErrors);
    if (fact.outcome != Outcome::kSucceeded) failed_ = called.function;
  }

  void consume(const Value& filters, const Fact& fact) {
    const Value* index = fact.value.find("filter");
    const auto place = index == nullptr ? std::nullopt : index->as_integer();
    const bool is_there = place && *place >= 0 && static_cast<size_t>(*place) < filters.size();
    if (fact.outcome != Outcome::kSucceeded || !is_there) return;
    tally_.count(KpiSubject::kEvent, text_in(filters.at(static_cast<size_t>(*place)), "event"), KpiMeasure::kConsumed);
  }

  // An event says its type; which definitions it may be of follows from that.
  void publish(const Value& event) {
    for (const EventDefinition& definition : workflow_.events)
      if (definition.kind == EventKind::kProduced && definition.event_type == text_in(event, "type"))
        tally_.count(KpiSubject::kEvent, definition.name, KpiMeasure::kProduced);
  }

  struct Called {
    std::string state;
    std::string function;  // empty: it is none
    Value filters;         // of a wait for events
  };

  KpiTally& tally_;
  const Workflow& workflow_;
  std::map<StateOrdinal, Timestamp> entered_;
  std::map<OperationId, Called> called_;
  std::string failed_;  // the function that failed last: what is retried is because of it
};

void KpiTally::count(KpiSubject subject, std::string_view name, KpiMeasure measure) {
  ++counts_[{{subject, std::string(name)}, measure}];
}

void KpiTally::observe(KpiSubject subject, std::string_view name, Duration time) {
  Times& times = times_[{subject, std::string(name)}];
  const double length_s = seconds_of(time);
  times.least_s = times.count == 0 ? length_s : std::min(times.least_s, length_s);
  times.most_s = std::max(times.most_s, length_s);
  times.sum_s += length_s;
  ++times.count;
}

void KpiTally::add(const Workflow& workflow, std::span<const Fact> facts, Timestamp started, Timestamp closed) {
  ++instances_;
  if (closed != kNever) observe(KpiSubject::kWorkflow, workflow.id, closed - started);
  Reader reader(*this, workflow);
  for (const Fact& fact : facts) reader.read(fact);
}

std::optional<double> KpiTally::measured(const Kpi& kpi) const {
  if (kpi.measure == KpiMeasure::kCost) return std::nullopt;
  const Subject subject{kpi.subject, kpi.name};
  if (kpi.measure == KpiMeasure::kDuration) {
    const auto found = times_.find(subject);
    if (found == times_.end()) return std::nullopt;
    const Times& times = found->second;
    if (kpi.bound == KpiBound::kAverage) return times.sum_s / static_cast<double>(times.count);
    return kpi.bound == KpiBound::kMax ? times.most_s : times.least_s;
  }
  if (kpi.subject == KpiSubject::kWorkflow) return static_cast<double>(instances_);
  const auto found = counts_.find({subject, kpi.measure});
  return found == counts_.end() ? 0.0 : static_cast<double>(found->second);
}

bool is_crossed(const Kpi& kpi, double measured) {
  return kpi.bound == KpiBound::kMin ? measured < kpi.threshold : measured > kpi.threshold;
}

}  // namespace pawl::serverless
