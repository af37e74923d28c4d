// Handlers, how they are configured, and how they are run: as a worker of AWS Lambda or of Pawl, or in this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pawl/durable/context.h"
#include "pawl/durable/service.h"

namespace pawl::durable {

// What holds for all invocations of a worker. An empty member stands for its default.
struct Config {
  RetryStrategy retry = {};  // of steps that name none; default: retry::standard()
  CheckpointMode mode = CheckpointMode::Eager;
  std::size_t concurrent_steps_max = 16;  // bodies that one invocation runs at once
  LogSink log = {};                       // default: log_to_stdout
  LogLevel log_level = LogLevel::Info;    // AWS_LAMBDA_LOG_LEVEL, where set, wins
  bool log_in_replay = false;
  // Invocations that this process takes at once; AWS Lambda wants 1, Pawl takes any. PAWL_DURABLE_SLOTS, where set,
  // wins.
  std::size_t slots = 1;
  // The service to keep progress in; default: HTTP, at AWS_ENDPOINT_URL_LAMBDA, AWS_ENDPOINT_URL, or AWS's of
  // AWS_REGION. Made once for each slot.
  std::function<std::unique_ptr<DurableService>()> service = {};
  // Before a START is sent alone it waits this long for its step's end, to share a call with it.
  std::chrono::milliseconds start_linger{2};
  // While steps run, an operation that waits is asked for this often where it has no time of its own; grows to ten
  // times that.
  std::chrono::milliseconds poll_interval{1000};
  // What is not sent yet is sent this long before the invocation's deadline.
  std::chrono::milliseconds deadline_margin{1000};
};

// One invocation, as the runtime delivers it.
struct InvocationEvent {
  std::string execution_arn;
  std::string token;
  std::vector<OperationRecord> operations;  // the first is the EXECUTION
  std::string next_marker;
  std::string request_id;
  std::string tenant_id;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  // Nothing is started: the first operation that has not ended ends the invocation, with Retry and the error
  // EndOfHistory.
  bool replay_only = false;
};

// What an invocation answers with.
struct Answer {
  enum class Status {
    Succeeded,
    Failed,   // the execution has failed for good
    Pending,  // to be invoked again when something it waits for has happened
    Retry,    // the invocation failed, not the execution: to be invoked again
  };
  Status status = Status::Succeeded;
  detail::Payload result;
  std::optional<ErrorObject> error;

  // The envelope of the API; for Retry the error that the runtime reports.
  std::string to_text() const;
};

class Handler;

namespace detail {

class StepPace;
std::shared_ptr<StepPace> make_step_pace();

// A handler without its types.
using RawHandler = std::function<Task<Payload>(Context&, const Payload& input)>;

template <typename F>
struct HandlerTraits : HandlerTraits<decltype(&F::operator())> {};
template <typename R>
struct HandlerTraits<Task<R> (*)(Context&)> {
  using Result = R;
  using Input = void;
};
template <typename R, typename In>
struct HandlerTraits<Task<R> (*)(Context&, In)> {
  using Result = R;
  using Input = std::remove_cvref_t<In>;
};
template <typename F, typename R>
struct HandlerTraits<Task<R> (F::*)(Context&) const> : HandlerTraits<Task<R> (*)(Context&)> {};
template <typename F, typename R, typename In>
struct HandlerTraits<Task<R> (F::*)(Context&, In) const> : HandlerTraits<Task<R> (*)(Context&, In)> {};
template <typename F, typename R>
struct HandlerTraits<Task<R> (F::*)(Context&)> : HandlerTraits<Task<R> (*)(Context&)> {};
template <typename F, typename R, typename In>
struct HandlerTraits<Task<R> (F::*)(Context&, In)> : HandlerTraits<Task<R> (*)(Context&, In)> {};

// Asked for by compilers that look at a constructor's parameters before they look at its constraint.
template <>
struct HandlerTraits<Handler> {
  using Result = void;
  using Input = void;
};

template <typename F>
using HandlerInput = typename HandlerTraits<std::decay_t<F>>::Input;
template <typename F>
using HandlerResult = typename HandlerTraits<std::decay_t<F>>::Result;

// The input lives in the coroutine's frame, so that a handler may take it by reference.
template <typename R, typename In, typename F>
Task<Payload> run_handler(F& handler, Context& context, Payload text, Serdes<In> input_serdes,
                          Serdes<NotVoid<R>> result_serdes) {
  In input = decode_payload(input_serdes, text);
  text.reset();
  if constexpr (std::is_void_v<R>) {
    co_await handler(context, std::move(input));
    co_return Payload();
  } else {
    R result = co_await handler(context, std::move(input));
    co_return Payload(encode(result_serdes, result));
  }
}

}  // namespace detail

// A durable function: Task<R>(Context&) or Task<R>(Context&, Input), with serializers of its own if wanted.
class Handler {
 public:
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Handler>)
  Handler(F handler, Serdes<detail::NotVoid<detail::HandlerInput<F>>> input_serdes = {},
          Serdes<detail::NotVoid<detail::HandlerResult<F>>> result_serdes = {}) {
    using In = detail::HandlerInput<F>;
    using R = detail::HandlerResult<F>;
    PAWL_DURABLE_REQUIRE_STORABLE(detail::NotVoid<In>);
    PAWL_DURABLE_REQUIRE_STORABLE(detail::NotVoid<R>);
    auto kept = std::make_shared<F>(std::move(handler));
    if constexpr (std::is_void_v<In>) {
      raw_ = [kept, result_serdes](Context& context, const detail::Payload&) {
        return detail::run_encoded<R>(*kept, result_serdes, context);
      };
    } else {
      raw_ = [kept, input_serdes, result_serdes](Context& context, const detail::Payload& input) {
        return detail::run_handler<R, In>(*kept, context, input, input_serdes, result_serdes);
      };
    }
  }

  const detail::RawHandler& raw() const noexcept { return raw_; }
  const std::shared_ptr<detail::StepPace>& pace() const noexcept { return pace_; }

 private:
  detail::RawHandler raw_;
  std::shared_ptr<detail::StepPace> pace_ = detail::make_step_pace();
};

// An invocation that has ended. Holds the coroutines that wait; they are destroyed with it, which is to be after the
// answer has been sent. All step bodies have returned.
class FinishedInvocation {
 public:
  FinishedInvocation(Answer answer, std::shared_ptr<detail::Invocation> frames)
      : answer_(std::move(answer)), frames_(std::move(frames)) {}

  const Answer& answer() const noexcept { return answer_; }

 private:
  Answer answer_;
  std::shared_ptr<detail::Invocation> frames_;
};

// Runs one invocation to its answer on the calling thread. Throws nothing but std::bad_alloc.
FinishedInvocation run_invocation(const Handler& handler, InvocationEvent event, DurableService& service,
                                  const Config& config = {});

// Reads the event that AWS Lambda delivers (timestamps in milliseconds). Throws SerializationError.
InvocationEvent read_event(std::string_view text);

// Runs this program as the durable function `name` until the runtime ends it, and returns the exit code. Under
// AWS_LAMBDA_RUNTIME_API it is a worker of AWS Lambda or of Pawl; from a command line it knows
//   --local [--input JSON]   runs one execution in this process, in memory, and skips its waits
//   --replay HISTORY.json    runs a recorded history against this program and names the first difference
int serve(const std::string& name, const Handler& handler, const Config& config = {});

// Several functions of one program, by name.
using Functions = std::vector<std::pair<std::string, Handler>>;

// The same for the one of these functions that is asked for: by `--function NAME` on the command line, by the
// configured handler (_HANDLER), or by the function's own name (AWS_LAMBDA_FUNCTION_NAME); the first of them that names
// one. Exit code 2 where none does.
int serve(const Functions& functions, const Config& config = {});

}  // namespace pawl::durable
