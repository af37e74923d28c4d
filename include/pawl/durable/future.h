// Future<T>: a durable operation that has been started, to be awaited for its value.
//
//   auto left = ctx.step("left", [] { return 1; });      // both are under way
//   auto right = ctx.step("right", [] { return 2; });
//   const int sum = co_await left + co_await right;
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pawl/durable/errors.h"
#include "pawl/durable/serdes.h"

namespace pawl::durable {
namespace detail {

// The text of a result; absent is not the same as empty or "null".
using Payload = std::optional<std::string>;

class ContextState;
class Invocation;

// An operation as the code that awaits it sees it. Lives on the invocation's thread.
class Operation : public std::enable_shared_from_this<Operation> {
 public:
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  bool settled() const noexcept { return settled_; }
  bool succeeded() const noexcept { return settled_ && !error_; }
  const std::exception_ptr& error() const noexcept { return error_; }
  // What it gave; throws what it failed with.
  const Payload& payload() const {
    if (error_) std::rethrow_exception(error_);
    return payload_;
  }
  // Resumes the coroutine once the operation has settled, if it does so in this invocation.
  void await(std::coroutine_handle<> waiter);
  // A recorded value does not read back: the execution fails, whatever the caller does with the exception that follows.
  void give_up(const std::exception& problem);
  // The code goes on from here: its time is now that of this operation's end.
  virtual void consumed() {}
  // Destroys the frames that it holds.
  virtual void release() noexcept {}
  // Calls `listener` once the operation has settled, at once if it has.
  void listen(std::function<void()> listener);

  // Those who may still ask for the value. What nobody can ask for any more is released.
  void add_reader() noexcept { readers_.fetch_add(1, std::memory_order_relaxed); }
  void drop_reader() noexcept;

 protected:
  explicit Operation(Invocation& invocation) : invocation_(invocation) {}

  void settle(Payload payload);
  void settle(std::exception_ptr error);
  virtual void on_settled() {}

  Invocation& invocation_;

 private:
  friend class Invocation;
  struct Waiter {
    std::coroutine_handle<> coroutine;
    ContextState* context;
  };
  void wake();

  const std::thread::id thread_ = std::this_thread::get_id();
  std::atomic<int> readers_ = 0;
  bool is_unread_ = false;  // it had readers, and has none
  bool settled_ = false;
  Payload payload_;
  std::exception_ptr error_;
  std::vector<Waiter> waiters_;
  std::vector<std::function<void()>> listeners_;
};

// One of those who may ask for an operation's value. Copies are readers of their own.
class Reader {
 public:
  explicit Reader(std::shared_ptr<Operation> operation) noexcept : operation_(std::move(operation)) {
    operation_->add_reader();
  }
  Reader(const Reader& other) noexcept : operation_(other.operation_) {
    if (operation_) operation_->add_reader();
  }
  Reader(Reader&& other) noexcept = default;
  Reader& operator=(Reader other) noexcept {
    operation_.swap(other.operation_);
    return *this;
  }
  ~Reader() {
    if (operation_) operation_->drop_reader();
  }

  const std::shared_ptr<Operation>& operation() const noexcept { return operation_; }

 private:
  std::shared_ptr<Operation> operation_;
};

}  // namespace detail

template <typename T>
class [[nodiscard("co_await the operation, or its result and its errors are lost")]] Future {
 public:
  using value_type = T;
  using Decode = std::function<T(const detail::Payload&)>;

  Future(std::shared_ptr<detail::Operation> operation, Decode decode)
      : reader_(std::move(operation)), decode_(std::move(decode)) {}

  bool await_ready() const noexcept { return operation()->settled(); }
  void await_suspend(std::coroutine_handle<> waiter) { operation()->await(waiter); }
  T await_resume() const {
    operation()->consumed();
    return value();
  }

  // For the library: the value of a settled operation; throws what it failed with.
  T value() const {
    const detail::Payload& payload = operation()->payload();
    try {
      return decode_(payload);
    } catch (const Error&) {
      throw;  // of an operation that a combinator stands for
    } catch (const std::exception& problem) {
      operation()->give_up(problem);
      throw;
    }
  }
  const std::shared_ptr<detail::Operation>& operation() const noexcept { return reader_.operation(); }

 private:
  detail::Reader reader_;
  Decode decode_;
};

template <>
class [[nodiscard("co_await the operation, or its errors are lost")]] Future<void> {
 public:
  using value_type = void;

  explicit Future(std::shared_ptr<detail::Operation> operation) : reader_(std::move(operation)) {}

  bool await_ready() const noexcept { return operation()->settled(); }
  void await_suspend(std::coroutine_handle<> waiter) { operation()->await(waiter); }
  void await_resume() const {
    operation()->consumed();
    value();
  }

  void value() const { static_cast<void>(operation()->payload()); }
  const std::shared_ptr<detail::Operation>& operation() const noexcept { return reader_.operation(); }

 private:
  detail::Reader reader_;
};

namespace detail {

void cancel_wait(Operation& operation);

// A value where void stands in a list.
template <typename T>
using NotVoid = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <typename T>
Future<T> make_future(std::shared_ptr<Operation> operation, Serdes<NotVoid<T>> serdes) {
  if constexpr (std::is_void_v<T>) {
    return Future<void>(std::move(operation));
  } else {
    return Future<T>(std::move(operation),
                     [serdes = std::move(serdes)](const Payload& payload) { return decode_payload(serdes, payload); });
  }
}

template <typename T>
NotVoid<T> value_of(const Future<T>& future) {
  if constexpr (std::is_void_v<T>) {
    future.value();
    return {};
  } else {
    return future.value();
  }
}

}  // namespace detail

// A wait that can be ended early.
class [[nodiscard("co_await the wait, or it waits for nobody")]] Wait : public Future<void> {
 public:
  using Future<void>::Future;

  // Ends the wait now; nothing happens where it has ended.
  void cancel() { detail::cancel_wait(*operation()); }
};

// What an external system completes by its id.
template <typename T>
class Callback {
 public:
  Callback(std::string id, Future<T> result) : id_(std::move(id)), result_(std::move(result)) {}

  // To be handed to the system that answers.
  const std::string& id() const noexcept { return id_; }
  // The answer. Throws CallbackError, or CallbackTimeoutError.
  Future<T> result() const { return result_; }

 private:
  std::string id_;
  Future<T> result_;
};

// One of the outcomes of all_settled.
template <typename T>
struct Settled {
  std::optional<T> value;
  std::exception_ptr error;

  explicit operator bool() const noexcept { return value.has_value(); }
};

}  // namespace pawl::durable
