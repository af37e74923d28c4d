#include "sim/clients.h"

#include "lang/asl/context.h"
#include "sim/violation.h"

namespace pawl::sim {

using engine::StartRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr uint64_t kNames = 12;

bool is_not_open(const Error& error) { return error.code == "OPERATION_NOT_OPEN"; }

Value context_of(ExecutionId id, Timestamp started, const Value& input) {
  const std::string name = std::to_string(id.number);
  return asl::make_context({name, name, "role", "machine", "machine", started}, input, {});
}

}  // namespace

template <typename T, typename Act>
engine::Answer<T> Clients::once(const char* question, Act act) {
  ++unanswered_;
  return [this, question, act = std::move(act), answered = false, asked = incarnation_](Result<T> answer) mutable {
    require(!std::exchange(answered, true), "a ", question, " was answered twice");
    require(asked == incarnation_, "a ", question, " was answered by an engine that is gone");
    --unanswered_;
    act(std::move(answer));
  };
}

// What an engine may say of any question.
void Clients::expect_trouble(const Error& error) const {
  if (error.code == "ENGINE_OVERLOADED") return;
  require(error.code == "STORE_FULL_OR_BUSY" && scene_.may_be_full, "an answer without a reason: ", to_string(error));
}

void Clients::act() {
  const uint64_t choice = scene_.dice.below(100);
  if (choice < 45) return start();
  if (choice < 55) return describe();
  if (choice < 58) return read_facts();
  if (choice < 62) return stop();
  if (choice < 67) return redrive();
  if (choice < 85 && !workers_.offers().empty()) return take(scene_.dice.pick(workers_.offers()).second);
  if (workers_.tokens().empty()) return start();
  const auto& [token, input] = scene_.dice.pick(workers_.tokens());
  if (scene_.dice.chance(500)) return beat(token);
  complete(token, input, !scene_.dice.chance(scene_.weather.trouble));
}

StartRequest Clients::make_request() {
  Dice& dice = scene_.dice;
  if (!named_.empty() && dice.chance(150)) {
    StartRequest again = dice.pick(named_);
    if (dice.chance(300)) again.input = scene_.definitions.machine(again.definition).make_input(dice);
    return again;
  }
  StartRequest request;
  request.definition = scene_.definitions.pick(dice);
  request.input = scene_.definitions.machine(request.definition).make_input(dice);
  request.make_context = [input = request.input](ExecutionId id, Timestamp started) {
    return context_of(id, started, input);
  };
  if (!dice.chance(300)) return request;
  request.name = "name-" + std::to_string(dice.below(kNames));
  named_.push_back(request);
  return request;
}

void Clients::start() {
  StartRequest request = make_request();
  StartRequest sent = request;
  scene_.engine->start(std::move(sent), once<engine::Started>("start", [this, request](Result<engine::Started> answer) {
                         if (answer) return ledger_.started(request, *answer);
                         if (answer.error().code == "EXECUTION_ALREADY_EXISTS") return ledger_.name_was_taken(request);
                         expect_trouble(answer.error());
                       }));
}

// One that is known, or one that is not.
ExecutionId Clients::some_execution() {
  if (ledger_.known().empty() || scene_.dice.chance(30)) return ExecutionId(scene_.dice.below(1 << 20));
  return scene_.dice.pick(ledger_.known());
}

void Clients::describe() {
  const ExecutionId id = some_execution();
  const bool was_closed = ledger_.is_closed(id);
  scene_.engine->describe(
      id, once<engine::Description>("describe", [this, id, was_closed](Result<engine::Description> answer) {
        if (answer) return ledger_.described(id, *answer, was_closed);
        if (answer.error().code == "EXECUTION_NOT_FOUND") return ledger_.not_found(id);
        expect_trouble(answer.error());
      }));
}

void Clients::read_facts() {
  const ExecutionId id = some_execution();
  scene_.engine->facts(id,
                       once<std::vector<kernel::Fact>>("reading", [this, id](Result<std::vector<kernel::Fact>> answer) {
                         if (answer) return ledger_.told_facts(id, *answer);
                         if (answer.error().code == "EXECUTION_NOT_FOUND") return ledger_.not_found(id);
                         expect_trouble(answer.error());
                       }));
}

void Clients::stop() {
  const ExecutionId id = some_execution();
  ledger_.asked_to_stop(id);
  scene_.engine->stop(id, Value::empty_object(), once<Timestamp>("stop", [this, id](Result<Timestamp> answer) {
                        if (answer) return ledger_.stopped(id, *answer);
                        if (answer.error().code == "EXECUTION_NOT_FOUND") return ledger_.not_found(id);
                        expect_trouble(answer.error());
                      }));
}

// One that ended without success, most of the time.
ExecutionId Clients::some_failed_execution() {
  store::ListFilter filter;
  filter.status = scene_.dice.chance(500) ? store::ExecutionStatus::kAborted : store::ExecutionStatus::kFailed;
  const auto rows = scene_.store.durable().list_executions(filter);
  return rows.empty() || scene_.dice.chance(100) ? some_execution() : scene_.dice.pick(rows).id;
}

void Clients::redrive() {
  const bool repeats = redriven_ && scene_.dice.chance(300);
  if (!repeats) redriven_ = some_failed_execution();
  const ExecutionId id = redriven_;
  const std::string token = "redrive-" + std::to_string(repeats ? redrives_ : ++redrives_);
  ledger_.asked_to_redrive(id);
  scene_.engine->redrive(id, token, once<Timestamp>("redrive", [this, id, token](Result<Timestamp> answer) {
                           if (answer) return ledger_.redriven(id, token, *answer);
                           if (answer.error().code == "EXECUTION_NOT_FOUND") return ledger_.not_found(id);
                           if (answer.error().code != "EXECUTION_NOT_REDRIVABLE") expect_trouble(answer.error());
                         }));
}

void Clients::beat(const Token& token) {
  scene_.engine->heartbeat(token.execution, token.operation, token.attempt,
                           once<void>("heartbeat", [this, token](Result<void> answer) {
                             if (answer) return ledger_.beat(token);
                             if (is_not_open(answer.error())) return ledger_.nothing_beats(token);
                             expect_trouble(answer.error());
                           }));
}

void Clients::complete(const Token& token, const Value& input, bool well) {
  const TaskAnswer given = well ? ledger_.result_for(token.execution, token.operation, input)
                                : ledger_.failure_for(token.execution, token.operation);
  scene_.engine->complete(token.execution, token.operation, token.attempt, given,
                          once<void>("completion", [this, token, given](Result<void> answer) {
                            if (answer) return ledger_.completed(token, given);
                            if (is_not_open(answer.error())) return ledger_.refused(token, given);
                            expect_trouble(answer.error());
                            ledger_.rolled_back(given);
                          }));
}

void Clients::take(engine::ActivityOffer offer) {
  const Token token{offer.execution, offer.operation, offer.attempt};
  if (!scene_.dice.chance(100)) workers_.offers().erase({token.execution, token.operation});
  scene_.engine->take_activity(offer, "worker",
                               once<engine::ActivityTask>("take", [this, token](Result<engine::ActivityTask> answer) {
                                 if (!answer)
                                   return is_not_open(answer.error()) ? void() : expect_trouble(answer.error());
                                 require(answer->token == token.text(), "an activity has another token");
                                 ledger_.took(token);
                                 workers_.tokens()[token] = answer->input;
                                 work_on(token, answer->input);
                               }));
}

// A worker that beats while it works, most of the time.
void Clients::work_on(const Token& token, const Value& input) {
  Dice& dice = scene_.dice;
  const Duration pause = dice.duration(seconds(2), seconds(19));
  const bool beats = dice.chance(700);
  const uint64_t rounds = dice.below(8);
  Timestamp when = scene_.clock.passed();
  for (uint64_t i = 0; i < rounds && beats; ++i) {
    when += pause;
    scene_.agenda.add(when, [this, token] {
      if (scene_.engine != nullptr) beat(token);
    });
  }
  if (dice.chance(scene_.weather.trouble) && !scene_.is_draining) return;
  const bool well = scene_.is_draining || !dice.chance(scene_.weather.trouble);
  scene_.agenda.add(when + dice.duration(milliseconds(1), seconds(18)), [this, token, input, well] {
    if (scene_.engine != nullptr) complete(token, input, well);
  });
}

}  // namespace pawl::sim
