#include "sim/workers.h"

namespace pawl::sim {

using engine::TaskRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

bool is_named(const TaskRequest& request, std::string_view function) { return request.resource.ends_with(function); }

}  // namespace

TaskAnswer Workers::answer_to(const Call& call, bool well) {
  const bool breaks = is_named(call.request, ":break") || !well;
  if (breaks) return ledger_.failure_for(call.token.execution, call.token.operation);
  if (call.request.waits_for_token) return TaskAnswer::submitted(Value::string("queued"));
  return ledger_.result_for(call.token.execution, call.token.operation, call.request.input);
}

engine::TaskHandler::Expect Workers::start(const TaskRequest& request, engine::AnswerTask answer) {
  Call call{Token::parse(request.idempotency_key), request, std::move(answer)};
  call.token.attempt = request.attempt;
  ledger_.called(call.token, kernel::Operation::Phase::kStarted, request.input);
  if (request.waits_for_token) tokens_[Token::parse(request.input.find("token")->as_string())] = request.input;
  out_[request.task] = call;
  if (is_named(request, ":never")) return Expect::kNothing;
  plan(call);
  return Expect::kAnswer;
}

void Workers::plan(const Call& call) {
  Dice& dice = scene_.dice;
  const bool has_trouble = !scene_.is_draining && dice.chance(scene_.weather.trouble);
  if (!has_trouble && dice.chance(200)) return call.answer(answer_to(call, true));
  const uint64_t kind = has_trouble ? dice.below(5) : 5;
  if (kind == 0) return;  // never
  const bool late = kind == 1;
  const bool well = kind != 2 && kind != 3;
  const Duration delay = late ? dice.duration(seconds(15), seconds(7200)) : dice.duration(milliseconds(1), seconds(8));
  const auto give = [this, call, well] { call.answer(answer_to(call, well)); };
  scene_.agenda.add(scene_.clock.passed() + delay, give);
  if (kind == 4) scene_.agenda.add(scene_.clock.passed() + delay + dice.duration(milliseconds(0), seconds(30)), give);
}

void Workers::offer(engine::ActivityOffer offer) {
  const Token token{offer.execution, offer.operation, offer.attempt};
  const auto history = read_history(scene_.store.durable(), token.execution);
  const auto* operation = history ? history->execution->find_operation(token.operation) : nullptr;
  ledger_.called(token, kernel::Operation::Phase::kScheduled, operation == nullptr ? Value() : operation->input);
  offers_[{offer.execution, offer.operation}] = std::move(offer);
}

void Workers::forget() {
  out_.clear();
  offers_.clear();
}

void Workers::answer_all() {
  std::vector<Call> silent;
  for (const auto& [task, call] : out_)
    if (!is_named(call.request, ":never")) silent.push_back(call);
  out_.clear();
  for (const Call& call : silent) call.answer(answer_to(call, true));
}

}  // namespace pawl::sim
