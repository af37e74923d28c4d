// Runs code. Generators work by backtracking: a fork remembers a place to come back to, and asking for the next output
// comes back to the last one.
//
// Nothing recurses: frames and forks lie on stacks of their own, whose sizes are bounded by Limits::depth_max.
#pragma once

#include <optional>
#include <vector>

#include "expr/jq/code.h"

namespace pawl::jq::internal {

inline constexpr size_t kForksPerDepth = 10;  // choices to come back to, for each call that Limits::depth_max allows

// Registers of all frames, one behind the other. Small programs stay inside it.
class RegisterStack {
 public:
  RegisterStack() = default;
  RegisterStack(const RegisterStack&) = delete;
  RegisterStack& operator=(const RegisterStack&) = delete;
  ~RegisterStack();

  size_t size() const { return size_; }
  Value* at(size_t index) { return values_ + index; }
  void grow_by(size_t count);  // with nulls
  void shrink_to(size_t size);

 private:
  static constexpr size_t kInside = 48;
  Value* inside() { return reinterpret_cast<Value*>(storage_); }

  alignas(Value) std::byte storage_[kInside * sizeof(Value)];
  Value* values_ = inside();
  size_t size_ = 0;
  size_t capacity_ = kInside;
};

class Machine {
 public:
  Machine(const Code& code, const Value& input, const Evaluation& evaluation);

  // The next output; nothing where there are no more or where the context has failed.
  std::optional<Value> next();
  Context& context() { return context_; }

 private:
  enum class ForkKind : uint8_t { kResume, kEach, kRange, kTry, kEnded, kAlternative, kMark, kPattern, kCollect };

  struct Fork {
    ForkKind kind;
    uint32_t pc;      // of the instruction to come back to
    uint32_t frame;   // in which
    uint32_t frames;  // how many there were
    uint32_t builders;
    int64_t extra;  // the next item, or the number of a mark
  };

  struct Frame {
    uint32_t base;    // its first register
    uint32_t parent;  // the frame of the unit around it
    uint32_t caller;
    uint32_t return_pc;
    int32_t return_dst;
    uint32_t forks;     // how many there were when it was entered
    uint32_t closures;  // its first parameter
  };

  struct Closure {
    int32_t value_unit;
    int32_t path_unit;
    uint32_t frame;
  };

  std::optional<Value> run();
  void execute(const Instruction& instruction);
  const Value& value(Operand operand) const { return operand >= 0 ? registers_[operand] : code_.constants[~operand]; }
  void put(int32_t dst, Value value) { registers_[dst] = std::move(value); }

  // Choices. (machine.cpp)
  void push_fork(ForkKind kind, uint32_t pc, int64_t extra = 0);
  void backtrack();
  bool resume(Fork& fork);
  void unwind();
  bool catches(const Fork& fork, size_t& ended);
  void drop_forks_from(int64_t mark);
  void restore(const Fork& fork);

  // Frames. (machine_calls.cpp)
  void enter_frame(uint32_t unit, uint32_t parent, uint32_t caller, uint32_t return_pc, int32_t return_dst);
  bool has_room(size_t registers);
  void leave_frames_to(size_t frames);
  void call(const Instruction& instruction);
  void call_closure(const Instruction& instruction);
  void call_unit(const Instruction& instruction, uint32_t unit, uint32_t parent, const Operand* inputs, size_t count);
  void return_from(const Instruction& instruction);
  uint32_t frame_out(int32_t hops) const;
  bool can_reuse_frame(const Instruction& instruction) const;

  // Instructions. (instructions.cpp)
  void field(const Instruction& instruction);
  void index(const Instruction& instruction);
  void slice(const Instruction& instruction);
  void finish_access(const Instruction& instruction, Value result);
  void each(const Instruction& instruction);
  bool put_item(const Instruction& instruction, int64_t index);
  void range(const Instruction& instruction);
  void range_next(const Instruction& instruction);
  void range_put(const Instruction& instruction);
  void collect_add(const Instruction& instruction);
  void collect_end(const Instruction& instruction);
  void array_of_one(const Instruction& instruction);
  void object(const Instruction& instruction);
  void concat(const Instruction& instruction);
  void arithmetic(const Instruction& instruction);
  void negate(const Instruction& instruction);
  void comparison(const Instruction& instruction);
  void native(const Instruction& instruction);
  void end_try();
  void end_alternative();
  void path_push(const Instruction& instruction);
  void path_append(const Instruction& instruction);
  void path_check(const Instruction& instruction);
  void get_at_path(const Instruction& instruction);
  void set_at_path(const Instruction& instruction);

  const Code& code_;
  Context context_;
  RegisterStack stack_;
  Value* registers_ = nullptr;  // of the current frame
  uint32_t frame_ = 0;
  uint32_t pc_ = 0;
  bool is_done_ = false;
  bool has_started_ = false;
  int64_t marks_ = 0;
  std::vector<Frame> frames_;
  std::vector<Fork> forks_;
  std::vector<Closure> closures_;
  std::vector<json::ArrayBuilder> builders_;
  std::optional<Value> output_;
};

}  // namespace pawl::jq::internal
