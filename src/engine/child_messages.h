// The messages between a parent and its children, as the store keeps them: JSON.
//
//   {"kind": "ended", "operation", "attempt", "accepted", "outcome": "succeeded" | "failed", "value"}   to the parent
//   {"kind": "stop", "operation", "attempt"}    of the parent to itself: it looks for the child, which may not be there
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/children.h"

namespace pawl::engine {

struct ChildMessage {
  enum class Kind : uint8_t { kEnded, kStop };
  Kind kind = Kind::kEnded;
  OperationId operation;
  uint32_t attempt = 0;
  ChildEnd end;  // of kEnded
};

std::string encode(const ChildMessage& message);
// Error: MESSAGE_MALFORMED.
Result<ChildMessage> decode_child_message(std::string_view body);

}  // namespace pawl::engine
