// The clients of a simulated world: they start, stop and ask, complete what they have a token for, once or twice, in
// time or not, and believe every answer.
#pragma once

#include <string>
#include <vector>

#include "sim/ledger.h"
#include "sim/scene.h"
#include "sim/workers.h"

namespace pawl::sim {

class Clients {
 public:
  Clients(Scene& scene, Ledger& ledger, Workers& workers) : scene_(scene), ledger_(ledger), workers_(workers) {}

  // One of them does something.
  void act();
  void start();
  void complete(const Token& token, const Value& input, bool well);
  void take(engine::ActivityOffer offer);

  uint64_t unanswered() const { return unanswered_; }
  // The engine is gone, with every question that it had not answered.
  void forget() {
    ++incarnation_;
    unanswered_ = 0;
  }

 private:
  // Wraps what is done with an answer: it comes once.
  template <typename T, typename Act>
  engine::Answer<T> once(const char* question, Act act);
  engine::StartRequest make_request();
  void describe();
  void read_facts();
  void stop();
  void redrive();
  ExecutionId some_failed_execution();
  void beat(const Token& token);
  void work_on(const Token& token, const Value& input);
  ExecutionId some_execution();
  void expect_trouble(const Error& error) const;

  Scene& scene_;
  Ledger& ledger_;
  Workers& workers_;
  std::vector<engine::StartRequest> named_;  // to be repeated
  ExecutionId redriven_;                     // the last, to be repeated with its token
  uint64_t redrives_ = 0;
  uint64_t unanswered_ = 0;
  uint64_t incarnation_ = 0;
};

}  // namespace pawl::sim
