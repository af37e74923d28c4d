#include "sim/history.h"

#include "sim/violation.h"
#include "store/chunk_codec.h"

namespace pawl::sim {

using kernel::Operation;
using kernel::OperationKind;
using kernel::Status;
using store::ExecutionStatus;

std::optional<History> read_history(const store::Store& store, ExecutionId id) {
  auto row = store.find_execution(id);
  if (!row) return std::nullopt;
  History history{*row, store.find_live(id), {}, std::make_unique<kernel::Execution>()};
  const auto chunks = store.load_chunks(id, history.live ? history.live->head : row->head);
  require(chunks.has_value(), "execution ", id, ": its chunks cannot be read");
  store::ChunkDecoder decoder;
  for (const store::Chunk& chunk : *chunks) {
    require(chunk.first_fact.number == history.facts.size() + 1, "execution ", id, ": chunk ", chunk.id,
            " begins at fact ", chunk.first_fact, " after ", history.facts.size());
    auto facts = decoder.decode(chunk.body);
    require(facts.has_value(), "execution ", id, ": chunk ", chunk.id, " cannot be decoded");
    for (kernel::Fact& fact : *facts) {
      history.execution->evolve(fact);
      history.facts.push_back(std::move(fact));
    }
  }
  return history;
}

namespace {

bool is_owed(const kernel::Execution& execution) {
  if (execution.first_ready()) return true;
  for (const auto& [id, operation] : execution.open_operations()) {
    const bool is_out = operation.phase == Operation::Phase::kStarted;
    if (operation.kind == OperationKind::kTask) return true;
    if (operation.kind == OperationKind::kCallback && is_out) return true;
    if (operation.kind == OperationKind::kActivity && operation.phase == Operation::Phase::kScheduled) return true;
  }
  return false;
}

ExecutionStatus stored_as(Status status) {
  switch (status) {
    case Status::kNotStarted:
    case Status::kRunning:
      return ExecutionStatus::kRunning;
    case Status::kSucceeded:
      return ExecutionStatus::kSucceeded;
    case Status::kFailed:
      return ExecutionStatus::kFailed;
    case Status::kTimedOut:
      return ExecutionStatus::kTimedOut;
    case Status::kAborted:
      return ExecutionStatus::kAborted;
  }
  return ExecutionStatus::kRunning;
}

void check_facts(const History& history) {
  const ExecutionId id = history.row.id;
  Timestamp time{};
  EventId event;
  for (const kernel::Fact& fact : history.facts) {
    require(fact.time >= time, "execution ", id, ": its facts go back in time");
    time = fact.time;
    if (!fact.event) continue;
    require(fact.event == event.next(), "execution ", id, ": event ", fact.event, " follows ", event);
    event = fact.event;
  }
}

}  // namespace

void check_history(const History& history) {
  const ExecutionId id = history.row.id;
  const kernel::Execution& execution = *history.execution;
  require(!history.facts.empty(), "execution ", id, " has no facts");
  check_facts(history);
  require(history.row.status == stored_as(execution.status()), "execution ", id, ": its row says another status");
  require(history.live.has_value() == execution.is_open(), "execution ", id, ": has a live row and is closed, or not");
  require(history.row.redrives == execution.redrives(), "execution ", id, ": its row says other redrives");
  if (!history.live) {
    require(history.row.closed == execution.last_time(), "execution ", id, ": its row says another end");
    return;
  }
  require(history.live->wake == execution.next_due(), "execution ", id, ": is woken at another time than it is due");
  require(history.live->attention || !is_owed(execution), "execution ", id, ": is owed something and not marked");
}

}  // namespace pawl::sim
