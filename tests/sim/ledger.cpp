#include "sim/ledger.h"

#include <algorithm>
#include <charconv>

#include "json/print.h"
#include "kernel/redrive.h"
#include "sim/replay.h"
#include "sim/violation.h"

namespace pawl::sim {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

namespace {

constexpr std::string_view kCausePrefix = "number ";

int64_t number_from(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The number that a result or an error carries; 0: none.
int64_t number_of(const Value& given) {
  if (const Value* number = given.find("number")) return number->as_integer().value_or(0);
  const Value* cause = given.find("Cause");
  const bool has_number = cause != nullptr && cause->is_string() && cause->as_string().starts_with(kCausePrefix);
  return has_number ? number_from(cause->as_string().substr(kCausePrefix.size())) : 0;
}

bool is_given(const Fact& fact) {
  const bool from_outside = fact.operation_kind == OperationKind::kTask ||
                            fact.operation_kind == OperationKind::kCallback ||
                            fact.operation_kind == OperationKind::kActivity;
  return fact.kind == FactKind::kOperationEnded && from_outside &&
         (fact.outcome == Outcome::kSucceeded || fact.outcome == Outcome::kFailed);
}

}  // namespace

std::string Token::text() const {
  return std::to_string(execution.number) + "-" + std::to_string(operation.number) + "-" + std::to_string(attempt);
}

Token Token::parse(std::string_view text) {
  Token token;
  token.execution = ExecutionId(static_cast<uint64_t>(number_from(text)));
  text.remove_prefix(text.find('-') + 1);
  token.operation = OperationId(static_cast<uint32_t>(number_from(text)));
  if (const size_t dash = text.find('-'); dash != std::string_view::npos)
    token.attempt = static_cast<uint32_t>(number_from(text.substr(dash + 1)));
  return token;
}

// --- what the world gives

int64_t Ledger::give(ExecutionId execution, OperationId operation) {
  const auto number = static_cast<int64_t>(given_.size() + 1);
  given_[number] = {execution, operation};
  return number;
}

TaskAnswer Ledger::result_for(ExecutionId execution, OperationId operation, const Value& input) {
  const Value* x = input.find("x");
  json::ObjectBuilder result;
  result.set("value", Value::integer(x == nullptr ? 0 : 2 * x->as_integer().value_or(0)));
  result.set("number", Value::integer(give(execution, operation)));
  return TaskAnswer::succeeded(result.build());
}

TaskAnswer Ledger::failure_for(ExecutionId execution, OperationId operation) {
  return TaskAnswer::failed("Worker.Broken", std::string(kCausePrefix) + std::to_string(give(execution, operation)));
}

// --- what the world is told

void Ledger::started(const engine::StartRequest& asked, const engine::Started& answer) {
  const auto history = durable(answer.execution);
  require(history.has_value(), "the start of execution ", answer.execution, " was answered and is not durable");
  require(history->row.name == asked.name && history->row.definition == asked.definition, "execution ",
          answer.execution, " is not the one that was started");
  require(history->execution->input() == asked.input, "execution ", answer.execution, " has another input");
  require(history->row.started == answer.started, "execution ", answer.execution, " has another start time");
  if (!asked.name.empty()) {
    const std::pair key(scene_.definitions.family_of(asked.definition), asked.name);
    if (const auto old = names_.find(key); old != names_.end() && is_removed(old->second)) names_.erase(old);
    const auto [at, is_first] = names_.emplace(key, answer.execution);
    require(at->second == answer.execution, "the name ", asked.name, " has two executions: ", at->second, " and ",
            answer.execution);
    require(is_first || !answer.is_new, "the name ", asked.name, " was started anew");
  }
  if (answer.is_new) {
    require(std::find(known_.begin(), known_.end(), answer.execution) == known_.end(), "execution ", answer.execution,
            " was started twice");
    known_.push_back(answer.execution);
  }
}

void Ledger::name_was_taken(const engine::StartRequest& asked) {
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions({.limit = SIZE_MAX}))
    if (row.name == asked.name && row.definition == asked.definition) return;
  for (const auto& [id, row] : scene_.store.removed())
    if (row.name == asked.name && row.definition == asked.definition) return;
  require(false, "the name ", asked.name, " was refused and nobody has it");
}

bool Ledger::is_closed(ExecutionId id) const {
  const auto history = durable(id);
  return history && !history->execution->is_open();
}

// It may have gone on since it was asked for; what had ended then has ended.
void Ledger::described(ExecutionId id, const engine::Description& answer, bool was_closed) {
  if (is_removed(id)) return;
  const auto history = durable(id);
  require(history.has_value(), "execution ", id, " was described and is not durable");
  const kernel::Execution& execution = *history->execution;
  require(answer.input == execution.input(), "execution ", id, " was described with another input");
  if (answer.status == Status::kRunning) {
    return require(!was_closed || redrive_asked_.contains(id), "execution ", id, " had ended and runs again");
  }
  if (redrive_asked_.contains(id)) return;
  require(answer.status == execution.status() && answer.outcome == execution.outcome(), "execution ", id,
          " was described as ", kernel::name_of(answer.status), " and is ", kernel::name_of(execution.status()));
  ends_[id] = answer.outcome;
}

void Ledger::told_facts(ExecutionId id, const std::vector<Fact>& facts) {
  if (is_removed(id)) return;
  const auto history = durable(id);
  require(history.has_value(), "the facts of execution ", id, " were told and it is not durable");
  require(facts.size() <= history->facts.size(), "execution ", id, ": facts were told that are not durable");
}

void Ledger::asked_to_redrive(ExecutionId id) {
  redrive_asked_.insert(id);
  ends_.erase(id);
}

void Ledger::redriven(ExecutionId id, const std::string& token, Timestamp answer) {
  const auto history = durable(id);
  require(history.has_value(), "execution ", id, " was redriven and is gone");
  const bool is_recorded = std::ranges::any_of(history->facts, [&](const Fact& fact) {
    return fact.kind == FactKind::kExecutionRedriven && fact.value == Value::string(token) && fact.time == answer;
  });
  require(is_recorded, "the redrive ", token, " of execution ", id, " was answered and is not durable");
}

void Ledger::stopped(ExecutionId id, Timestamp answer) {
  if (is_removed(id)) return;
  if (redrive_asked_.contains(id)) return;
  const auto history = durable(id);
  require(history.has_value() && !history->execution->is_open(), "execution ", id, " was stopped and is open");
  require(history->execution->last_time() == answer, "execution ", id, " was stopped at another time");
}

void Ledger::not_found(ExecutionId id) {
  require(!scene_.store.durable().find_execution(id), "execution ", id, " is durable and was not found");
}

bool Ledger::is_open(const Token& token) const {
  const auto history = durable(token.execution);
  if (!history) return false;
  const kernel::Operation* operation = history->execution->find_operation(token.operation);
  return operation != nullptr && operation->attempt == token.attempt;
}

void Ledger::completed(const Token& token, const TaskAnswer& given) {
  given_.at(number_of(given.value)).fate = Fate::kAccepted;
  require(!is_open(token), "the completion of ", token.text(), " was accepted and is not durable");
}

void Ledger::refused(const Token& token, const TaskAnswer& given) {
  given_.at(number_of(given.value)).fate = Fate::kRefused;
  require(!is_open(token), "the completion of ", token.text(), " was refused and it is open");
}

void Ledger::rolled_back(const TaskAnswer& given) { given_.at(number_of(given.value)).fate = Fate::kRefused; }

void Ledger::beat(const Token& token) {
  require(is_open(token), "the heartbeat of ", token.text(), " was accepted and nothing waits for it");
  beats_[token] = scene_.clock.now();
}

void Ledger::nothing_beats(const Token& token) {
  require(!is_open(token), "the heartbeat of ", token.text(), " was refused and it is open");
}

void Ledger::took(const Token& token) {
  const auto history = durable(token.execution);
  const bool is_started = history && std::ranges::any_of(history->facts, [&](const Fact& fact) {
                            return fact.kind == FactKind::kOperationStarted && fact.operation == token.operation;
                          });
  require(is_started, "the activity ", token.text(), " was handed out and that is not durable");
  require(taken_.insert(token).second, "the activity ", token.text(), " was handed out twice");
}

void Ledger::called(const Token& token, kernel::Operation::Phase phase, const Value& input) {
  const auto history = durable(token.execution);
  const auto* operation = history ? history->execution->find_operation(token.operation) : nullptr;
  require(operation != nullptr && operation->phase == phase && operation->input == input, "a worker was called for ",
          token.text(), ", which is not durable");
}

// --- the end

void Ledger::check_times(const History& history) const {
  const ExecutionId id = history.row.id;
  std::map<OperationId, const Fact*> scheduled;
  Timestamp deadline = kNever;
  for (const Fact& fact : history.facts) {
    if (fact.kind == FactKind::kOperationScheduled || fact.kind == FactKind::kRetryScheduled)
      scheduled[fact.operation] = &fact;
    if (fact.kind == FactKind::kExecutionStarted || fact.kind == FactKind::kExecutionRedriven) deadline = fact.due;
    if (fact.kind == FactKind::kExecutionTimedOut) require(fact.time >= deadline, "execution ", id, " timed out early");
    if (fact.kind != FactKind::kOperationEnded || is_given(fact)) continue;
    const Fact& plan = *scheduled.at(fact.operation);
    if (plan.due != kNever && fact.outcome != Outcome::kHeartbeatTimedOut)
      require(fact.time >= plan.due, "execution ", id, ": operation ", fact.operation, " was due later");
    if (fact.outcome != Outcome::kHeartbeatTimedOut) continue;
    for (const auto& [token, beat] : beats_)
      if (token.execution == id && token.operation == fact.operation)
        require(fact.time >= beat + std::chrono::seconds(plan.limit), "execution ", id, ": operation ", fact.operation,
                " had a heartbeat at ", beat.time_since_epoch().count(), " and timed out for want of one at ",
                fact.time.time_since_epoch().count());
  }
}

void Ledger::check_execution(const History& history, std::map<int64_t, int>& counted) const {
  const ExecutionId id = history.row.id;
  check_history(history);
  check_times(history);
  check_redrives(history);
  for (const Fact& fact : history.facts) {
    if (!is_given(fact)) continue;
    const int64_t number = number_of(fact.value);
    const auto given = given_.find(number);
    require(given != given_.end() && given->second.execution == id && given->second.operation == fact.operation,
            "execution ", id, ": operation ", fact.operation, " ended with a result that nobody gave it");
    ++counted[number];
  }
  const kernel::Execution& execution = *history.execution;
  if (execution.is_open()) return;
  const bool may_be_aborted = execution.status() == Status::kAborted && stop_asked_.contains(id);
  const Machine& machine = scene_.definitions.machine(history.row.definition);
  require(may_be_aborted || machine.may_end(execution.input(), execution.status(), execution.outcome()), "execution ",
          id, " of '", machine.name, "' with input ", json::print(execution.input()), " ended as ",
          kernel::name_of(execution.status()), " with ", json::print(execution.outcome()));
  if (const auto end = ends_.find(id); end != ends_.end())
    require(end->second == execution.outcome(), "execution ", id, " was described with another end");
}

// A token redrives once, while it lives.
void Ledger::check_redrives(const History& history) const {
  std::map<std::string, Timestamp> last;
  for (const Fact& fact : history.facts) {
    if (fact.kind != FactKind::kExecutionRedriven) continue;
    const auto [at, is_first] = last.emplace(json::print(fact.value), fact.time);
    require(is_first || fact.time - at->second >= kernel::kRedriveTokenLife, "execution ", history.row.id,
            " was redriven twice by ", at->first);
    at->second = fact.time;
  }
}

// Nothing is removed before its time.
void Ledger::check_removed() const {
  for (const auto& [id, row] : scene_.store.removed())
    require(scene_.weather.retention != engine::kKeepForever &&
                scene_.clock.latest() >= row.closed + scene_.weather.retention,
            "execution ", id, " was removed before its time");
}

void Ledger::check_names() const {
  std::set<std::pair<std::string, std::string>> seen;
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions({.limit = SIZE_MAX}))
    if (!row.name.empty())
      require(seen.emplace(scene_.definitions.family_of(row.definition), row.name).second, "two executions are named ",
              row.name);
}

void Ledger::check_open() const {
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions({.limit = SIZE_MAX}))
    if (row.status == store::ExecutionStatus::kRunning) check_history(*durable(row.id));
}

void Ledger::check_all(const kernel::Limits& limits, bool can_replay) const {
  std::map<int64_t, int> counted;
  for (const store::ExecutionRow& row : scene_.store.durable().list_executions({.limit = SIZE_MAX})) {
    const auto history = durable(row.id);
    check_execution(*history, counted);
    const auto mint = [&](OperationId operation, uint32_t attempt) { return Token{row.id, operation, attempt}.text(); };
    if (can_replay) check_replay(*history, *scene_.definitions.find(row.definition), limits, mint);
  }
  for (const auto& [number, given] : given_) {
    const int times = counted[number];
    require(times <= 1, "result ", number, " counted ", times, " times");
    require(given.fate != Fate::kAccepted || times == 1 || is_removed(given.execution), "result ", number,
            " was accepted and did not count");
    require(given.fate != Fate::kRefused || times == 0, "result ", number, " was refused and counted");
  }
  for (const ExecutionId id : known_)
    require(is_removed(id) || scene_.store.durable().find_execution(id), "execution ", id,
            " was acknowledged and is gone");
  check_names();
  check_removed();
}

}  // namespace pawl::sim
