// The Fail state: ends its machine, or fails the Parallel or Map that holds it, with an Error and a Cause.
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

// A literal, an expression (ErrorPath, CausePath), or nothing.
struct TextField {
  std::string path_name;  // "ErrorPath"
  std::optional<std::string> literal;
  std::optional<Expression> expression;

  static Result<TextField> compile(const Value& state, const std::string& name) {
    TextField field;
    field.path_name = name + "Path";
    if (const Value* literal = state.find(name); literal != nullptr && literal->is_string())
      field.literal = literal->as_string();
    if (const Value* path = state.find(field.path_name); path != nullptr && path->is_string()) {
      PAWL_TRY(field.expression, Expression::compile(path->as_string()));
    }
    return field;
  }
};

class Fail final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Fail>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    PAWL_TRY(code->error_, TextField::compile(source.source, "Error"));
    PAWL_TRY(code->cause_, TextField::compile(source.source, "Cause"));
    return code;
  }

  void run(Frame& frame) const override {
    auto error = evaluate(error_, frame);
    if (!error) return frame.fail(error.error());
    auto cause = evaluate(cause_, frame);
    if (!cause) return frame.fail(cause.error());
    frame.fail(Failure{*std::move(error), *std::move(cause), {}, false});
  }

 private:
  static Attempt<std::optional<std::string>> evaluate(const TextField& field, Frame& frame) {
    if (!field.expression) return field.literal;
    auto value = frame.evaluate_expression(*field.expression, field.path_name, frame.raw_input());
    if (!value) return std::unexpected(value.error());
    if (!value->is_string())
      return std::unexpected(frame.runtime_failure("The " + field.path_name + " field '" + field.expression->text() +
                                                   "' must resolve to a string."));
    return std::string(value->as_string());
  }

  TextField error_;
  TextField cause_;
};

}  // namespace

Result<StateCodePtr> compile_fail(const State& source, const CompileContext& context) {
  return Fail::compile(source, context);
}

}  // namespace pawl::asl
