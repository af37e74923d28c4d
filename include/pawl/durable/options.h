// What can be chosen for an operation: durations, retry and wait strategies, completion policies.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "pawl/durable/errors.h"

namespace pawl::durable {

// A duration in whole seconds, which is what the service counts in. Any chrono duration converts to it and is rounded
// up: 1500ms is 2 s. Days, weeks, months and years are std::chrono::days to std::chrono::years.
class Duration {
 public:
  constexpr Duration() noexcept = default;
  template <typename Rep, typename Period>
  constexpr Duration(std::chrono::duration<Rep, Period> duration)
      : seconds_(std::chrono::ceil<std::chrono::seconds>(duration)) {}

  constexpr std::int64_t seconds() const noexcept { return seconds_.count(); }

 private:
  std::chrono::seconds seconds_{0};
};

// One failed attempt of a step, as a retry strategy sees it.
class Failure {
 public:
  Failure(std::exception_ptr exception, ErrorObject error, int attempt)
      : exception_(std::move(exception)), error_(std::move(error)), attempt_(attempt) {}

  // True where the attempt threw an E or something derived from it.
  template <typename E>
  bool is() const {
    try {
      std::rethrow_exception(exception_);
    } catch (const E&) {
      return true;
    } catch (...) {
      return false;
    }
  }
  const ErrorObject& error() const noexcept { return error_; }
  // 1 for the first attempt.
  int attempt() const noexcept { return attempt_; }

 private:
  std::exception_ptr exception_;
  ErrorObject error_;
  int attempt_;
};

enum class Jitter {
  None,  // the delay itself
  Half,  // between half of it and all of it
  Full,  // between nothing and all of it, rounded up to a second
};

struct Backoff {
  int attempts = 3;  // all of them, the first included
  Duration first = std::chrono::seconds(5);
  double factor = 2.0;
  Duration most = std::chrono::seconds(300);
  Jitter jitter = Jitter::Full;
  bool (*only_if)(const Failure&) = nullptr;  // a lambda without captures; empty: every failure is retried
};

// Decides after a failed attempt: the delay before the next one, or none where the step has failed. A lambda without
// captures is a strategy; for one with captures there is retry::custom.
//
// It has no destructor to run, and neither has anything else in the options of operations: g++ 12 destroys the members
// of an aggregate twice that is made inside of a co_await expression.
class RetryStrategy {
 public:
  using Decide = std::optional<Duration> (*)(const Failure&);
  using Custom = std::function<std::optional<Duration>(const Failure&)>;

  constexpr RetryStrategy() noexcept = default;
  constexpr RetryStrategy(const Backoff& backoff) : kind_(Kind::Backoff), backoff_(backoff) {}
  constexpr RetryStrategy(const Backoff& backoff, Duration growth)
      : kind_(Kind::Linear), backoff_(backoff), growth_(growth) {}
  explicit constexpr RetryStrategy(const Custom* custom) : kind_(Kind::Custom), custom_(custom) {}
  template <typename F>
    requires std::is_convertible_v<F, Decide>
  constexpr RetryStrategy(F decide) : kind_(Kind::Decide), decide_(decide) {}

  explicit operator bool() const noexcept { return kind_ != Kind::Unset; }
  std::optional<Duration> operator()(const Failure& failure) const;

 private:
  enum class Kind { Unset, Backoff, Linear, Decide, Custom };

  Kind kind_ = Kind::Unset;
  Backoff backoff_ = {};
  Duration growth_ = {};
  Decide decide_ = nullptr;
  const Custom* custom_ = nullptr;
};

namespace retry {
RetryStrategy none();
RetryStrategy backoff(const Backoff& backoff = {});
RetryStrategy fixed(int attempts, Duration delay);
// 6 attempts; 1 s, 2 s, 3 s …
RetryStrategy linear(int attempts = 6, Duration first = std::chrono::seconds(1),
                     Duration growth = std::chrono::seconds(1));
// What a step does without options: 6 attempts, 5 s doubled up to 60 s, full jitter.
RetryStrategy standard();
// Keeps the function until the program ends: to be made once, not for each call.
RetryStrategy custom(RetryStrategy::Custom strategy);
}  // namespace retry

// The delay of the n-th attempt (1 for the first) of a backoff, without jitter.
Duration delay_of(const Backoff& backoff, int attempt);

enum class StepSemantics {
  AtLeastOnce,  // an interrupted step runs again
  AtMostOnce,  // its start is durable before it runs; an interrupted attempt counts as failed with StepInterruptedError
};

struct StepOptions {
  RetryStrategy retry = {};  // empty: the configuration's
  StepSemantics semantics = StepSemantics::AtLeastOnce;
  // The attempt fails with StepTimeoutError after this; zero: never. A thread cannot be ended from outside: the body is
  // asked to stop through StepContext::stop_token(), and the operation goes on once it has returned.
  std::chrono::milliseconds timeout{0};
};

struct CallbackOptions {
  Duration timeout = {};            // zero: none
  Duration heartbeat_timeout = {};  // zero: none
};

struct WaitForCallbackOptions {
  Duration timeout = {};
  Duration heartbeat_timeout = {};
  RetryStrategy retry = {};  // of the submitter
};

struct InvokeOptions {
  std::string_view tenant_id = {};
};

// Decides after a check of wait_for_condition: the delay before the next check, or empty where the state is final.
// `attempt` is 1 after the first check.
template <typename State>
using WaitStrategy = std::function<std::optional<Duration>(const State&, int attempt)>;

// Goes on while `unfinished` holds; throws when the attempts run out, which fails the operation.
struct Polling {
  int attempts = 60;
  Duration first = std::chrono::seconds(5);
  double factor = 1.5;
  Duration most = std::chrono::seconds(300);
  Jitter jitter = Jitter::Full;
};

// The delay after that attempt; throws ApplicationError "MaxAttemptsExceeded" after the last.
Duration next_poll(const Polling& polling, int attempt);

template <typename State, typename Predicate>
WaitStrategy<State> poll_while(Predicate unfinished, Polling polling = {}) {
  return [unfinished, polling](const State& state, int attempt) -> std::optional<Duration> {
    if (!unfinished(state)) return std::nullopt;
    return next_poll(polling, attempt);
  };
}

// When map and parallel end before all of their items have. Without any of these the first failure ends them; as soon
// as one is set, only those set count. Started items that had not ended stay STARTED and are not resumed.
struct Completion {
  std::optional<std::size_t> min_successful = {};
  std::optional<std::size_t> tolerated_failures = {};
  std::optional<double> tolerated_failure_percentage = {};

  static Completion all_items() { return {.tolerated_failures = SIZE_MAX}; }
};

enum class Nesting {
  Nested,  // a CONTEXT operation for each item
  Flat,    // none: the operations of the items stand below the map itself; fewer operations
};

// A callable of an item's index that gives its name. It is called before the operation that it was given to returns, so
// it may be a temporary.
class ItemNamer {
 public:
  constexpr ItemNamer() noexcept = default;
  template <typename F>
    requires std::is_invocable_r_v<std::string, const F&, std::size_t>
  constexpr ItemNamer(const F& namer) noexcept
      : namer_(&namer), call_([](const void* object, std::size_t index) -> std::string {
          return (*static_cast<const F*>(object))(index);
        }) {}

  explicit operator bool() const noexcept { return call_ != nullptr; }
  std::string operator()(std::size_t index) const { return call_(namer_, index); }

 private:
  const void* namer_ = nullptr;
  std::string (*call_)(const void*, std::size_t) = nullptr;
};

struct BatchOptions {
  std::optional<std::size_t> max_concurrency = {};  // at least 1; empty: all at once
  Completion completion = {};
  Nesting nesting = Nesting::Nested;
  ItemNamer name_of = {};  // empty: map-item-N, or the branch's own name, or parallel-branch-N
};

// How soon progress is made durable.
enum class CheckpointMode {
  Eager,       // an operation goes on when its end is durable
  Batched,     // steps go on at once; what they recorded is sent together, soon
  Optimistic,  // sent when the function waits or ends; a crash repeats more
};

}  // namespace pawl::durable
