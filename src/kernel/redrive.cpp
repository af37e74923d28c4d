#include "kernel/redrive.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

namespace pawl::kernel {

// --- whether
// -------------------------------------------------------------------------------------------------------------

std::string_view to_sentence(RedriveObstacle obstacle) {
  switch (obstacle) {
    case RedriveObstacle::kNotClosed:
      return "Execution is RUNNING and cannot be redriven";
    case RedriveObstacle::kSucceeded:
      return "Execution is SUCCEEDED and cannot be redriven";
    case RedriveObstacle::kHistoryFull:
      return "Execution history event limit exceeded";
    case RedriveObstacle::kStartedTooLongAgo:
      return "Execution has exceeded the max execution time";
    case RedriveObstacle::kClosedTooLongAgo:
      return "Execution redrivable period exceeded";
    case RedriveObstacle::kTooOften:
      return "Execution has exceeded the max number of redrives";
  }
  return "";
}

// The history must have room for ExecutionRedriven and one event more.
std::optional<RedriveObstacle> obstacle_to_redrive(const Execution& execution, const Limits& limits, Timestamp now) {
  if (execution.status() == Status::kSucceeded) return RedriveObstacle::kSucceeded;
  if (!is_redrivable(execution.status())) return RedriveObstacle::kNotClosed;
  if (uint64_t{execution.last_event().number} + 1 >= limits.events_max) return RedriveObstacle::kHistoryFull;
  if (now - execution.started() > kOpenTimeMax) return RedriveObstacle::kStartedTooLongAgo;
  if (now - execution.last_time() > kRedrivablePeriod) return RedriveObstacle::kClosedTooLongAgo;
  if (execution.redrives() >= kRedrivesMax) return RedriveObstacle::kTooOften;
  return std::nullopt;
}

std::optional<Timestamp> find_redrive(const Execution& execution, const Value& token, Timestamp now) {
  if (token.is_null()) return std::nullopt;
  for (const Redrive& redrive : execution.latest_redrives() | std::views::reverse)
    if (redrive.token == token && now - redrive.time <= kRedriveTokenLife) return redrive.time;
  return std::nullopt;
}

// --- stopping
// ------------------------------------------------------------------------------------------------------------

// Takes a scope out, with everything below it, and drops what they wait for.
std::unique_ptr<Scope> Execution::stop_scope(ScopeId id) {
  auto stopped = std::move(scopes_[id.number - 1]);
  if (stopped->operation) drop_operation(stopped->operation);
  stop_children(*stopped);
  return stopped;
}

void Execution::stop_children(Scope& scope) {
  if (scope.join == nullptr) return;
  Join& join = *scope.join;
  for (ScopeId& child : join.children) {
    if (!child) continue;
    join.stopped.push_back(stop_scope(child));
    child = {};
    --join.running;
  }
}

// --- thawing
// -------------------------------------------------------------------------------------------------------------

void Execution::redrive(const Fact& fact) {
  PAWL_ASSERT(is_redrivable(status_), static_cast<int>(status_));
  status_ = Status::kRunning;
  outcome_ = {};
  deadline_ = fact.due;
  redrives_ = fact.number;
  if (latest_redrives_.size() == kRedrivesRemembered) latest_redrives_.erase(latest_redrives_.begin());
  latest_redrives_.push_back({fact.time, fact.event, fact.value});
  if (const Value* context = fact.extra.find("context")) context_ = *context;
  thaw(*scopes_.front());
}

// A scope between two states enters the next one, as it would have; one whose children did not all succeed goes on with
// those; any other runs its state again.
void Execution::thaw(Scope& scope) {
  const bool has_waited = scope.ended.what == Ended::What::kNothing && !scope.ended.input.is_null();
  Value noted = has_waited ? scope.ended.input : Value();
  scope.operation = {};
  scope.ended = {};
  scope.ended.input = std::move(noted);
  scope.attempt = 0;
  scope.retries.clear();
  if (!scope.state) return make_ready(scope, Step::kEnter);
  scope.last_event = latest_redrives_.back().event;
  if (scope.join == nullptr) return make_ready(scope, Step::kRun);
  thaw_children(scope);
}

void Execution::thaw_children(Scope& scope) {
  stop_children(scope);
  Join& join = *scope.join;
  join.failed = 0;
  std::ranges::move(std::exchange(join.stopped, {}), std::back_inserter(join.waiting));
  std::ranges::sort(join.waiting, std::ranges::greater(), &Scope::index);
  for (const auto& child : join.waiting) join.results[child->index] = {};
  scope.step = Step::kWait;
  while (!join.waiting.empty() && join.has_room()) resume_waiting(join);
  if (join.may_open()) return make_ready(scope, Step::kOpen);
  if (!join.is_complete()) return;
  scope.ended.what = Ended::What::kJoin;
  make_ready(scope, Step::kResume);
}

// Gives a free place in the join to the next redriven child.
void Execution::resume_waiting(Join& join) {
  if (join.waiting.empty() || !join.has_room()) return;
  auto child = std::move(join.waiting.back());
  join.waiting.pop_back();
  Scope& scope = *child;
  join.children[scope.index] = scope.id;
  ++join.running;
  scopes_[scope.id.number - 1] = std::move(child);
  thaw(scope);
}

}  // namespace pawl::kernel
