// How the engine hands activities to workers that ask for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "json/value.h"

namespace pawl::engine {

// An operation that waits for a worker. It holds no input: what waits may be much, and stays in the store.
struct ActivityOffer {
  ExecutionId execution;
  OperationId operation;
  uint32_t attempt = 0;
  std::string resource;  // the activity's ARN
};

// What a worker gets.
struct ActivityTask {
  std::string token;
  json::Value input;
};

// Where offers wait for workers. Called on the shards' threads: implementations are thread-safe and do not block.
class Activities {
 public:
  virtual ~Activities() = default;

  // False: no worker can ever ask for it.
  virtual bool exists(std::string_view resource) = 0;
  // Offering again what is offered changes nothing: after a restart or a failed commit the engine does.
  virtual void offer(ActivityOffer offer) = 0;
  // Nobody waits for it any more. Of one that is not offered: nothing.
  virtual void withdraw(ExecutionId execution, OperationId operation) = 0;
};

}  // namespace pawl::engine
