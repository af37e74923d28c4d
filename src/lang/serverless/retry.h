// Retry definitions: which one takes an error or a result, and when it tries again.
#pragma once

#include <optional>
#include <vector>

#include "base/random.h"
#include "base/time.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

struct RetryDue {
  uint32_t number = 0;  // of the definition, from 0
  Timestamp time{};
};

// Whether an entry of "retry" or "onError" is for an error, which the view has under its names: its expression holds,
// or, in v0.5, it has the name. One with neither fits any error. Null: there is no error, the view is a result.
Attempt<bool> fits(const std::optional<Expression>& expression, std::string_view name, const Value& view,
                   const Value& error);

// The first definition that fits the data and the error (null: there is none, the data is a result) decides: when to
// try again, or nothing where it has no attempts left or none fits. `used` counts the attempts of each definition so
// far; the random numbers are for those with a jitter.
Attempt<std::optional<RetryDue>> find_retry(const std::vector<Retry>& retries, const Value& data, const Value& error,
                                            const std::vector<uint32_t>& used, Timestamp now, Random& random);

}  // namespace pawl::serverless
