// The Wait state: a number of seconds, or until a timestamp, each literal or by a path.
#include <limits>

#include "json/print.h"
#include "lang/asl/state_code.h"
#include "text/timestamp.h"

namespace pawl::asl {

namespace {

constexpr int64_t kWaitSecondsMax = std::numeric_limits<int32_t>::max();

class Wait final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Wait>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    const Value& fields = source.source;
    if (const Value* seconds = fields.find("Seconds"); seconds != nullptr && seconds->is_number())
      code->seconds_ = seconds->as_integer();
    if (const Value* time = fields.find("Timestamp"); time != nullptr && time->is_string())
      code->timestamp_ = text::parse_timestamp(time->as_string());
    for (const char* name : {"SecondsPath", "TimestampPath"}) {
      const Value* path = fields.find(name);
      if (path == nullptr || !path->is_string()) continue;
      code->path_name_ = name;
      PAWL_TRY(code->path_, jsonpath::RootedPath::compile(path->as_string()));
    }
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    auto until = wait_until(frame, *input);
    if (!until) return frame.fail(until.error());
    if (*until > frame.turn().now() + std::chrono::seconds(kWaitSecondsMax))
      return frame.fail(frame.runtime_failure("Wait state delay is too long."));
    if (*until <= frame.turn().now()) return leave(frame);
    kernel::Fact fact;
    fact.kind = kernel::FactKind::kOperationScheduled;
    fact.operation_kind = kernel::OperationKind::kTimer;
    fact.scope = frame.scope().id;
    fact.state = ordinal_;
    fact.operation = frame.turn().execution().next_operation_id();
    fact.due = *until;
    frame.turn().append(std::move(fact));
  }

  void resume(Frame& frame) const override { leave(frame); }

 private:
  void leave(Frame& frame) const {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    auto assigned = data_.assigned(frame, *input);
    if (!assigned) return frame.fail(assigned.error());
    auto output = data_.select_output(frame, *std::move(input));
    if (!output) return frame.fail(output.error());
    frame.exit(*std::move(output), next_, *std::move(assigned));
  }

  Attempt<Timestamp> wait_until(const Frame& frame, const Value& input) const {
    if (seconds_) return frame.turn().now() + std::chrono::seconds(std::min(*seconds_, kWaitSecondsMax + 1));
    if (timestamp_) return timestamp_->ceil_to_milliseconds();
    auto value = frame.evaluate_path(*path_, input);
    if (!value) return std::unexpected(refused(frame, "does not reference an input value: " + path_->text()));
    return path_name_ == "SecondsPath" ? until_seconds(frame, *value) : until_timestamp(frame, *value);
  }

  Failure refused(const Frame& frame, const std::string& why) const {
    return frame.runtime_failure("The " + path_name_ + " parameter " + why);
  }

  std::string shown(const Value& value) const {
    return path_->text() + " == " + (value.is_string() ? std::string(value.as_string()) : json::print(value));
  }

  Attempt<Timestamp> until_seconds(const Frame& frame, const Value& value) const {
    const auto count = value.is_number() ? value.as_integer() : std::nullopt;
    if (!count) return std::unexpected(refused(frame, "cannot be parsed as a long value: " + shown(value)));
    if (*count < 0) return std::unexpected(refused(frame, "references a negative value: " + shown(value)));
    return frame.turn().now() + std::chrono::seconds(std::min(*count, kWaitSecondsMax + 1));
  }

  Attempt<Timestamp> until_timestamp(const Frame& frame, const Value& value) const {
    const auto time = value.is_string() ? text::parse_timestamp(value.as_string()) : std::nullopt;
    if (time) return time->ceil_to_milliseconds();
    return std::unexpected(
        refused(frame, "does not reference a valid ISO-8601 extended offset date-time format string: " + shown(value)));
  }

  std::optional<int64_t> seconds_;
  std::optional<text::Instant> timestamp_;
  std::string path_name_;
  std::optional<jsonpath::RootedPath> path_;
};

}  // namespace

Result<StateCodePtr> compile_wait(const State& source, const CompileContext& context) {
  return Wait::compile(source, context);
}

}  // namespace pawl::asl
