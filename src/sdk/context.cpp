// Context: each call checks what it was given, takes the next place and begins the operation of that place.
#include "pawl/durable/context.h"

#include <algorithm>
#include <limits>

#include "sdk/invocation.h"
#include "sdk/operations/batch_operation.h"
#include "sdk/operations/combinator_operation.h"
#include "sdk/operations/external_operation.h"
#include "sdk/operations/step_operation.h"
#include "sdk/operations/wait_operation.h"
#include "sdk/random_id.h"

namespace pawl::durable {
namespace {

using detail::OperationHead;

void check_name(const std::string& name) {
  if (name.size() > kNameBytesMax) {
    throw ValidationError("The name \"" + name.substr(0, 32) + "…\" has " + std::to_string(name.size()) +
                          " bytes; the most is " + std::to_string(kNameBytesMax) + ".");
  }
  const bool printable = std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
  if (!printable) throw ValidationError("The name \"" + name + "\" has a character that is not printable ASCII.");
}

void check_seconds(const char* what, Duration duration, std::int64_t most) {
  if (duration.seconds() < 0 || duration.seconds() > most) {
    throw ValidationError(std::string(what) + " of " + std::to_string(duration.seconds()) + " s is not between 0 and " +
                          std::to_string(most) + " s.");
  }
}

// The head of the context's next operation; the place is taken.
OperationHead next_head(detail::ContextState& context, std::string name, OperationType type, const char* sub_type) {
  context.invocation.check_use(context);
  check_name(name);
  return {context, context.next_key(), std::move(name), type, sub_type};
}

// SplitMix64: spreads a counter over all bits.
std::uint64_t spread(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

// FNV-1a.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t value = 0xCBF29CE484222325ULL ^ seed;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return value;
}

}  // namespace

#define PAWL_DURABLE_INERT_IF_STOPPED() \
  if (state_.invocation.stopped()) return std::make_shared<detail::InertOperation>(state_.invocation)

std::shared_ptr<detail::Operation> Context::start_step(std::string name, detail::StepBody body, StepOptions options) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  detail::StepSpec spec;
  spec.attempt = [body = std::move(body)](StepContext& context, const detail::Payload&) {
    return detail::AttemptResult{body(context), std::nullopt};
  };
  spec.options = std::move(options);
  spec.fail_with = [](ErrorObject error) { return std::make_exception_ptr(StepError(std::move(error))); };
  return detail::begin_operation<detail::StepOperation>(next_head(state_, std::move(name), OperationType::Step, "Step"),
                                                        std::move(spec));
}

std::shared_ptr<detail::Operation> Context::start_condition(std::string name, detail::ConditionSpec condition) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  detail::StepSpec spec;
  spec.attempt = [check = std::move(condition.check)](StepContext& context, const detail::Payload& state) {
    auto [next, delay] = check(state.value_or("null"), context);
    return detail::AttemptResult{std::move(next), delay};
  };
  spec.options.retry = retry::none();
  spec.state = std::move(condition.initial);
  spec.fail_with = [](ErrorObject error) { return std::make_exception_ptr(WaitConditionError(std::move(error))); };
  return detail::begin_operation<detail::StepOperation>(
      next_head(state_, std::move(name), OperationType::Step, "WaitForCondition"), std::move(spec));
}

std::shared_ptr<detail::Operation> Context::start_wait(std::string name, Duration duration) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  check_seconds("A wait", duration, kWaitSecondsMax);
  return detail::begin_operation<detail::WaitOperation>(next_head(state_, std::move(name), OperationType::Wait, "Wait"),
                                                        duration);
}

std::pair<std::shared_ptr<detail::Operation>, std::shared_ptr<detail::Operation>> Context::start_callback(
    std::string name, const CallbackOptions& options) {
  auto created = std::make_shared<detail::CallbackCreated>(state_.invocation);
  if (state_.invocation.stopped()) return {created, created};
  check_seconds("A callback's timeout", options.timeout, kCallbackTimeoutSecondsMax);
  check_seconds("A callback's heartbeat timeout", options.heartbeat_timeout, kCallbackTimeoutSecondsMax);
  state_.invocation.keep(created);
  auto answered = detail::begin_operation<detail::CallbackOperation>(
      next_head(state_, std::move(name), OperationType::Callback, "Callback"), options, created);
  return {created, answered};
}

std::shared_ptr<detail::Operation> Context::start_invoke(std::string name, std::string function, std::string payload,
                                                         InvokeOptions options) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  if (function.empty()) throw ValidationError("The function to invoke has no name.");
  if (payload.size() > kInvokePayloadBytesMax) {
    throw ValidationError("The input of \"" + function + "\" has " + std::to_string(payload.size()) +
                          " bytes; the most is " + std::to_string(kInvokePayloadBytesMax) + ".");
  }
  return detail::begin_operation<detail::InvokeOperation>(
      next_head(state_, std::move(name), OperationType::ChainedInvoke, "ChainedInvoke"), std::move(function),
      std::move(payload), std::string(options.tenant_id));
}

std::shared_ptr<detail::Operation> Context::start_child(std::string name, detail::ChildBody body,
                                                        const char* sub_type) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  return detail::begin_operation<detail::ChildOperation>(
      next_head(state_, std::move(name), OperationType::Context, sub_type), std::move(body));
}

std::shared_ptr<detail::Operation> Context::start_batch(std::string name, detail::BatchSpec spec) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  if (spec.options.max_concurrency == 0)
    throw ValidationError("max_concurrency is 0; it is at least 1, or left out for no limit.");
  if (spec.options.name_of) {
    for (std::size_t index = 0; index < spec.items.size(); ++index)
      spec.items[index].name = spec.options.name_of(index);
    spec.options.name_of = {};
  }
  for (const detail::ItemSpec& item : spec.items) check_name(item.name);
  const char* sub_type = spec.is_map ? "Map" : "Parallel";
  return detail::begin_operation<detail::BatchOperation>(
      next_head(state_, std::move(name), OperationType::Context, sub_type), std::move(spec));
}

std::shared_ptr<detail::Operation> Context::start_combinator(std::string name, detail::Combinator kind,
                                                             std::vector<std::shared_ptr<detail::Operation>> members) {
  PAWL_DURABLE_INERT_IF_STOPPED();
  return detail::begin_operation<detail::CombinatorOperation>(
      next_head(state_, std::move(name), OperationType::Step, detail::sub_type_of(kind)), kind, std::move(members));
}

Timestamp Context::now() const { return state_.now; }

std::uint64_t Context::random_bits() {
  const std::uint64_t place = ++state_.randoms;
  return spread(hash(state_.prefix, hash(execution_arn(), 0)) + place * 0x9E3779B97F4A7C15ULL);
}

std::string Context::uuid() {
  const std::uint64_t high = random_bits();
  return detail::format_uuid(high, random_bits());
}

double Context::random() { return static_cast<double>(random_bits() >> 11) * 0x1.0p-53; }

Logger Context::logger() const {
  return Logger(state_.invocation.log_scope(&state_, state_.parent_id, state_.name, 0));
}

void Context::log_in_replay(bool log) { state_.log_in_replay = log; }

bool Context::is_replaying() const { return state_.is_replaying(); }

const std::string& Context::execution_arn() const { return state_.invocation.event().execution_arn; }

const std::string& Context::request_id() const { return state_.invocation.event().request_id; }

std::chrono::milliseconds Context::remaining_time() const {
  const auto deadline = state_.invocation.event().deadline;
  if (deadline == std::chrono::steady_clock::time_point::max()) return std::chrono::milliseconds::max();
  return std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
}

}  // namespace pawl::durable
