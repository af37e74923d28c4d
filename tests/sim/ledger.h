// What the world was told, and what it gave: everything that may not be contradicted later.
//
// Each result that a worker gives has a number of its own, so that what was counted can be counted.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sim/history.h"
#include "sim/scene.h"

namespace pawl::sim {

using engine::TaskAnswer;

// A callback's token: it names what waits.
struct Token {
  ExecutionId execution;
  OperationId operation;
  uint32_t attempt = 0;

  std::string text() const;
  static Token parse(std::string_view text);
  friend auto operator<=>(const Token&, const Token&) = default;
};

class Ledger {
 public:
  explicit Ledger(Scene& scene) : scene_(scene) {}

  // --- what the world gives

  // Twice the "x" of the input, or a failure; with a number, for this operation.
  TaskAnswer result_for(ExecutionId execution, OperationId operation, const Value& input);
  TaskAnswer failure_for(ExecutionId execution, OperationId operation);

  // --- what the world is told; each is compared with what is durable at that moment

  void started(const engine::StartRequest& asked, const engine::Started& answer);
  void name_was_taken(const engine::StartRequest& asked);
  bool is_closed(ExecutionId id) const;
  void described(ExecutionId id, const engine::Description& answer, bool was_closed);
  void told_facts(ExecutionId id, const std::vector<kernel::Fact>& facts);
  void asked_to_redrive(ExecutionId id);
  void redriven(ExecutionId id, const std::string& token, Timestamp answer);
  void stopped(ExecutionId id, Timestamp answer);
  void not_found(ExecutionId id);
  void asked_to_stop(ExecutionId id) { stop_asked_.insert(id); }
  void completed(const Token& token, const TaskAnswer& given);
  void refused(const Token& token, const TaskAnswer& given);  // nothing waited for it
  void rolled_back(const TaskAnswer& given);                  // it surely did not count
  void beat(const Token& token);
  // The clock may have been set back while the engine was down: nobody can then tell when the last beats were.
  void forget_beats() { beats_.clear(); }
  void nothing_beats(const Token& token);
  void took(const Token& token);
  // A worker is called, or is offered something, only when that is recorded.
  void called(const Token& token, kernel::Operation::Phase phase, const Value& input);

  const std::vector<ExecutionId>& known() const { return known_; }

  // Of every open execution: what is stored is whole, and marked where something is owed.
  void check_open() const;
  // Everything, of every execution that is stored.
  void check_all(const kernel::Limits& limits, bool can_replay) const;

 private:
  enum class Fate : uint8_t { kUnknown, kAccepted, kRefused };
  struct Given {
    ExecutionId execution;
    OperationId operation;
    Fate fate = Fate::kUnknown;
  };
  std::optional<History> durable(ExecutionId id) const { return read_history(scene_.store.durable(), id); }
  bool is_open(const Token& token) const;
  int64_t give(ExecutionId execution, OperationId operation);
  void check_execution(const History& history, std::map<int64_t, int>& counted) const;
  void check_times(const History& history) const;
  void check_names() const;
  void check_redrives(const History& history) const;
  void check_removed() const;
  bool is_removed(ExecutionId id) const { return scene_.store.removed().contains(id); }

  Scene& scene_;
  std::vector<ExecutionId> known_;                                    // whose start was acknowledged
  std::map<ExecutionId, Value> ends_;                                 // as described: outcome
  std::map<std::pair<std::string, std::string>, ExecutionId> names_;  // by machine and name
  std::map<int64_t, Given> given_;                                    // by number
  std::map<Token, Timestamp> beats_;                                  // the last one
  std::set<Token> taken_;
  std::set<ExecutionId> stop_asked_;
  std::set<ExecutionId> redrive_asked_;  // those may run again
};

}  // namespace pawl::sim
