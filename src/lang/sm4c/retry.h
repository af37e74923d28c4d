// Retry policies: when something is tried again.
#pragma once

#include "base/random.h"
#include "base/time.h"
#include "lang/sm4c/failure.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

inline constexpr double kRetryDelayMsMax = 1e14;  // more than three thousand years

// When to try again after `retries` retries. Failure: StateMachine.TimeTooFar.
Attempt<Timestamp> next_try(const RetryPolicy& policy, uint32_t retries, Timestamp now, Random& random);

}  // namespace pawl::sm4c
