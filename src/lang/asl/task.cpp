// The Task state: hands its effective input to a resource and waits for the result.
#include "lang/asl/number_field.h"
#include "lang/asl/resource.h"
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

using kernel::Fact;
using kernel::OperationKind;

OperationKind operation_kind(std::string_view resource) {
  const ResourceName name = parse_resource(resource);
  if (name.family == ResourceFamily::kActivity) return OperationKind::kActivity;
  const bool waits_for_child =
      name.type == "states" && (name.action == "startExecution.sync" || name.action == "startExecution.sync:2");
  if (waits_for_child) return OperationKind::kChild;
  return name.action.ends_with(".waitForTaskToken") ? OperationKind::kCallback : OperationKind::kTask;
}

// AWS gives a token to whatever waits for more than the answer to its request.
bool has_token(std::string_view resource) {
  const std::string_view action = parse_resource(resource).action;
  return action.ends_with(".waitForTaskToken") || action.ends_with(".sync") || action.ends_with(".sync:2");
}

class Task final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Task>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    if (const Value* resource = source.source.find("Resource"); resource != nullptr && resource->is_string())
      code->resource_ = resource->as_string();
    code->kind_ = operation_kind(code->resource_);
    code->has_token_ = has_token(code->resource_);
    code->default_timeout_s_ = context.options.task_timeout_seconds;
    if (const Value* credentials = source.source.find("Credentials")) {
      PAWL_TRY(code->credentials_, PayloadTemplate::compile(*credentials));
    }
    PAWL_TRY(code->timeout_, NumberField::compile(source.source, "TimeoutSeconds"));
    PAWL_TRY(code->heartbeat_, NumberField::compile(source.source, "HeartbeatSeconds"));
    return code;
  }

  std::string_view resource() const override { return resource_; }

  void run(Frame& frame) const override {
    const bool is_missing = kind_ == OperationKind::kActivity && !frame.turn().services().has_activity(resource_);
    if (is_missing) return frame.fail(frame.runtime_failure("The activity " + resource_ + " does not exist."));
    auto selected = data_.selected_input(frame);
    if (!selected) return frame.fail(selected.error());
    auto timeout = timeout_.evaluate(frame, *selected);
    if (!timeout) return frame.fail(timeout.error());
    auto heartbeat = heartbeat_.evaluate(frame, *selected);
    if (!heartbeat) return frame.fail(heartbeat.error());
    const OperationId operation = frame.turn().execution().next_operation_id();
    if (has_token_) frame.set_token(frame.turn().services().task_token(operation, frame.scope().attempt));
    auto credentials = evaluate_credentials(frame, *selected);
    if (!credentials) return frame.fail(credentials.error());
    auto input = data_.apply_parameters(frame, *std::move(selected));
    if (!input) return frame.fail(input.error());
    if (!*timeout) *timeout = default_timeout_s_;
    for (const auto& seconds : {*timeout, *heartbeat})
      if (seconds && (*seconds <= 0 || *seconds > kTimeoutSecondsMax)) return frame.fail(out_of_range(frame, *seconds));
    if (frame.probe() != nullptr && frame.probe()->has_mock()) return take_mock(frame);
    Fact fact = scheduled(frame, operation, *timeout, *heartbeat);
    fact.value = *std::move(input);
    fact.extra = *std::move(credentials);
    frame.turn().append_event(std::move(fact), frame.work_follows());
  }

  void resume(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    if (ended.operation_kind == OperationKind::kRetryDelay) return run(frame);
    if (ended.outcome == kernel::Outcome::kSucceeded) {
      frame.see(seen::kResult, ended.value);
      return finish(frame, ended.value);
    }
    Failure failure = Failure::from_value(ended.value);
    if (ended.outcome == kernel::Outcome::kHeartbeatTimedOut) failure.also_matches = kHeartbeatTimeout;
    frame.fail(std::move(failure));
  }

 private:
  static constexpr int64_t kTimeoutSecondsMax = 99'999'999;

  Failure out_of_range(const Frame& frame, int64_t seconds) const {
    return frame.runtime_failure("A timeout or heartbeat of " + std::to_string(seconds) +
                                 " seconds is not between 1 and 99999999.");
  }

  Attempt<Value> evaluate_credentials(Frame& frame, const Value& input) const {
    if (!credentials_) return Value();
    auto credentials = frame.evaluate_template(*credentials_, input);
    if (!credentials) return credentials;
    json::ObjectBuilder shown(1);
    if (const Value* role = credentials->find("RoleArn")) shown.set("roleArn", *role);
    return shown.build();
  }

  Fact scheduled(Frame& frame, OperationId operation, std::optional<int64_t> timeout,
                 std::optional<int64_t> heartbeat) const {
    Fact fact;
    fact.kind = kernel::FactKind::kOperationScheduled;
    fact.scope = frame.scope().id;
    fact.state = ordinal_;
    fact.operation = operation;
    fact.operation_kind = kind_;
    fact.number = static_cast<uint32_t>(timeout.value_or(0));
    fact.limit = static_cast<uint32_t>(heartbeat.value_or(0));
    const bool counts_from_now = kind_ == OperationKind::kActivity && timeout;
    if (counts_from_now) fact.due = frame.turn().now() + std::chrono::seconds(*timeout);
    return fact;
  }

  std::string resource_;
  OperationKind kind_ = OperationKind::kTask;
  bool has_token_ = false;  // $$.Task.Token
  NumberField timeout_;
  NumberField heartbeat_;
  std::optional<int64_t> default_timeout_s_;
  std::optional<PayloadTemplate> credentials_;
};

}  // namespace

Result<StateCodePtr> compile_task(const State& source, const CompileContext& context) {
  return Task::compile(source, context);
}

}  // namespace pawl::asl
