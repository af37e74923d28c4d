#include "expr/jq/machine.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "expr/jq/access.h"
#include "expr/jq/numbers.h"

namespace pawl::jq::internal {

RegisterStack::~RegisterStack() {
  shrink_to(0);
  if (values_ != inside()) std::free(values_);
}

void RegisterStack::grow_by(size_t count) {
  if (size_ + count > capacity_) {
    const size_t capacity = std::max(2 * capacity_, size_ + count);
    void* memory = std::malloc(capacity * sizeof(Value));
    if (memory == nullptr) throw std::bad_alloc();
    std::memcpy(memory, static_cast<void*>(values_), size_ * sizeof(Value));  // a Value may be moved by its bits
    if (values_ != inside()) std::free(values_);
    values_ = static_cast<Value*>(memory);
    capacity_ = capacity;
  }
  for (size_t i = 0; i < count; ++i) new (values_ + size_ + i) Value();
  size_ += count;
}

void RegisterStack::shrink_to(size_t size) {
  while (size_ > size) values_[--size_].~Value();
}

Machine::Machine(const Code& code, const Value& input, const Evaluation& evaluation)
    : code_(code), context_(evaluation) {
  enter_frame(0, 0, 0, 0, 0);
  registers_[0] = input;
  for (size_t i = 0; i < code.variables && i < evaluation.variables.size(); ++i)
    registers_[1 + i] = evaluation.variables[i];
}

std::optional<Value> Machine::next() {
  if (is_done_) return std::nullopt;
  if (std::exchange(has_started_, true)) backtrack();
  return run();
}

std::optional<Value> Machine::run() {
  while (!is_done_) {
    if (!context_.spend_steps(1)) [[unlikely]]
      break;
    execute(code_.instructions[pc_++]);
    if (context_.failed()) [[unlikely]]
      unwind();
    if (output_) [[unlikely]]
      return std::exchange(output_, std::nullopt);
  }
  is_done_ = true;
  return std::nullopt;
}

void Machine::execute(const Instruction& i) {
  switch (i.op) {
    case Op::kMove:
      return put(i.dst, value(i.a));
    case Op::kTake:
      return put(i.dst, std::exchange(registers_[i.a], Value()));
    case Op::kOuter:
      return put(i.dst, *stack_.at(frames_[frame_out(i.a)].base + static_cast<uint32_t>(i.b)));
    case Op::kField:
      return field(i);
    case Op::kIndex:
      return index(i);
    case Op::kSlice:
      return slice(i);
    case Op::kSliceKey:
      return put(i.dst, make_slice_key(value(i.a), value(i.b)));
    case Op::kEach:
      return each(i);
    case Op::kJump:
      pc_ = static_cast<uint32_t>(i.target);
      return;
    case Op::kJumpIfFalse:
      if (!is_true(value(i.a))) pc_ = static_cast<uint32_t>(i.target);
      return;
    case Op::kJumpIfTrue:
      if (is_true(value(i.a))) pc_ = static_cast<uint32_t>(i.target);
      return;
    case Op::kFork:
      return push_fork(ForkKind::kResume, static_cast<uint32_t>(i.target));
    case Op::kBacktrack:
      return backtrack();
    case Op::kRange:
      return range(i);
    case Op::kCollectBegin:
      builders_.emplace_back();
      return push_fork(ForkKind::kCollect, static_cast<uint32_t>(i.target));
    case Op::kCollectAdd:
      return collect_add(i);
    case Op::kCollectEnd:
      return collect_end(i);
    case Op::kArrayOfOne:
      return array_of_one(i);
    case Op::kObject:
      return object(i);
    case Op::kConcat:
      return concat(i);
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kModulo:
      return arithmetic(i);
    case Op::kNegate:
      return negate(i);
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
      return comparison(i);
    case Op::kTruth:
      return put(i.dst, Value::boolean(is_true(value(i.a))));
    case Op::kNot:
      return put(i.dst, Value::boolean(!is_true(value(i.a))));
    case Op::kNative:
      return native(i);
    case Op::kTryBegin:
      return push_fork(ForkKind::kTry, static_cast<uint32_t>(i.target), i.dst);
    case Op::kTryEnd:
      return end_try();
    case Op::kAltBegin:
      return push_fork(ForkKind::kAlternative, static_cast<uint32_t>(i.target));
    case Op::kAltEnd:
      return end_alternative();
    case Op::kMark:
      push_fork(ForkKind::kMark, static_cast<uint32_t>(i.target), ++marks_);
      return put(i.dst, Value::integer(marks_));
    case Op::kCut:
      return drop_forks_from(*value(i.a).as_integer());
    case Op::kBreak:
      drop_forks_from(*value(i.a).as_integer());
      return backtrack();
    case Op::kPattern:
      return push_fork(ForkKind::kPattern, static_cast<uint32_t>(i.target));
    case Op::kRaise:
      context_.raise(value(i.a));
      return;
    case Op::kPathPush:
      return path_push(i);
    case Op::kPathAppend:
      return path_append(i);
    case Op::kPathCheck:
      return path_check(i);
    case Op::kGetPath:
      return get_at_path(i);
    case Op::kSetPath:
      return set_at_path(i);
    case Op::kCall:
      return call(i);
    case Op::kCallClosure:
      return call_closure(i);
    case Op::kReturn:
      return return_from(i);
    case Op::kOutput:
      output_ = value(i.a);
      return;
  }
}

// --- choices

void Machine::push_fork(ForkKind kind, uint32_t pc, int64_t extra) {
  if (forks_.size() >= kForksPerDepth * context_.limits().depth_max) {
    context_.exceed("The program has more than " + std::to_string(kForksPerDepth * context_.limits().depth_max) +
                    " choices to come back to.");
    return;
  }
  forks_.push_back(
      {kind, pc, frame_, static_cast<uint32_t>(frames_.size()), static_cast<uint32_t>(builders_.size()), extra});
}

void Machine::restore(const Fork& fork) {
  if (frames_.size() > fork.frames) leave_frames_to(fork.frames);
  while (builders_.size() > fork.builders) builders_.pop_back();
  frame_ = fork.frame;
  registers_ = stack_.at(frames_[frame_].base);
}

void Machine::backtrack() {
  while (!forks_.empty()) {
    restore(forks_.back());
    if (resume(forks_.back())) return;
  }
  is_done_ = true;
}

// Goes on from a fork, which is dropped unless there is yet more to come; false where it is only a mark.
bool Machine::resume(Fork& fork) {
  switch (fork.kind) {
    case ForkKind::kEach: {
      const Instruction& instruction = code_.instructions[fork.pc];
      pc_ = fork.pc + 1;
      if (!put_item(instruction, fork.extra++)) forks_.pop_back();
      return true;
    }
    case ForkKind::kRange:
      pc_ = fork.pc;
      forks_.pop_back();
      range_next(code_.instructions[pc_++]);
      return true;
    case ForkKind::kMark:
      if (static_cast<int32_t>(fork.pc) < 0) break;
      [[fallthrough]];
    case ForkKind::kResume:
    case ForkKind::kCollect:
    case ForkKind::kAlternative:
      pc_ = fork.pc;
      forks_.pop_back();
      return true;
    case ForkKind::kTry:
    case ForkKind::kEnded:
    case ForkKind::kPattern:
      break;
  }
  forks_.pop_back();
  return false;
}

// Whether an error stops at a fork. `ended` counts the protected parts that the error comes from behind of.
bool Machine::catches(const Fork& fork, size_t& ended) {
  switch (fork.kind) {
    case ForkKind::kEnded:
      ++ended;
      return false;
    case ForkKind::kTry:
      if (ended == 0) return true;
      --ended;
      return false;
    case ForkKind::kPattern:
      return true;
    case ForkKind::kResume:
    case ForkKind::kEach:
    case ForkKind::kRange:
    case ForkKind::kMark:
    case ForkKind::kCollect:
    case ForkKind::kAlternative:
      return false;
  }
  return false;
}

void Machine::unwind() {
  output_.reset();
  size_t ended = 0;
  while (context_.failure() == Failure::kError && !forks_.empty()) {
    const Fork fork = forks_.back();
    forks_.pop_back();
    if (!catches(fork, ended)) continue;
    restore(fork);
    pc_ = fork.pc;
    if (fork.kind == ForkKind::kTry) put(static_cast<int32_t>(fork.extra), context_.error());
    context_.clear_error();
    return;
  }
  is_done_ = true;
}

void Machine::drop_forks_from(int64_t mark) {
  while (!forks_.empty()) {
    const Fork fork = forks_.back();
    forks_.pop_back();
    if (fork.kind == ForkKind::kMark && fork.extra == mark) return restore(fork);
  }
}

}  // namespace pawl::jq::internal
