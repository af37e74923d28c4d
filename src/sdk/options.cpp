// Retry strategies and the delays of polling.
#include "pawl/durable/options.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <random>

namespace pawl::durable {
namespace {

// Delays are recorded by the service, so they need not be the same on a replay.
double random_share() {
  thread_local std::minstd_rand engine(std::random_device{}());
  return std::uniform_real_distribution<double>(0.0, 1.0)(engine);
}

Duration with_jitter(Duration delay, Jitter jitter) {
  double seconds = static_cast<double>(delay.seconds());
  switch (jitter) {
    case Jitter::None:
      break;
    case Jitter::Half:
      seconds *= 0.5 + random_share() / 2;
      break;
    case Jitter::Full:
      seconds *= random_share();
      break;
  }
  return std::chrono::seconds(std::max<std::int64_t>(1, std::llround(std::ceil(seconds))));
}

Duration grown(Duration first, double factor, Duration most, int attempt) {
  const double seconds = static_cast<double>(first.seconds()) * std::pow(factor, attempt - 1);
  const double bounded = std::min(seconds, static_cast<double>(most.seconds()));
  return std::chrono::seconds(std::max<std::int64_t>(1, std::llround(std::ceil(bounded))));
}

}  // namespace

Duration delay_of(const Backoff& backoff, int attempt) {
  return grown(backoff.first, backoff.factor, backoff.most, attempt);
}

Duration next_poll(const Polling& polling, int attempt) {
  if (attempt >= polling.attempts) {
    throw ApplicationError("MaxAttemptsExceeded",
                           "the condition did not hold after " + std::to_string(attempt) + " checks");
  }
  return with_jitter(grown(polling.first, polling.factor, polling.most, attempt), polling.jitter);
}

std::optional<Duration> RetryStrategy::operator()(const Failure& failure) const {
  switch (kind_) {
    case Kind::Unset:
      return std::nullopt;
    case Kind::Decide:
      return decide_(failure);
    case Kind::Custom:
      return (*custom_)(failure);
    case Kind::Backoff:
    case Kind::Linear:
      break;
  }
  if (failure.attempt() >= backoff_.attempts) return std::nullopt;
  if (backoff_.only_if != nullptr && !backoff_.only_if(failure)) return std::nullopt;
  if (kind_ == Kind::Linear)
    return Duration(std::chrono::seconds(backoff_.first.seconds() + growth_.seconds() * (failure.attempt() - 1)));
  return with_jitter(delay_of(backoff_, failure.attempt()), backoff_.jitter);
}

namespace retry {

RetryStrategy none() { return fixed(1, Duration()); }

RetryStrategy backoff(const Backoff& backoff) { return RetryStrategy(backoff); }

RetryStrategy fixed(int attempts, Duration delay) {
  return RetryStrategy(
      Backoff{.attempts = attempts, .first = delay, .factor = 1.0, .most = delay, .jitter = Jitter::None});
}

RetryStrategy linear(int attempts, Duration first, Duration growth) {
  return RetryStrategy(Backoff{.attempts = attempts, .first = first}, growth);
}

RetryStrategy standard() {
  return RetryStrategy(Backoff{.attempts = 6,
                               .first = std::chrono::seconds(5),
                               .factor = 2.0,
                               .most = std::chrono::seconds(60),
                               .jitter = Jitter::Full});
}

RetryStrategy custom(RetryStrategy::Custom strategy) {
  static std::mutex mutex;
  static auto* const kept = new std::deque<RetryStrategy::Custom>;
  const std::lock_guard lock(mutex);
  return RetryStrategy(&kept->emplace_back(std::move(strategy)));
}

}  // namespace retry
}  // namespace pawl::durable
