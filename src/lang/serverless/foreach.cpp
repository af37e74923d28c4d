// The foreach state: its actions, or a sub-workflow, for each element of an array, side by side.
//
// An iteration sees {iterationParam: element} and nothing else. The memory of its join is {"data", "items"}.
#include <algorithm>

#include "lang/serverless/actions.h"
#include "lang/serverless/filter.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Foreach final : public StateCode {
 public:
  using StateCode::StateCode;

  void open_children(Frame& frame) const override {
    const ForeachState& foreach = detail<ForeachState>();
    const Value items = *frame.memory().find("items");
    while (frame.join().may_open() && !frame.turn().is_full()) {
      json::ObjectBuilder input(1);
      input.set(foreach.iteration_param, items.at(frame.join().opened));
      frame.open_child(first_node_of(foreach.body), input.build());
    }
  }

  void resume(Frame& frame) const override {
    if (resume_retry(frame)) return;
    const Value memory = frame.memory();
    json::ArrayBuilder results(frame.join().results.size());
    for (const Value& result : frame.join().results) results.push(result);
    const auto& collection = detail<ForeachState>().output_collection;
    auto data = collection ? attempt(add_collection(*collection, data_in(memory), results.build()))
                           : Attempt<Value>(data_in(memory));
    if (!data) return fail(frame, data.error());
    frame.end_join(kernel::Outcome::kSucceeded);
    complete(frame, memory, *std::move(data));
  }

 protected:
  Value data_in(const Value& memory) const override { return *memory.find("data"); }

  void begin(Frame& frame, Value data) const override {
    auto items = attempt(input_collection(detail<ForeachState>().input_collection, data));
    if (!items) return fail(frame, items.error());
    json::ObjectBuilder memory(2);
    memory.set("data", std::move(data));
    memory.set("items", *std::move(items));
    begin_again(frame, memory.build());
  }

  void begin_again(Frame& frame, Value memory) const override {
    const auto& max = detail<ForeachState>().max;
    const auto at_once = max ? attempt(max->evaluate(data_in(memory))) : Attempt<int64_t>(0);
    if (!at_once) return fail(frame, at_once.error());
    const size_t total = memory.find("items")->size();
    frame.start_join({total, static_cast<uint32_t>(std::min<int64_t>(*at_once, UINT32_MAX)), 0, std::move(memory)});
  }
};

}  // namespace

NodeCodePtr compile_foreach(const State& state) { return std::make_unique<Foreach>(state); }

}  // namespace pawl::serverless
