// A turn: one signal taken to quiescence. Deciders append facts to it; each is applied to the execution at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "kernel/effect.h"
#include "kernel/execution.h"
#include "kernel/fact.h"

namespace pawl::kernel {

inline constexpr size_t kTurnFactsMax = 4096;  // then the turn is cut, so that no loop starves the others

struct Limits {
  uint32_t events_max = 25'000;
  size_t payload_bytes_max = 262'144;
};

// What a turn may ask of the world. Everything it answers ends up in facts.
class TurnServices {
 public:
  virtual ~TurnServices() = default;
  virtual Timestamp now() const = 0;
  virtual Random& random() = 0;
  virtual std::string task_token(OperationId operation, uint32_t attempt) = 0;
  virtual Timestamp last_heartbeat(OperationId operation) const = 0;  // Timestamp{} where there was none
  virtual bool has_activity(std::string_view resource) const = 0;     // false: no worker can ever ask for it
};

class Turn {
 public:
  Turn(Execution& execution, TurnServices& services, const Limits& limits, std::vector<Fact>& facts,
       std::vector<Effect>& effects)
      : execution_(execution),
        services_(services),
        limits_(limits),
        now_(services.now()),
        facts_(facts),
        effects_(effects),
        first_(facts.size()) {}

  const Execution& execution() const { return execution_; }
  const Limits& limits() const { return limits_; }
  TurnServices& services() { return services_; }
  Timestamp now() const { return now_; }                                     // the same throughout the turn
  Timestamp time() const { return std::max(now_, execution_.last_time()); }  // of the next fact

  // Stamps the fact, derives its effects, applies it and records it.
  void append(Fact&& fact);

  // As append, for a fact that shows in the history: gives it the next event id, following `previous`.
  void append_event(Fact&& fact, EventId previous);
  // Following the end of its scope's chain.
  void append_event(Fact&& fact);

  // To the signal, where it asks for one (kRequest). A refusal comes before the first fact.
  void set_answer(Result<Value> answer) { answer_ = std::move(answer); }
  std::optional<Result<Value>> take_answer() { return std::exchange(answer_, std::nullopt); }

  bool is_full() const { return facts_.size() - first_ >= kTurnFactsMax; }

 private:
  Execution& execution_;
  TurnServices& services_;
  const Limits& limits_;
  Timestamp now_;
  std::vector<Fact>& facts_;
  std::vector<Effect>& effects_;
  size_t first_;
  std::optional<Result<Value>> answer_;
};

}  // namespace pawl::kernel
