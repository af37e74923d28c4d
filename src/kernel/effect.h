// Effects: what the world must be told once the facts are durable. They follow from the state before a fact and the
// fact.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "kernel/execution.h"
#include "kernel/fact.h"

namespace pawl::kernel {

// kSubscribe, kUnsubscribe and kPublish are written to the store in the commit of the facts that they follow from.
enum class EffectKind : uint8_t {
  kDispatch,     // call the operation's resource
  kOffer,        // put the activity in its queue
  kCancel,       // nobody waits for the operation any more
  kCancelChild,  // as kCancel, and the execution that it started is to be stopped
  kClosed,       // the execution ended: tell who waits for it
  kSubscribe,    // the operation waits for an event
  kUnsubscribe,  // the event came, or the operation waits for none any more
  kPublish,      // event: the execution produced it
};

struct Effect {
  EffectKind kind = EffectKind::kDispatch;
  OperationId operation;
  uint32_t attempt = 0;  // of a cancelled child
  Value event{};         // published

  friend bool operator==(const Effect&, const Effect&) = default;
};

void derive_effects(const Execution& before, const Fact& fact, std::vector<Effect>& effects);

}  // namespace pawl::kernel
