// The injectData action: gives what its expression does.
#include "lang/sm4c/action_code.h"

namespace pawl::sm4c {

namespace {

class InjectData final : public ActionCode {
 public:
  using ActionCode::ActionCode;

 protected:
  void begin(Frame& frame) const override {
    auto result = frame.evaluate(detail<InjectDataAction>().expression, frame.input());
    if (!result) return fail(frame, result.error());
    complete(frame, {.result = *std::move(result), .errors = {}});
  }
};

}  // namespace

NodeCodePtr compile_inject_data(const Action& action) { return std::make_unique<InjectData>(action); }

}  // namespace pawl::sm4c
