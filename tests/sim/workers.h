// The workers of a simulated world: they answer late, twice, wrongly or never; and who hands out tokens and activities.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "engine/activities.h"
#include "engine/task.h"
#include "sim/ledger.h"
#include "sim/scene.h"

namespace pawl::sim {

class Workers final : public engine::TaskHandler, public engine::Activities, public engine::Tokens {
 public:
  Workers(Scene& scene, Ledger& ledger) : scene_(scene), ledger_(ledger) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override { out_.erase(task); }

  bool exists(std::string_view) override { return true; }
  void offer(engine::ActivityOffer offer) override;
  void withdraw(ExecutionId execution, OperationId operation) override { offers_.erase({execution, operation}); }

  std::string mint(ExecutionId execution, OperationId operation, uint32_t attempt) override {
    return Token{execution, operation, attempt}.text();
  }

  // The engine is gone: what it asked for is asked again, and answers to it go nowhere.
  void forget();
  // Whoever kept silent so far answers.
  void answer_all();

  std::map<std::pair<ExecutionId, OperationId>, engine::ActivityOffer>& offers() { return offers_; }
  // Tokens that reached the world, with the input that goes with them; never forgotten.
  std::map<Token, Value>& tokens() { return tokens_; }

 private:
  struct Call {
    Token token;
    engine::TaskRequest request;
    engine::AnswerTask answer;
  };
  TaskAnswer answer_to(const Call& call, bool well);
  void plan(const Call& call);

  Scene& scene_;
  Ledger& ledger_;
  std::map<engine::TaskId, Call> out_;
  std::map<std::pair<ExecutionId, OperationId>, engine::ActivityOffer> offers_;
  std::map<Token, Value> tokens_;
};

}  // namespace pawl::sim
