// The tokens of callbacks and of checkpoints: each names its operation and is signed, so that none has to be stored.
// They have letters and digits only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "server/signer.h"

namespace pawl::server {

struct TaskName {
  ExecutionId execution;
  OperationId operation;
  uint32_t attempt = 0;

  friend bool operator==(const TaskName&, const TaskName&) = default;
};

// Any thread may call it.
class TaskTokens final : public engine::Tokens {
 public:
  explicit TaskTokens(const Signer& signer) : signer_(signer) {}

  std::string mint(ExecutionId execution, OperationId operation, uint32_t attempt) override;
  // Nothing where this server's key did not sign the token.
  std::optional<TaskName> read(std::string_view token) const;

 private:
  const Signer& signer_;
};

}  // namespace pawl::server
