#include "lang/asl/state_code.h"

#include "base/assert.h"

namespace pawl::asl {

StateOrdinal CompileContext::ordinal_of(const Value* name) const {
  if (name == nullptr || !name->is_string()) return {};
  const State* found = machine.find(name->as_string());
  return found == nullptr ? StateOrdinal() : found->ordinal;
}

Result<void> StateCode::compile_common(const State& source, const CompileContext& context) {
  name_ = source.name;
  type_ = source.type;
  ordinal_ = source.ordinal;
  next_ = context.ordinal_of(source.source.find("Next"));
  PAWL_TRY(data_, DataFlow::compile(source.source));
  PAWL_TRY(retriers_, compile_retriers(source.source.find("Retry")));
  PAWL_TRY(catchers_, compile_catchers(source.source.find("Catch")));
  for (Catcher& catcher : catchers_) {
    const State* target = context.machine.find(catcher.next_name);
    if (target != nullptr) catcher.next = target->ordinal;
  }
  return {};
}

void StateCode::resume(Frame&) const { PAWL_ASSERT(false, name_, "does not wait"); }

void StateCode::open_children(Frame&) const { PAWL_ASSERT(false, name_, "has no children"); }

void StateCode::take_mock(Frame& frame) const {
  const StateProbe& probe = *frame.probe();
  if (probe.mock_error) return frame.fail(*probe.mock_error);
  if (type_ == StateType::kTask) frame.see(seen::kResult, *probe.mock_result);
  finish(frame, *probe.mock_result);
}

void StateCode::finish(Frame& frame, const Value& result) const {
  auto assigned = data_.assigned(frame, result);
  if (!assigned) return frame.fail(assigned.error());
  auto output = data_.output_of(frame, result);
  if (!output) return frame.fail(output.error());
  frame.exit(*std::move(output), next_, *std::move(assigned));
}

}  // namespace pawl::asl
