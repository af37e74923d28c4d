// The durable engine: many executions, in a store, on shards.
//
// Every call returns at once; its answer comes later, on a shard's thread, and only once everything it tells of is
// durable. An answer must not block. Overload is an answer too: ENGINE_OVERLOADED.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/programs.h"
#include "engine/task.h"
#include "engine/writer.h"
#include "kernel/execution.h"
#include "kernel/turn.h"
#include "store/store.h"

namespace pawl::engine {

template <typename T>
using Answer = std::move_only_function<void(Result<T>)>;

// Writes and reads the tokens of callbacks. Called on the shards' threads.
class Tokens {
 public:
  virtual ~Tokens() = default;
  virtual std::string mint(ExecutionId execution, OperationId operation, uint32_t attempt) = 0;
};

struct EngineOptions {
  uint32_t shards = 1;
  kernel::Limits limits;
  Duration retention = std::chrono::hours(24 * 90);
  size_t mailbox_max = 10'000;  // starts that wait in one shard; completions may take as many again
  size_t loaded_max = 10'000;   // executions that one shard keeps in memory while their tasks are out
};

struct StartRequest {
  DefinitionId definition;
  std::string name;  // empty: the engine gives one
  Value input;
  std::string input_text;
  // Called with the id and the start time: the Context Object's fixed part.
  std::function<Value(ExecutionId, Timestamp)> make_context;
};

struct Started {
  ExecutionId execution;
  Timestamp started{};
  bool is_new = true;  // false: the same name and input were started before, and it still runs
};

// What an execution is, at one moment.
struct Description {
  store::ExecutionRow row;
  kernel::Status status = kernel::Status::kNotStarted;
  Value input;
  Value input_text;  // as sent; null where it prints the same
  Value outcome;     // output or {"Error", "Cause"}
};

class Engine {
 public:
  // Takes the shards of the store and begins with what was under way. Errors: the store's.
  static Result<std::unique_ptr<Engine>> open(store::Store& store, Programs& programs, TaskHandler& tasks,
                                              Tokens& tokens, const Clock& clock, const EngineOptions& options);
  ~Engine();  // lets running turns end; what is in flight is found again by the next open

  // Errors: EXECUTION_ALREADY_EXISTS, DEFINITION_MISSING, ENGINE_OVERLOADED, the store's.
  void start(StartRequest request, Answer<Started> answer);
  // Error: EXECUTION_NOT_FOUND.
  void describe(ExecutionId id, Answer<Description> answer);
  // Every fact so far.
  void facts(ExecutionId id, Answer<std::vector<kernel::Fact>> answer);
  // Ends it with the error given ({"Error", "Cause"}, either may be absent); the time at which it ended. One that is
  // closed stays as it is.
  void stop(ExecutionId id, Value error, Answer<Timestamp> answer);
  // What arrived for an operation. Error: OPERATION_NOT_OPEN where nothing waits for it (any more).
  void complete(ExecutionId id, OperationId operation, uint32_t attempt, TaskAnswer result, Answer<void> answer);
  // Error: OPERATION_NOT_OPEN.
  void heartbeat(ExecutionId id, OperationId operation, uint32_t attempt, Answer<void> answer);

  // Documents are kept for whoever keeps the definitions; durable when the answer comes.
  void put_documents(std::vector<store::Document> documents, Answer<void> answer);

  WriterStatistics statistics() const;

 private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace pawl::engine
