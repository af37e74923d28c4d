// The inject state: adds static data to the state's.
#include "lang/serverless/actions.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Inject final : public StateCode {
 public:
  using StateCode::StateCode;

 protected:
  void begin(Frame& frame, Value data) const override {
    auto injected = with_added(data, detail<InjectState>().data);
    if (!injected) return fail(frame, injected.error());
    complete(frame, Value(), *std::move(injected));
  }
};

}  // namespace

NodeCodePtr compile_inject(const State& state) { return std::make_unique<Inject>(state); }

}  // namespace pawl::serverless
