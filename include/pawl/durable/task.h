// Task<T>: the coroutine that a durable handler, a child context and their helpers are written as.
//
//   durable::Task<int> twice(durable::Context& ctx, int number) {
//     const int one = co_await ctx.step("fetch", [&] { return fetch(number); });
//     co_return one * 2;
//   }
//
// A Task begins when it is awaited and runs on the invocation's own thread. One that waits for an operation which
// nothing in this invocation completes is never resumed: its frame is destroyed, without an exception, after the answer
// of the invocation has left. Destructors of its locals run then; they must not start operations.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace pawl::durable {

template <typename T>
class Task;

namespace detail {

// Told when a coroutine that nobody awaits has reached its end.
class TaskObserver {
 public:
  virtual void task_ended() noexcept = 0;

 protected:
  ~TaskObserver() = default;
};

class PromiseBase {
 public:
  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      PromiseBase& promise = ended.promise();
      if (promise.continuation_) return promise.continuation_;
      if (promise.observer_ != nullptr) promise.observer_->task_ended();
      return std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error_ = std::current_exception(); }

  void continue_with(std::coroutine_handle<> continuation) noexcept { continuation_ = continuation; }
  void observe(TaskObserver* observer) noexcept { observer_ = observer; }
  const std::exception_ptr& error() const noexcept { return error_; }

 private:
  std::coroutine_handle<> continuation_;
  TaskObserver* observer_ = nullptr;
  std::exception_ptr error_;
};

template <typename T>
class Promise : public PromiseBase {
 public:
  Task<T> get_return_object() noexcept;
  template <typename Value>
    requires std::is_constructible_v<T, Value&&>
  void return_value(Value&& value) {
    value_.emplace(std::forward<Value>(value));
  }
  T take() {
    if (error()) std::rethrow_exception(error());
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
};

template <>
class Promise<void> : public PromiseBase {
 public:
  Task<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void take() const {
    if (error()) std::rethrow_exception(error());
  }
};

}  // namespace detail

template <typename T = void>
class [[nodiscard("a Task begins when it is awaited: co_await it")]] Task {
 public:
  using promise_type = detail::Promise<T>;
  using value_type = T;

  Task() noexcept = default;
  explicit Task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}
  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      coroutine_ = std::exchange(other.coroutine_, nullptr);
    }
    return *this;
  }
  ~Task() { destroy(); }

  bool await_ready() const noexcept { return coroutine_.done(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> continuation) noexcept {
    coroutine_.promise().continue_with(continuation);
    return coroutine_;
  }
  T await_resume() { return coroutine_.promise().take(); }

  // For the library: runs the coroutine up to its first wait, and tells `observer` of its end.
  void start(detail::TaskObserver& observer) {
    coroutine_.promise().observe(&observer);
    coroutine_.resume();
  }
  // For the library: what an ended coroutine gave; throws what it threw.
  T take() { return coroutine_.promise().take(); }
  explicit operator bool() const noexcept { return coroutine_ != nullptr; }

 private:
  void destroy() noexcept {
    if (coroutine_) std::exchange(coroutine_, nullptr).destroy();
  }

  std::coroutine_handle<promise_type> coroutine_;
};

namespace detail {

template <typename T>
Task<T> Promise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> Promise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

template <typename T>
inline constexpr bool kIsTask = false;
template <typename T>
inline constexpr bool kIsTask<Task<T>> = true;

template <typename T>
struct Unwrapped {
  using Type = T;
};
template <typename T>
struct Unwrapped<Task<T>> {
  using Type = T;
};
// What awaiting a callable's result gives: T for T and for Task<T>.
template <typename T>
using Unwrap = typename Unwrapped<std::remove_cvref_t<T>>::Type;

}  // namespace detail
}  // namespace pawl::durable
