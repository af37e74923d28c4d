// The compiler's part for assignments: =, |=, += and the like.
//
// a = b and a op= b take each output of b in turn, found on the input. a |= f replaces by f's first output; parts for
// which it has none are deleted, all at the end, as in jq 1.7.
#include "expr/jq/compiler.h"
#include "expr/jq/natives.h"

namespace pawl::jq::internal {

// Fixed names and numbers only, such as .a.b[0].
bool Compiler::constant_path(const Node& node, json::ArrayBuilder& path) const {
  switch (node.kind) {
    case NodeKind::kIdentity:
      return true;
    case NodeKind::kPipe:
      for (const Node* part : node.children)
        if (!constant_path(*part, path)) return false;
      return true;
    case NodeKind::kIndex: {
      const Node& key = *node.children[1];
      const bool is_fixed = key.kind == NodeKind::kLiteral && (key.value.is_string() || key.value.is_number());
      if (!is_fixed || node.optional || !constant_path(*node.children[0], path)) return false;
      path.push(key.value);
      return true;
    }
    default:
      return false;
  }
}

Operand Compiler::assignment(const Node& node, const Flow& in, Scope* scope) {
  const Node& left = *node.children[0];
  const Node& right = *node.children[1];
  if (node.operation == Operation::kModify) {
    const auto update = [&](Operand old) { return expression(right, value_flow(old), scope); };
    return modify_all(left, in, scope, update, false);
  }
  const Operand given = value_of(right, in, scope);
  if (node.operation == Operation::kNone) return assign_all(left, in, scope, given);
  const auto update = [&](Operand old) {
    if (node.operation != Operation::kAlternative) return value_flow(emit_to_fresh(op_of(node.operation), old, given));
    const int32_t chosen = fresh();
    emit({.op = Op::kMove, .dst = chosen, .a = old});
    const size_t good = emit({.op = Op::kJumpIfTrue, .a = old});
    emit({.op = Op::kMove, .dst = chosen, .a = given});
    land(good);
    return value_flow(chosen);
  };
  return modify_all(left, in, scope, update, true);
}

Operand Compiler::assign_all(const Node& left, const Flow& in, Scope* scope, Operand given) {
  json::ArrayBuilder fixed;
  if (constant_path(left, fixed)) return emit_to_fresh(Op::kSetPath, in.value, constant(fixed.build()), given);
  const int32_t state = fresh();
  emit({.op = Op::kMove, .dst = state, .a = in.value});
  const size_t fork = emit({.op = Op::kFork});
  const Flow place = paths_of(left, in, scope);
  if (!place.is_never) emit({.op = Op::kSetPath, .dst = state, .a = state, .b = place.path, .c = given});
  emit({.op = Op::kBacktrack});
  land(fork);
  return emit_to_fresh(Op::kTake, state);
}

Flow Compiler::paths_of(const Node& node, const Flow& in, Scope* scope) {
  const Flow from{.value = in.value, .path = constant(Value::empty_array()), .at = in.value, .is_path = true};
  const Flow out = expression(node, from, scope);
  check_path(out, CheckAt::kResult);
  return out;
}

template <typename Update>
Operand Compiler::modify_all(const Node& left, const Flow& in, Scope* scope, Update update, bool has_one_output) {
  json::ArrayBuilder fixed;
  if (constant_path(left, fixed)) return modify_one(in.value, constant(fixed.build()), update, has_one_output);
  const int32_t state = fresh();
  const int32_t deleted = fresh();
  emit({.op = Op::kMove, .dst = state, .a = in.value});
  emit({.op = Op::kMove, .dst = deleted, .a = constant(Value::empty_array())});
  const size_t fork = emit({.op = Op::kFork});
  const Flow place = paths_of(left, in, scope);
  const Operand old = emit_to_fresh(Op::kGetPath, state, place.path);
  const int32_t mark = fresh();
  const size_t begin = emit({.op = Op::kMark, .dst = mark});
  const Flow changed = update(old);
  if (!changed.is_never) {
    emit({.op = Op::kCut, .a = mark});
    emit({.op = Op::kSetPath, .dst = state, .a = state, .b = place.path, .c = changed.value});
    emit({.op = Op::kBacktrack});
  }
  land(begin);
  emit({.op = Op::kPathPush, .dst = deleted, .a = deleted, .b = place.path});
  emit({.op = Op::kBacktrack});
  land(fork);
  return delete_paths(state, deleted);
}

Operand Compiler::delete_paths(Operand value, Operand paths) {
  const auto native = static_cast<int32_t>(find_native("delpaths", 1));
  return emit_to_fresh(Op::kNative, list({value, paths}), 2, native);
}

template <typename Update>
Operand Compiler::modify_one(Operand value, Operand path, Update update, bool has_one_output) {
  const Operand old = emit_to_fresh(Op::kGetPath, value, path);
  if (has_one_output) return emit_to_fresh(Op::kSetPath, value, path, update(old).value);
  const int32_t out = fresh();
  const int32_t mark = fresh();
  const size_t begin = emit({.op = Op::kMark, .dst = mark});
  const Flow changed = update(old);
  if (!changed.is_never) {
    emit({.op = Op::kCut, .a = mark});
    emit({.op = Op::kSetPath, .dst = out, .a = value, .b = path, .c = changed.value});
  }
  const size_t end = emit({.op = Op::kJump});
  land(begin);
  json::ArrayBuilder one(1);
  one.push(constants_[static_cast<size_t>(~path)]);
  emit({.op = Op::kMove, .dst = out, .a = delete_paths(value, constant(one.build()))});
  land(end);
  return out;
}

}  // namespace pawl::jq::internal
