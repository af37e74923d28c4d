// Retry definitions: which one takes an error or a result, and when it tries again.
#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

struct RetryDue {
  uint32_t number = 0;  // of the definition, from 0
  Timestamp time{};
};

// The first definition whose expression holds for the data and the error (null: there is none, the data is a result)
// decides: when to try again, or nothing where it has no attempts left or none fits. One without an expression fits any
// error. `used` counts the attempts of each definition so far.
Attempt<std::optional<RetryDue>> find_retry(const std::vector<Retry>& retries, const Value& data, const Value& error,
                                            const std::vector<uint32_t>& used, Timestamp now);

}  // namespace pawl::serverless
