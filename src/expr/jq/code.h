// What a program is compiled to: units of instructions on registers.
//
// A unit is the program itself, a function that calls itself, or an argument that such a function is given; everything
// else is compiled into the place where it is used. An entered unit has a frame of registers. Every expression writes
// registers of its own, which are never written by what comes after it. So coming back to an earlier choice (a fork)
// needs nothing but the place and the frame: whatever was written before the fork still stands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/jq/context.h"

namespace pawl::jq::internal {

enum class Op : uint8_t {
  kMove,          // dst = a
  kTake,          // dst = a, and a becomes null
  kOuter,         // dst = register b of the frame a levels out
  kField,         // dst = a[b], b a name
  kIndex,         // dst = a[b]
  kSlice,         // dst = a[b:c]
  kSliceKey,      // dst = {"start":a,"end":b}
  kEach,          // dst = each item of a; c, where not negative, is a register for its key
  kJump,          // to target
  kJumpIfFalse,   // to target where a is false or null
  kJumpIfTrue,    // to target where it is not
  kFork,          // goes on, and comes back at target
  kBacktrack,     // to the last fork
  kRange,         // dst = each number from a below b by c; the register behind dst is its place
  kCollectBegin,  // gathers an array, and comes back at target when all is gathered
  kCollectAdd,    // a is an item
  kCollectEnd,    // dst = the array
  kArrayOfOne,    // dst = [a]
  kObject,        // dst = object of names and values: operands a to a + b
  kConcat,        // dst = the strings of operands a to a + b in one
  kAdd,           // dst = a + b
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kNegate,  // dst = -a
  kEqual,   // dst = a == b
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kTruth,        // dst = whether a is neither false nor null
  kNot,          // dst = whether it is
  kNative,       // dst = builtin c of operands a to a + b
  kTryBegin,     // errors go to target, with dst set to the error
  kTryEnd,       // from here on they do not
  kAltBegin,     // comes back at target
  kAltEnd,       // one output was good: where nothing is left to come back to, the target is not either
  kMark,         // dst = the number of a fork that comes back at target, or with no target not at all
  kCut,          // drops the fork that a is the number of, and all that came after it
  kBreak,        // the same, then backtracks
  kPattern,      // errors go to target
  kRaise,        // a is the error
  kPathPush,     // dst = path a with key b
  kPathAppend,   // dst = path a followed by path b
  kPathCheck,    // an error where value b is not what stands at the path, a; flags: CheckAt; c: the key
  kGetPath,      // dst = a at path b
  kSetPath,      // dst = a with c at path b
  kCall,         // dst… = unit b with inputs and closures (operands from a); c levels out is its parent
  kCallClosure,  // dst… = parameter b of the frame c levels out; operands from a: inputs; flags: kInPathMode
  kReturn,       // operands a to a + b
  kOutput,       // a is an output of the program
};

enum class CheckAt : uint8_t { kResult, kAccess, kIterate };

inline constexpr uint8_t kOptional = 1;    // of kField, kIndex, kSlice, kEach: no output instead of an error
inline constexpr uint8_t kTail = 1;        // of calls: what they give is what the unit gives
inline constexpr uint8_t kInPathMode = 2;  // of kCallClosure
inline constexpr uint8_t kTakes = 1;  // of kAdd and kSetPath: a is not needed afterwards, and may be changed in place
inline constexpr uint8_t kTakesPart = 2;  // of kSetPath: nor is c

// An operand is a register (0 and up) or a constant (~number).
using Operand = int32_t;

struct Instruction {
  Op op = Op::kMove;
  uint8_t flags = 0;
  int32_t dst = 0;
  Operand a = 0;
  Operand b = 0;
  Operand c = 0;
  int32_t target = -1;
};

struct UnitCode {
  uint32_t start = 0;  // of its instructions
  uint32_t registers = 0;
};

inline constexpr size_t kParametersMax = 16;  // of a function

// What a call's operands say of an argument: a new closure of the units for values and for paths, whose frame is
// `hops` levels out; or, with kPassedOn for the first, parameter `second` of the frame `hops` levels out.
struct ClosureSpec {
  static constexpr int32_t kPassedOn = -1;
  int32_t value_unit;
  int32_t path_unit;
  int32_t hops;
};

struct Code {
  std::string text;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;  // lists that instructions refer to
  std::vector<ClosureSpec> closures;
  std::vector<Value> constants;
  std::vector<UnitCode> units;  // the first is the program
  size_t variables = 0;         // how many are bound from outside, in registers 1, 2, …
};

// The operands of a kCall, from its `a` on: how many inputs, the inputs, how many closures, the first one's number in
// Code::closures. Those of a kCallClosure are the inputs only.
struct CallOperands {
  static constexpr size_t kFlowMax = 3;  // a value, or a path, what stands there, and the value
  static constexpr size_t kInputsMax = kFlowMax + kParametersMax;  // and the values of parameters such as $name
};

}  // namespace pawl::jq::internal
