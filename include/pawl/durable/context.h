// Context: the durable operations of a handler, of a child context, of a branch.
//
// Operations are known by their place: the n-th operation of a context is the same one on each replay, so the code
// between them must be deterministic (docs/durable-functions.md says how). Each branch uses the context that it was
// given, and no other; a step's body uses none.
//
// Threads: a context belongs to the invocation's thread. Step bodies run on others, several at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pawl/durable/batch.h"
#include "pawl/durable/future.h"
#include "pawl/durable/log.h"
#include "pawl/durable/options.h"
#include "pawl/durable/task.h"

namespace pawl::durable {

class Context;

// What the body of a step may ask for.
class StepContext {
 public:
  StepContext(Logger logger, int attempt, std::stop_token stop)
      : logger_(std::move(logger)), attempt_(attempt), stop_(std::move(stop)) {}

  const Logger& logger() const noexcept { return logger_; }
  // 1 for the first attempt.
  int attempt() const noexcept { return attempt_; }
  // Asks the body to return: its timeout has passed, or nobody needs its result any more.
  const std::stop_token& stop_token() const noexcept { return stop_; }

 private:
  Logger logger_;
  int attempt_;
  std::stop_token stop_;
};

// A branch of parallel: a callable of Context&, coroutine or not, with a name or without.
template <typename T>
class Branch {
 public:
  template <typename F>
    requires std::is_invocable_v<F&, Context&>
  Branch(F branch_body) : Branch(std::string(), std::move(branch_body)) {}
  template <typename F>
    requires std::is_invocable_v<F&, Context&>
  Branch(std::string branch_name, F branch_body) : name(std::move(branch_name)) {
    if constexpr (detail::kIsTask<std::invoke_result_t<F&, Context&>>) {
      body = std::move(branch_body);
    } else {
      body = [kept = std::make_shared<F>(std::move(branch_body))](Context& context) {
        return run_plain(kept, context);
      };
    }
  }

  std::string name;
  std::function<Task<T>(Context&)> body;

 private:
  template <typename F>
  static Task<T> run_plain(std::shared_ptr<F> kept, Context& context) {
    co_return (*kept)(context);
  }
};

// A branch with a name.
template <typename F>
auto branch(std::string name, F body) {
  return Branch<detail::Unwrap<std::invoke_result_t<F&, Context&>>>(std::move(name), std::move(body));
}

namespace detail {

template <typename F>
struct BranchValue {
  using Type = Unwrap<std::invoke_result_t<F&, Context&>>;
};
template <typename T>
struct BranchValue<Branch<T>> {
  using Type = T;
};

}  // namespace detail

// The branches of parallel, of one type of result: ctx.parallel("both", durable::branches(left, right)). For results of
// several types let them give Json.
template <typename First, typename... Rest>
auto branches(First first, Rest... rest) {
  using T = typename detail::BranchValue<First>::Type;
  std::vector<Branch<T>> list;
  list.reserve(1 + sizeof...(rest));
  list.push_back(std::move(first));
  (list.push_back(std::move(rest)), ...);
  return list;
}

namespace detail {

using StepBody = std::function<Payload(StepContext&)>;
using ChildBody = std::function<Task<Payload>(Context&)>;

struct ItemSpec {
  std::string name;
  ChildBody body;
};

struct BatchSpec {
  bool is_map = true;
  std::vector<ItemSpec> items;
  BatchOptions options;
  bool results_are_text = false;                              // an item's payload is not JSON
  std::function<std::string(const std::string&)> encode_all;  // empty: the text as it is
};

struct ConditionSpec {
  std::string initial;  // the encoded state
  // From the encoded state: the next one, and the delay before the next check.
  std::function<std::pair<std::string, std::optional<Duration>>(const std::string&, StepContext&)> check;
};

enum class Combinator { All, AllSettled, Race, Any };

template <typename F>
struct StepResultOf {
  using Type = void;
};
template <typename F>
  requires std::is_invocable_v<F&, StepContext&>
struct StepResultOf<F> {
  using Type = std::remove_cvref_t<std::invoke_result_t<F&, StepContext&>>;
};
template <typename F>
  requires(!std::is_invocable_v<F&, StepContext&> && std::is_invocable_v<F&>)
struct StepResultOf<F> {
  using Type = std::remove_cvref_t<std::invoke_result_t<F&>>;
};
template <typename F>
using StepResult = typename StepResultOf<F>::Type;

template <typename F>
decltype(auto) call_step(F& body, StepContext& context) {
  if constexpr (std::is_invocable_v<F&, StepContext&>) {
    return body(context);
  } else {
    static_assert(std::is_invocable_v<F&>, "pawl::durable: the body of a step takes nothing or a StepContext&");
    return body();
  }
}

// Runs a callable, coroutine or not, and encodes what it gives. The callable outlives the coroutine.
template <typename T, typename F, typename... Arguments>
Task<Payload> run_encoded(F& body, Serdes<NotVoid<T>> serdes, Arguments&... arguments) {
  if constexpr (kIsTask<std::invoke_result_t<F&, Arguments&...>>) {
    if constexpr (std::is_void_v<T>) {
      co_await body(arguments...);
      co_return Payload();
    } else {
      T value = co_await body(arguments...);
      co_return Payload(encode(serdes, value));
    }
  } else if constexpr (std::is_void_v<T>) {
    body(arguments...);
    co_return Payload();
  } else {
    const T value = body(arguments...);
    co_return Payload(encode(serdes, value));
  }
}

template <typename T, typename F>
ChildBody child_body(F body, Serdes<NotVoid<T>> serdes) {
  auto kept = std::make_shared<F>(std::move(body));
  return [kept, serdes = std::move(serdes)](Context& context) { return run_encoded<T>(*kept, serdes, context); };
}

template <typename F, typename Item>
auto call_item(F& body, Context& context, const Item& item, std::size_t& index) {
  if constexpr (std::is_invocable_v<F&, Context&, const Item&, std::size_t>) {
    return body(context, item, index);
  } else {
    static_assert(std::is_invocable_v<F&, Context&, const Item&>,
                  "pawl::durable: the function of map takes (Context&, item) or (Context&, item, std::size_t index)");
    return body(context, item);
  }
}
template <typename F, typename Item>
using ItemResult = Unwrap<decltype(call_item(std::declval<F&>(), std::declval<Context&>(), std::declval<const Item&>(),
                                             std::declval<std::size_t&>()))>;

}  // namespace detail

class Context {
 public:
  explicit Context(detail::ContextState& state) : state_(state) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Runs `body` on another thread and keeps its result; runs it again as its retry strategy says where it throws.
  // Throws StepError. The body takes nothing or a StepContext&.
  template <typename F>
  auto step(std::string name, F body, StepOptions options = {},
            Serdes<detail::NotVoid<detail::StepResult<F>>> serdes = {}) {
    using T = detail::StepResult<F>;
    static_assert(!detail::kIsTask<T>,
                  "pawl::durable: the body of a step is a plain function; for a coroutine use run_in_child_context");
    if constexpr (!std::is_void_v<T>) PAWL_DURABLE_REQUIRE_STORABLE(T);
    auto kept = std::make_shared<F>(std::move(body));
    auto operation = start_step(
        std::move(name),
        [kept, serdes](StepContext& context) -> detail::Payload {
          if constexpr (std::is_void_v<T>) {
            detail::call_step(*kept, context);
            return std::nullopt;
          } else {
            return detail::encode<T>(serdes, detail::call_step(*kept, context));
          }
        },
        std::move(options));
    return detail::make_future<T>(std::move(operation), std::move(serdes));
  }
  template <typename F>
    requires(!std::is_convertible_v<F, std::string>)
  auto step(F body, StepOptions options = {}, Serdes<detail::NotVoid<detail::StepResult<F>>> serdes = {}) {
    return step(std::string(), std::move(body), std::move(options), std::move(serdes));
  }

  // Suspends the function without cost. From a second to a year.
  Wait wait(std::string name, Duration duration) { return Wait(start_wait(std::move(name), duration)); }
  Wait wait(Duration duration) { return wait(std::string(), duration); }

  // A callback with its id. `std::string` receives the answer's bytes as they are, other types what its JSON says.
  template <typename T = std::string>
  Future<Callback<T>> create_callback(std::string name = {}, CallbackOptions options = {}, Serdes<T> serdes = {}) {
    PAWL_DURABLE_REQUIRE_STORABLE(T);
    auto [created, answered] = start_callback(std::move(name), options);
    Future<T> result(std::move(answered), [serdes = std::move(serdes)](const detail::Payload& payload) {
      return decode_answer(serdes, payload);
    });
    return Future<Callback<T>>(std::move(created), [result = std::move(result)](const detail::Payload& id) {
      return Callback<T>(id.value_or(""), result);
    });
  }

  // Creates a callback, lets `submit` (of const std::string& id, and a StepContext& if wanted) hand its id out in a
  // step, and waits for the answer. Throws CallbackError and what derives from it.
  template <typename T = std::string, typename F>
  Future<T> wait_for_callback(std::string name, F submit, WaitForCallbackOptions options = {}, Serdes<T> serdes = {}) {
    PAWL_DURABLE_REQUIRE_STORABLE(T);
    auto body = [submit = std::make_shared<F>(std::move(submit)), options, serdes](Context& child) {
      return await_answer<T, F>(child, submit, options, serdes);
    };
    auto operation = start_child(std::move(name), detail::child_body<T>(std::move(body), {}), "WaitForCallback");
    return detail::make_future<T>(std::move(operation), {});
  }

  // Invokes a function, or a state machine on Pawl, by name or ARN, and gives its result. Throws InvokeError.
  template <typename T = Json, typename Input = Json>
  Future<T> invoke(std::string name, std::string function, const Input& input, InvokeOptions options = {},
                   Serdes<Input> input_serdes = {}, Serdes<T> serdes = {}) {
    PAWL_DURABLE_REQUIRE_STORABLE(T);
    PAWL_DURABLE_REQUIRE_STORABLE(Input);
    return detail::make_future<T>(
        start_invoke(std::move(name), std::move(function), detail::encode(input_serdes, input), std::move(options)),
        std::move(serdes));
  }

  // Groups operations: `body` gets a context of its own. Throws ChildContextError.
  template <typename F>
  auto run_in_child_context(std::string name, F body,
                            Serdes<detail::NotVoid<detail::Unwrap<std::invoke_result_t<F&, Context&>>>> serdes = {}) {
    using T = detail::Unwrap<std::invoke_result_t<F&, Context&>>;
    if constexpr (!std::is_void_v<T>) PAWL_DURABLE_REQUIRE_STORABLE(T);
    auto operation = start_child(std::move(name), detail::child_body<T>(std::move(body), serdes), "RunInChildContext");
    return detail::make_future<T>(std::move(operation), std::move(serdes));
  }
  template <typename F>
    requires std::is_invocable_v<F&, Context&>
  auto run_in_child_context(F body,
                            Serdes<detail::NotVoid<detail::Unwrap<std::invoke_result_t<F&, Context&>>>> serdes = {}) {
    return run_in_child_context(std::string(), std::move(body), std::move(serdes));
  }

  // Runs `body` for each item in a child context. It takes (Context&, item) or (Context&, item, index), and is a
  // coroutine or a plain function. The items are copied.
  template <typename Item, typename F>
  auto map(std::string name, std::vector<Item> items, F body, BatchOptions options = {},
           Serdes<detail::NotVoid<detail::ItemResult<F, Item>>> item_serdes = {},
           Serdes<BatchResult<detail::NotVoid<detail::ItemResult<F, Item>>>> serdes = {}) {
    using T = detail::ItemResult<F, Item>;
    auto kept = std::make_shared<std::pair<std::vector<Item>, F>>(std::move(items), std::move(body));
    detail::BatchSpec spec;
    for (std::size_t index = 0; index < kept->first.size(); ++index) {
      auto one = [kept, index](Context& child) {
        auto place = index;
        return detail::call_item(kept->second, child, kept->first[place], place);
      };
      spec.items.push_back({"map-item-" + std::to_string(index), detail::child_body<T>(std::move(one), item_serdes)});
    }
    return batch<detail::NotVoid<T>>(std::move(name), std::move(spec), std::move(options), std::move(item_serdes),
                                     std::move(serdes));
  }
  template <typename Item, typename F>
  auto map(std::vector<Item> items, F body, BatchOptions options = {}) {
    return map(std::string(), std::move(items), std::move(body), std::move(options));
  }

  // Runs the branches in child contexts.
  template <typename T>
  Future<BatchResult<detail::NotVoid<T>>> parallel(std::string name, std::vector<Branch<T>> branches,
                                                   BatchOptions options = {},
                                                   Serdes<detail::NotVoid<T>> item_serdes = {},
                                                   Serdes<BatchResult<detail::NotVoid<T>>> serdes = {}) {
    detail::BatchSpec spec;
    spec.is_map = false;
    for (std::size_t index = 0; index < branches.size(); ++index) {
      std::string branch =
          branches[index].name.empty() ? "parallel-branch-" + std::to_string(index) : branches[index].name;
      spec.items.push_back({std::move(branch), detail::child_body<T>(std::move(branches[index].body), item_serdes)});
    }
    return batch<detail::NotVoid<T>>(std::move(name), std::move(spec), std::move(options), std::move(item_serdes),
                                     std::move(serdes));
  }
  template <typename T>
  Future<BatchResult<detail::NotVoid<T>>> parallel(std::vector<Branch<T>> branches, BatchOptions options = {}) {
    return parallel<T>(std::string(), std::move(branches), std::move(options));
  }

  // Calls `check` (of the state, and a StepContext& if wanted) with its own last result until `strategy` says that the
  // state is final. Throws WaitConditionError where the check or the strategy throws.
  template <typename State, typename F>
  Future<State> wait_for_condition(std::string name, F check, State initial, WaitStrategy<State> strategy,
                                   Serdes<State> serdes = {}) {
    PAWL_DURABLE_REQUIRE_STORABLE(State);
    detail::ConditionSpec spec;
    spec.initial = detail::encode(serdes, initial);
    spec.check = [check = std::make_shared<F>(std::move(check)), strategy, serdes](const std::string& state,
                                                                                   StepContext& context) {
      const State next = call_check(*check, detail::decode(serdes, state), context);
      return std::pair(detail::encode(serdes, next), strategy(next, context.attempt()));
    };
    return detail::make_future<State>(start_condition(std::move(name), std::move(spec)), std::move(serdes));
  }

  // Combinators of operations that have been started. What they resolve to is recorded by one step when they do. For
  // many items, or a limit of how many run at once, use map and parallel.

  // All values, as a tuple; throws the first failure.
  template <typename... T>
  Future<std::tuple<detail::NotVoid<T>...>> all(std::string name, Future<T>... futures) {
    auto operation = start_combinator(std::move(name), detail::Combinator::All, {futures.operation()...});
    return {std::move(operation), [futures...](const detail::Payload&) {
              return std::tuple<detail::NotVoid<T>...>(detail::value_of(futures)...);
            }};
  }
  template <typename T>
  Future<std::vector<T>> all(std::string name, std::vector<Future<T>> futures) {
    auto operation = start_combinator(std::move(name), detail::Combinator::All, operations_of(futures));
    return {std::move(operation), [futures](const detail::Payload&) {
              std::vector<T> values;
              for (const Future<T>& future : futures) values.push_back(future.value());
              return values;
            }};
  }
  // Every outcome, values and errors.
  template <typename T>
  Future<std::vector<Settled<T>>> all_settled(std::string name, std::vector<Future<T>> futures) {
    auto operation = start_combinator(std::move(name), detail::Combinator::AllSettled, operations_of(futures));
    return {std::move(operation), [futures](const detail::Payload&) {
              std::vector<Settled<T>> outcomes;
              for (const Future<T>& future : futures) outcomes.push_back(outcome_of(future));
              return outcomes;
            }};
  }
  // The first that settles: its value, or throws its error.
  template <typename T>
  Future<T> race(std::string name, std::vector<Future<T>> futures) {
    auto operation = start_combinator(std::move(name), detail::Combinator::Race, operations_of(futures));
    return first_of(std::move(operation), std::move(futures));
  }
  // The first that succeeds; throws AggregateError where none does.
  template <typename T>
  Future<T> any(std::string name, std::vector<Future<T>> futures) {
    auto operation = start_combinator(std::move(name), detail::Combinator::Any, operations_of(futures));
    return first_of(std::move(operation), std::move(futures));
  }

  // The same on each replay. now(): when the last awaited operation ended, or the execution began; it moves on with the
  // operations. uuid() and random() follow from the execution and the place of the call.
  Timestamp now() const;
  std::string uuid();
  std::uint64_t random_bits();
  double random();  // from 0 to below 1

  // Knows this context; silent in replay unless the configuration or `log_in_replay` says otherwise.
  Logger logger() const;
  void log_in_replay(bool log);

  bool is_replaying() const;
  const std::string& execution_arn() const;
  const std::string& request_id() const;
  // How long this invocation may still run.
  std::chrono::milliseconds remaining_time() const;

 private:
  std::shared_ptr<detail::Operation> start_step(std::string name, detail::StepBody body, StepOptions options);
  std::shared_ptr<detail::Operation> start_wait(std::string name, Duration duration);
  std::pair<std::shared_ptr<detail::Operation>, std::shared_ptr<detail::Operation>> start_callback(
      std::string name, const CallbackOptions& options);
  std::shared_ptr<detail::Operation> start_invoke(std::string name, std::string function, std::string payload,
                                                  InvokeOptions options);
  std::shared_ptr<detail::Operation> start_child(std::string name, detail::ChildBody body, const char* sub_type);
  std::shared_ptr<detail::Operation> start_batch(std::string name, detail::BatchSpec spec);
  std::shared_ptr<detail::Operation> start_condition(std::string name, detail::ConditionSpec spec);
  std::shared_ptr<detail::Operation> start_combinator(std::string name, detail::Combinator kind,
                                                      std::vector<std::shared_ptr<detail::Operation>> members);

  template <typename T>
  static T decode_answer(const Serdes<T>& serdes, const detail::Payload& payload) {
    if (serdes.decode) return serdes.decode(payload ? std::string_view(*payload) : std::string_view());
    if constexpr (std::is_same_v<T, std::string>) {
      return payload.value_or("");
    } else if constexpr (std::is_same_v<T, std::optional<std::string>>) {
      return payload;
    } else {
      return detail::decode_payload(serdes, payload);
    }
  }

  template <typename T, typename F>
  static Task<T> await_answer(Context& child, std::shared_ptr<F> submit, WaitForCallbackOptions options,
                              Serdes<T> serdes) {
    CallbackOptions timeouts{options.timeout, options.heartbeat_timeout};
    Future<Callback<T>> created = child.create_callback<T>(std::string(), timeouts, serdes);
    const Callback<T> callback = co_await created;
    StepOptions retries;
    retries.retry = options.retry;
    Future<void> submitted = child.step(
        std::string(),
        [submit, id = callback.id()](StepContext& context) {
          if constexpr (std::is_invocable_v<F&, const std::string&, StepContext&>) {
            static_cast<void>((*submit)(id, context));
          } else {
            static_cast<void>((*submit)(id));
          }
        },
        retries);
    co_await submitted;
    Future<T> answer = callback.result();
    co_return co_await answer;
  }

  template <typename F, typename State>
  static State call_check(F& check, State state, StepContext& context) {
    if constexpr (std::is_invocable_v<F&, State, StepContext&>) {
      return check(std::move(state), context);
    } else {
      return check(std::move(state));
    }
  }

  template <typename T>
  Future<BatchResult<T>> batch(std::string name, detail::BatchSpec spec, BatchOptions options, Serdes<T> item_serdes,
                               Serdes<BatchResult<T>> serdes) {
    PAWL_DURABLE_REQUIRE_STORABLE(T);
    spec.options = std::move(options);
    spec.results_are_text = static_cast<bool>(item_serdes.decode);
    if (serdes.encode) {
      spec.encode_all = [item_serdes, serdes](const std::string& text) {
        return serdes.encode(detail::read_batch(item_serdes, text));
      };
    }
    return {start_batch(std::move(name), std::move(spec)), [item_serdes, serdes](const detail::Payload& payload) {
              const std::string_view text = payload ? std::string_view(*payload) : std::string_view();
              return serdes.decode ? serdes.decode(text) : detail::read_batch(item_serdes, text);
            }};
  }

  template <typename T>
  static std::vector<std::shared_ptr<detail::Operation>> operations_of(const std::vector<Future<T>>& futures) {
    std::vector<std::shared_ptr<detail::Operation>> operations;
    for (const Future<T>& future : futures) operations.push_back(future.operation());
    return operations;
  }

  template <typename T>
  static Settled<T> outcome_of(const Future<T>& future) {
    if (future.operation()->error()) return {std::nullopt, future.operation()->error()};
    return {future.value(), nullptr};
  }

  // The payload of race and any is the index of the winner.
  template <typename T>
  static Future<T> first_of(std::shared_ptr<detail::Operation> operation, std::vector<Future<T>> futures) {
    return {std::move(operation), [futures = std::move(futures)](const detail::Payload& winner) {
              return futures.at(static_cast<std::size_t>(from_text<std::uint64_t>(winner.value_or("0")))).value();
            }};
  }

  detail::ContextState& state_;
};

}  // namespace pawl::durable
