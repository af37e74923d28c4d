// The Pass state: its Result, or its effective input, placed by ResultPath.
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

class Pass final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Pass>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    if (const Value* result = source.source.find("Result")) {
      result->make_immortal();
      code->result_ = *result;
    }
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.effective_input(frame);
    if (!input) return frame.fail(input.error());
    if (result_) frame.see(seen::kResult, *result_);
    finish(frame, result_ ? *result_ : *input);
  }

 private:
  std::optional<Value> result_;
};

}  // namespace

Result<StateCodePtr> compile_pass(const State& source, const CompileContext& context) {
  return Pass::compile(source, context);
}

}  // namespace pawl::asl
