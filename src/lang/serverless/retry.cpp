#include "lang/serverless/retry.h"

#include <algorithm>

#include "lang/serverless/filter.h"

namespace pawl::serverless {

namespace {

constexpr uint64_t kAttemptsByDefault = 1;

// The smaller of "R5/…" and maxAttempts.
Attempt<uint64_t> attempts_of(const Retry& retry, const Value& view) {
  if (!retry.max_attempts) return retry.repetitions.value_or(kAttemptsByDefault);
  const auto attempts = attempt(retry.max_attempts->evaluate(view));
  if (!attempts) return std::unexpected(attempts.error());
  const auto limit = static_cast<uint64_t>(*attempts);
  return retry.repetitions ? std::min<uint64_t>(limit, *retry.repetitions) : limit;
}

// The interval, and the multiplier once more for each attempt before.
Result<Timestamp> time_of(const Retry& retry, uint32_t used, Timestamp now) {
  text::CalendarDuration wait;
  if (retry.interval) wait = retry.interval->value;
  if (retry.multiplier) {
    PAWL_TRY(const auto added, text::times(retry.multiplier->value, used));
    PAWL_TRY(wait, text::plus(wait, added));
  }
  return text::add(now, wait);
}

}  // namespace

Attempt<std::optional<RetryDue>> find_retry(const std::vector<Retry>& retries, const Value& data, const Value& error,
                                            const std::vector<uint32_t>& used, Timestamp now) {
  if (retries.empty()) return std::nullopt;
  const Value view = error_view(data, error);
  for (uint32_t i = 0; i < retries.size(); ++i) {
    const auto& expression = retries[i].expression;
    const auto fits = expression ? attempt(expression->test(view)) : Attempt<bool>(!error.is_null());
    if (!fits) return std::unexpected(fits.error());
    if (!*fits) continue;
    const auto attempts = attempts_of(retries[i], view);
    if (!attempts) return std::unexpected(attempts.error());
    const uint32_t so_far = i < used.size() ? used[i] : 0;
    if (so_far >= *attempts) return std::nullopt;
    const auto due = attempt(time_of(retries[i], so_far, now));
    if (!due) return std::unexpected(due.error());
    return RetryDue{i, *due};
  }
  return std::nullopt;
}

}  // namespace pawl::serverless
