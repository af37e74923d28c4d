// Signals: what arrives at an execution and makes it take a turn.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/time.h"
#include "json/value.h"
#include "kernel/fact.h"

namespace pawl::kernel {

enum class SignalKind : uint8_t {
  kStart,     // value: input; extra: {"context": the Context Object's fixed part, "inputText": the input as sent,
              // "labels": what its starter wants to know of it later}
  kContinue,  // a turn was cut; go on
  kWake,      // time passed: fire what is due
  kOperationStarted,    // a worker took an activity; value: its name, where it gave one
  kOperationSubmitted,  // the request of a callback was accepted; value: the answer to it
  kOperationEnded,      // outcome; value: result or error
  kStop,                // value: the error
  kRedrive,             // one that closed without success goes on; value: the client's token, or null
  kWaiterAdded,         // value: who else is told when the execution ends
  kRequest,             // value: what the execution's own code asks for; the program answers (Turn::answer)
};

struct Signal {
  SignalKind kind = SignalKind::kWake;
  OperationId operation;
  Outcome outcome = Outcome::kSucceeded;
  Value value;
  Value extra;
};

}  // namespace pawl::kernel
