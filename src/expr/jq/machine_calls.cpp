// The machine's part for frames: calls, closures, returns.
//
// A frame that returns while forks inside it are left stays where it is, for when they are come back to; else it goes
// at once. A call that is the last thing its unit does takes over the frame, so that loops written as recursion run in
// constant space.
#include <array>

#include "expr/jq/machine.h"

namespace pawl::jq::internal {

// For one more frame. The program's own always has.
bool Machine::has_room(size_t registers) {
  const Limits& limits = context_.limits();
  const bool has_bytes = (stack_.size() + registers) * sizeof(Value) <= limits.bytes_max;
  if (frames_.size() < limits.depth_max && has_bytes) return true;
  context_.exceed("The program calls itself more than " + std::to_string(frames_.size()) + " levels deep.");
  return false;
}

void Machine::enter_frame(uint32_t unit, uint32_t parent, uint32_t caller, uint32_t return_pc, int32_t return_dst) {
  const UnitCode& code = code_.units[unit];
  if (!frames_.empty() && !has_room(code.registers)) return;
  const auto base = static_cast<uint32_t>(stack_.size());
  const auto closures = static_cast<uint32_t>(closures_.size());
  stack_.grow_by(code.registers);
  frame_ = static_cast<uint32_t>(frames_.size());
  frames_.push_back({base, parent, caller, return_pc, return_dst, static_cast<uint32_t>(forks_.size()), closures});
  registers_ = stack_.at(base);
  pc_ = code.start;
}

void Machine::leave_frames_to(size_t frames) {
  const Frame& lowest = frames_[frames];
  stack_.shrink_to(lowest.base);
  closures_.resize(lowest.closures);
  frames_.resize(frames);
}

uint32_t Machine::frame_out(int32_t hops) const {
  uint32_t frame = frame_;
  while (hops-- > 0) frame = frames_[frame].parent;
  return frame;
}

// Nothing may need the current frame any more: no fork in it, none above it, and no closure or parent link to it.
bool Machine::can_reuse_frame(const Instruction& instruction) const {
  return (instruction.flags & kTail) != 0 && frame_ + 1 == frames_.size() && frames_[frame_].forks == forks_.size();
}

void Machine::call(const Instruction& instruction) {
  const Operand* operands = code_.operands.data() + instruction.a;
  const auto inputs = static_cast<size_t>(operands[0]);
  const auto closures = static_cast<size_t>(operands[1 + inputs]);
  const ClosureSpec* specs = code_.closures.data() + operands[2 + inputs];
  std::array<Closure, kParametersMax> passed;
  for (size_t i = 0; i < closures; ++i) {
    const uint32_t frame = frame_out(specs[i].hops);
    const bool is_passed_on = specs[i].value_unit == ClosureSpec::kPassedOn;
    passed[i] = is_passed_on ? closures_[frames_[frame].closures + static_cast<uint32_t>(specs[i].path_unit)]
                             : Closure{specs[i].value_unit, specs[i].path_unit, frame};
  }
  call_unit(instruction, static_cast<uint32_t>(instruction.b), frame_out(instruction.c), operands + 1, inputs);
  if (!context_.failed())
    closures_.insert(closures_.end(), passed.begin(), passed.begin() + static_cast<ptrdiff_t>(closures));
}

void Machine::call_closure(const Instruction& instruction) {
  const Operand* operands = code_.operands.data() + instruction.a;
  const Frame& frame = frames_[frame_out(instruction.c)];
  const Closure closure = closures_[frame.closures + static_cast<uint32_t>(instruction.b)];
  const bool in_path_mode = (instruction.flags & kInPathMode) != 0;
  const int32_t unit = in_path_mode ? closure.path_unit : closure.value_unit;
  call_unit(instruction, static_cast<uint32_t>(unit), closure.frame, operands + 1, static_cast<size_t>(operands[0]));
}

void Machine::call_unit(const Instruction& instruction, uint32_t unit, uint32_t parent, const Operand* inputs,
                        size_t count) {
  std::array<Value, CallOperands::kInputsMax> given;
  for (size_t i = 0; i < count; ++i) given[i] = value(inputs[i]);
  uint32_t caller = frame_;
  uint32_t return_pc = pc_;
  int32_t return_dst = instruction.dst;
  if (can_reuse_frame(instruction) && parent != frame_) {
    caller = frames_[frame_].caller;
    return_pc = frames_[frame_].return_pc;
    return_dst = frames_[frame_].return_dst;
    leave_frames_to(frame_);
  }
  enter_frame(unit, parent, caller, return_pc, return_dst);
  if (context_.failed()) return;
  for (size_t i = 0; i < count; ++i) registers_[i] = std::move(given[i]);
}

void Machine::return_from(const Instruction& instruction) {
  const Frame frame = frames_[frame_];
  const Operand* operands = code_.operands.data() + instruction.a;
  std::array<Value, CallOperands::kFlowMax> results;
  for (int32_t i = 0; i < instruction.b; ++i) results[static_cast<size_t>(i)] = value(operands[i]);
  if (frame_ + 1 == frames_.size() && frame.forks == forks_.size()) leave_frames_to(frame_);
  frame_ = frame.caller;
  registers_ = stack_.at(frames_[frame_].base);
  for (int32_t i = 0; i < instruction.b; ++i) put(frame.return_dst + i, std::move(results[static_cast<size_t>(i)]));
  pc_ = frame.return_pc;
}

}  // namespace pawl::jq::internal
