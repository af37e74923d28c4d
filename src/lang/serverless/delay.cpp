// The delay state: waits for an amount of time.
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Delay final : public StateCode {
 public:
  using StateCode::StateCode;

  void resume(Frame& frame) const override {
    auto data = filtered_input(frame);
    if (!data) return fail(frame, data.error());
    complete(frame, Value(), *std::move(data));
  }

 protected:
  void begin(Frame& frame, Value) const override {
    const auto end = frame.after(detail<DelayState>().delay);
    if (!end) return fail(frame, end.error());
    frame.sleep_until(*end);
  }
};

}  // namespace

NodeCodePtr compile_delay(const State& state) { return std::make_unique<Delay>(state); }

}  // namespace pawl::serverless
