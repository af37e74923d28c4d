#include "lang/serverless/retry.h"

#include <algorithm>
#include <cmath>

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
Result<Timestamp> steady_time_of(const Retry& retry, uint32_t used, Timestamp now) {
  text::CalendarDuration wait;
  if (retry.interval) wait = retry.interval->value;
  if (retry.multiplier) {
    PAWL_TRY(const auto added, text::times(retry.multiplier->value, used));
    PAWL_TRY(wait, text::plus(wait, added));
  }
  return text::add(now, wait);
}

// How far the jitter reaches to both sides, in milliseconds: a part of the wait, or a time of its own.
Result<double> reach_of(const Retry& retry, Timestamp now, Timestamp due) {
  if (retry.relative_jitter) return *retry.relative_jitter * static_cast<double>((due - now).count());
  if (!retry.absolute_jitter) return 0.0;
  PAWL_TRY(const Timestamp end, text::add(now, retry.absolute_jitter->value));
  return static_cast<double>((end - now).count());
}

Result<Timestamp> time_of(const Retry& retry, uint32_t used, Timestamp now, Random& random) {
  PAWL_TRY(const Timestamp due, steady_time_of(retry, used, now));
  PAWL_TRY(const double reach, reach_of(retry, now, due));
  if (reach == 0) return due;
  const double swing = 2 * random.unit() - 1;
  PAWL_TRY(const Timestamp moved, text::add(due, {.months = 0, .rest = Duration(std::llround(reach * swing))}));
  return std::max(moved, now);
}

}  // namespace

Attempt<bool> fits(const std::optional<Expression>& expression, std::string_view name, const Value& view,
                   const Value& error) {
  if (expression) return attempt(expression->test(view));
  if (error.is_null()) return false;
  return name.empty() || *error.find("name") == Value::string(name);
}

Attempt<std::optional<RetryDue>> find_retry(const std::vector<Retry>& retries, const Value& data, const Value& error,
                                            const std::vector<uint32_t>& used, Timestamp now, Random& random) {
  if (retries.empty()) return std::nullopt;
  const Value view = error_view(data, error);
  for (uint32_t i = 0; i < retries.size(); ++i) {
    const auto is_for = fits(retries[i].expression, retries[i].error, view, error);
    if (!is_for) return std::unexpected(is_for.error());
    if (!*is_for) continue;
    const auto attempts = attempts_of(retries[i], view);
    if (!attempts) return std::unexpected(attempts.error());
    const uint32_t so_far = i < used.size() ? used[i] : 0;
    if (so_far >= *attempts) return std::nullopt;
    const auto due = attempt(time_of(retries[i], so_far, now, random));
    if (!due) return std::unexpected(due.error());
    return RetryDue{i, *due};
  }
  return std::nullopt;
}

}  // namespace pawl::serverless
