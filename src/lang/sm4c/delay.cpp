// The delay action: waits for an amount of time.
#include "lang/sm4c/action_code.h"

namespace pawl::sm4c {

namespace {

class Delay final : public ActionCode {
 public:
  using ActionCode::ActionCode;

 protected:
  void begin(Frame& frame) const override {
    const auto end = frame.after(detail<DelayAction>().timeout);
    if (!end) return fail(frame, end.error());
    frame.sleep_until(*end);
  }

  void proceed(Frame& frame) const override { complete(frame, {}); }
};

}  // namespace

NodeCodePtr compile_delay(const Action& action) { return std::make_unique<Delay>(action); }

}  // namespace pawl::sm4c
