// The Succeed state: ends its machine, branch or iteration with its input.
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

class Succeed final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Succeed>();
    if (auto common = code->compile_common(source, context); !common) return std::unexpected(common.error());
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    auto output = data_.select_output(frame, *std::move(input));
    if (!output) return frame.fail(output.error());
    frame.exit(*std::move(output), StateOrdinal(), Value());
  }
};

}  // namespace

Result<StateCodePtr> compile_succeed(const State& source, const CompileContext& context) {
  return Succeed::compile(source, context);
}

}  // namespace pawl::asl
