// What a shard is asked for.
#include <algorithm>
#include <span>

#include "engine/history_reader.h"
#include "engine/shard.h"
#include "json/print.h"

namespace pawl::engine {

using kernel::Signal;
using kernel::SignalKind;

namespace {

Error rolled_back(const store::CommitResult& result) { return result.error().error; }

std::unexpected<Error> not_open() {
  return fail("OPERATION_NOT_OPEN", "Nothing waits for this answer any more.",
              "Nothing to do: it came too late, or twice.");
}

bool is_fired(const kernel::Fact& fact) {
  return fact.outcome == kernel::Outcome::kTimedOut || fact.outcome == kernel::Outcome::kHeartbeatTimedOut;
}

// Whether a turn recorded the signal. What fell due by then was taken first, and may have ended the operation.
bool is_recorded(const Signal& signal, std::span<const kernel::Fact> turn) {
  const bool ends = signal.kind == SignalKind::kOperationEnded;
  const auto kind = ends ? kernel::FactKind::kOperationEnded : kernel::FactKind::kOperationStarted;
  return std::ranges::any_of(turn, [&](const kernel::Fact& fact) {
    return fact.kind == kind && fact.operation == signal.operation && (!ends || !is_fired(fact));
  });
}

}  // namespace

void Shard::answer_when_durable(Answer<void> answer) {
  when_durable([answer = std::move(answer)](const store::CommitResult& result) mutable {
    if (result)
      answer({});
    else
      answer(std::unexpected(rolled_back(result)));
  });
}

template <typename T>
void Shard::refuse_when_durable(Answer<T> answer, std::unexpected<Error> error) {
  when_durable([answer = std::move(answer), error = std::move(error)](const store::CommitResult& result) mutable {
    if (result)
      answer(std::move(error));
    else
      answer(std::unexpected(rolled_back(result)));
  });
}

// Also what is not yet stored.
std::vector<ExecutionId> Shard::find_named(uint64_t hash) const {
  std::vector<ExecutionId> found = shared_.borders.store.find_names(hash);
  const auto [begin, end] = unsaved_names_.equal_range(hash);
  for (auto at = begin; at != end; ++at) found.push_back(at->second);
  return found;
}

void Shard::add_name(uint64_t hash, ExecutionId id) {
  gathering_.batch.names.push_back({hash, id});
  gathering_.names.push_back({hash, id});
  unsaved_names_.emplace(hash, id);
}

// A start with a name that is taken: the same input, still running, is the same start; anything else is refused.
std::optional<Started> Shard::find_same_start(uint64_t name_hash, const StartRequest& request, bool& is_taken) {
  for (const ExecutionId id : find_named(name_hash)) {
    auto loaded = load(id);
    if (!loaded || (*loaded)->row().name != request.name) continue;
    const bool same_family = shared_.borders.programs.family_of((*loaded)->row().definition) ==
                             shared_.borders.programs.family_of(request.definition);
    if (!same_family) continue;
    is_taken = true;
    const bool is_same = (*loaded)->execution().is_open() && (*loaded)->execution().input() == request.input;
    const Started started{id, (*loaded)->row().started, false};
    release_if_idle(id);
    if (is_same) return started;
  }
  return std::nullopt;
}

namespace {

// For every key (engine/subscriptions.cpp).
Value taken_before(store::EventNumber last) {
  json::ObjectBuilder taken(1);
  taken.set("", Value::integer(static_cast<int64_t>(last.number)));
  return taken.build();
}

Signal start_signal(StartRequest& request, ExecutionId id, Timestamp started) {
  Signal signal;
  signal.kind = SignalKind::kStart;
  json::ObjectBuilder extra(7);
  if (request.make_context) extra.set("context", request.make_context(id, started));
  if (!request.input_text.empty() && request.input_text != json::print(request.input))
    extra.set("inputText", Value::string(request.input_text));
  if (!request.labels.is_null()) extra.set("labels", std::move(request.labels));
  if (request.parent) extra.set("waiter", to_value(*request.parent));
  if (!request.events.is_null()) extra.set("events", std::move(request.events));
  if (!request.correlation.is_null()) extra.set("correlation", std::move(request.correlation));
  if (request.last_event) extra.set("taken", taken_before(request.last_event));
  signal.extra = extra.build();
  signal.value = std::move(request.input);
  return signal;
}

}  // namespace

void Shard::start(ExecutionId id, StartRequest request, Answer<Started> answer) {
  auto program = shared_.borders.programs.find(request.definition);
  if (program == nullptr) return answer(fail("DEFINITION_MISSING", "There is no such definition.", "Deploy it first."));
  if (request.parent)
    if (auto own = find_own_start(*request.parent)) return answer_when_durable(std::move(answer), *own);
  uint64_t name_hash = 0;
  if (!request.name.empty()) {
    name_hash = hash_name(shared_.borders.programs.family_of(request.definition), request.name);
    bool is_taken = false;
    if (auto same = find_same_start(name_hash, request, is_taken)) {
      if (request.parent) add_waiter(same->execution, *request.parent);
      return answer_when_durable(std::move(answer), *same);
    }
    if (is_taken) {
      return refuse_when_durable(
          std::move(answer), fail("EXECUTION_ALREADY_EXISTS", "There is an execution '" + request.name + "' already.",
                                  "Give it another name."));
    }
  }
  store::ExecutionRow row;
  row.id = id;
  row.definition = request.definition;
  row.name = request.name;
  row.version = request.version;
  row.alias = request.alias;
  row.started = now();
  if (request.parent) row.parent = request.parent->parent;
  if (!request.last_event) request.last_event = store::EventNumber(shared_.last_event.load());
  auto loaded = std::make_unique<LoadedExecution>(row, std::move(program));
  take_turn(*loaded, start_signal(request, id, row.started));
  loaded_.emplace(id, std::move(loaded));
  if (name_hash != 0) add_name(name_hash, id);
  if (request.parent) add_name(hash_link(*request.parent), id);
  answer_when_durable(std::move(answer), Started{id, row.started, true});
}

void Shard::signal(ExecutionId id, Signal signal, Answer<void> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  take_turn(**loaded, signal);
  forget_beats_when_durable(id, signal);
  release_if_idle(id);
  answer_when_durable(std::move(answer));
}

bool Shard::is_waiting(ExecutionId id, OperationId operation, uint32_t attempt) {
  auto loaded = load(id);
  if (!loaded) return false;
  const kernel::Operation* open = (*loaded)->execution().find_operation(operation);
  const bool waits = open != nullptr && open->attempt == attempt;
  if (!waits) release_if_idle(id);
  return waits;
}

void Shard::complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer) {
  if (!is_waiting(id, operation, attempt)) return refuse_when_durable(std::move(answer), not_open());
  LoadedExecution& loaded = *loaded_.at(id);
  const size_t before = loaded.unsaved().size();
  const Signal ended = to_signal(operation, std::move(result));
  take_turn(loaded, ended);
  forget_beats_when_durable(id, ended);
  const bool counts = is_recorded(ended, std::span(loaded.unsaved()).subspan(before));
  release_if_idle(id);
  if (counts)
    answer_when_durable(std::move(answer));
  else
    refuse_when_durable(std::move(answer), not_open());
}

// Not before: where the commit is rolled back, the operation waits on, and was alive.
void Shard::forget_beats_when_durable(ExecutionId id, const Signal& signal) {
  const OperationKey key{id, signal.operation};
  if (signal.kind != SignalKind::kOperationEnded || !heartbeats_.contains(key)) return;
  when_durable([this, key](const store::CommitResult& result) {
    if (result) heartbeats_.erase(key);
  });
}

void Shard::heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer) {
  if (!is_waiting(id, operation, attempt)) return refuse_when_durable(std::move(answer), not_open());
  heartbeats_[{id, operation}] = now();
  release_if_idle(id);
  answer({});
}

// Whose it is is durable before the worker hears of it.
void Shard::take_activity(const ActivityOffer& offer, std::string worker, Answer<ActivityTask> answer) {
  if (!is_waiting(offer.execution, offer.operation, offer.attempt))
    return refuse_when_durable(std::move(answer), not_open());
  LoadedExecution& loaded = *loaded_.at(offer.execution);
  const kernel::Operation& operation = *loaded.execution().find_operation(offer.operation);
  if (operation.phase != kernel::Operation::Phase::kScheduled)
    return refuse_when_durable(std::move(answer), not_open());
  ActivityTask task{shared_.borders.tokens.mint(offer.execution, offer.operation, offer.attempt), operation.input};
  Signal taken;
  taken.kind = SignalKind::kOperationStarted;
  taken.operation = offer.operation;
  if (!worker.empty()) taken.value = Value::string(worker);
  const size_t before = loaded.unsaved().size();
  take_turn(loaded, taken);
  const bool is_taken = is_recorded(taken, std::span(loaded.unsaved()).subspan(before));
  release_if_idle(offer.execution);
  if (is_taken)
    answer_when_durable(std::move(answer), std::move(task));
  else
    refuse_when_durable(std::move(answer), not_open());
}

void Shard::stop(ExecutionId id, Value error, Answer<Timestamp> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  Signal signal;
  signal.kind = SignalKind::kStop;
  signal.value = std::move(error);
  take_turn(**loaded, signal);
  answer_when_durable(std::move(answer), (*loaded)->execution().last_time());
  release_if_idle(id);
}

void Shard::request(ExecutionId id, Value request, Answer<Value> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  Signal signal;
  signal.kind = SignalKind::kRequest;
  signal.value = std::move(request);
  auto given = take_turn(**loaded, signal);
  PAWL_ASSERT(given.has_value(), id);
  if (*given)
    answer_when_durable(std::move(answer), std::move(**given));
  else
    refuse_when_durable(std::move(answer), std::unexpected(given->error()));
  release_if_idle(id);
}

// One whose retention is over may be on its way out of the store.
std::optional<kernel::RedriveObstacle> Shard::obstacle_to_redrive(const LoadedExecution& loaded) const {
  const kernel::Execution& execution = loaded.execution();
  const auto obstacle = kernel::obstacle_to_redrive(execution, shared_.options.limits, now());
  if (!obstacle && retention_end(execution.last_time(), retention_of(loaded)) <= now())
    return kernel::RedriveObstacle::kClosedTooLongAgo;
  return obstacle;
}

void Shard::redrive(ExecutionId id, std::string token, Answer<Timestamp> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  Signal signal;
  signal.kind = SignalKind::kRedrive;
  if (!token.empty()) signal.value = Value::string(token);
  if (const auto known = kernel::find_redrive((*loaded)->execution(), signal.value, now())) {
    answer_when_durable(std::move(answer), *known);
  } else if (const auto obstacle = obstacle_to_redrive(**loaded)) {
    refuse_when_durable(std::move(answer), fail("EXECUTION_NOT_REDRIVABLE", std::string(kernel::to_sentence(*obstacle)),
                                                "Start another execution with the same input."));
  } else {
    take_turn(**loaded, signal);
    answer_when_durable(std::move(answer), (*loaded)->execution().last_redriven());
  }
  release_if_idle(id);
}

Description Shard::description_of(const LoadedExecution& loaded) const {
  const kernel::Execution& execution = loaded.execution();
  Description description{loaded.row(),       execution.status(),  execution.input(),           execution.input_text(),
                          execution.labels(), execution.outcome(), obstacle_to_redrive(loaded), {}};
  description.is_terminated = execution.is_terminated();
  description.row.closed = execution.is_open() ? kNever : execution.last_time();
  description.row.redrives = execution.redrives();
  if (execution.redrives() != 0) description.row.redriven = execution.last_redriven();
  return description;
}

void Shard::describe(ExecutionId id, Answer<Description> answer) {
  auto loaded = load(id);
  if (!loaded) return answer(std::unexpected(loaded.error()));
  answer_when_durable(std::move(answer), description_of(**loaded));
  release_if_idle(id);
}

void Shard::read_history(ExecutionId id, EventRange range, Answer<HistoryPart> answer) {
  when_durable([this, id, range, answer = std::move(answer)](const store::CommitResult&) mutable {
    answer(read_history_part(shared_.borders.store, id, range));
  });
}

// What is stored, read once everything that the execution has decided is.
void Shard::read_facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer) {
  when_durable([this, id, answer = std::move(answer)](const store::CommitResult&) mutable {
    const auto row = shared_.borders.store.find_execution(id);
    if (!row) return answer(fail("EXECUTION_NOT_FOUND", "There is no such execution.", "Check its name."));
    const auto live = shared_.borders.store.find_live(id);
    auto chunks = shared_.borders.store.load_chunks(id, live ? live->head : row->head);
    if (!chunks) return answer(std::unexpected(chunks.error()));
    std::vector<kernel::Fact> facts;
    store::ChunkDecoder decoder;
    for (const store::Chunk& chunk : *chunks) {
      auto decoded = decoder.decode(chunk.body);
      if (!decoded) return answer(std::unexpected(decoded.error()));
      facts.insert(facts.end(), std::make_move_iterator(decoded->begin()), std::make_move_iterator(decoded->end()));
    }
    answer(std::move(facts));
  });
}

void Shard::put_documents(std::vector<store::Document> documents, Answer<void> answer) {
  for (store::Document& document : documents) gathering_.batch.documents.push_back(std::move(document));
  answer_when_durable(std::move(answer));
}

}  // namespace pawl::engine
