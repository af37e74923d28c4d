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

// What += and the like do with the old value.
auto Compiler::operation_with(Operation operation, Operand given) {
  return [this, operation, given](const Flow& old) {
    if (operation != Operation::kAlternative) {
      const bool takes = old.is_owned && operation == Operation::kAdd;
      Flow changed = value_flow(emit_to_fresh(op_of(operation), old.value, given, 0, takes ? kTakes : 0));
      changed.is_owned = takes;
      return changed;
    }
    const int32_t chosen = fresh();
    emit({.op = Op::kMove, .dst = chosen, .a = old.value});
    const size_t good = emit({.op = Op::kJumpIfTrue, .a = old.value});
    emit({.op = Op::kMove, .dst = chosen, .a = given});
    land(good);
    return value_flow(chosen);
  };
}

// Finding the path reads the parts along it: where the whole is to be changed in place, they are let go of again.
Operand Compiler::path_of(const Place& place, const Flow& in, Scope* scope) {
  if (place.path < 0) return place.path;
  const int32_t first = unit_->registers;
  const Operand path = paths_of(*place.node, in, scope).path;
  for (int32_t used = first; place.takes && used < unit_->registers; ++used)
    if (used != path) emit({.op = Op::kMove, .dst = used, .a = constant(Value())});
  return path;
}

Operand Compiler::assign(const Place& place, const Flow& in, Scope* scope, Operand given) {
  if (place.is_one) {
    const Operand path = path_of(place, in, scope);
    return emit_to_fresh(Op::kSetPath, in.value, path, given, place.takes ? kTakes : 0);
  }
  const int32_t state = fresh();
  emit({.op = Op::kMove, .dst = state, .a = in.value});
  const size_t fork = emit({.op = Op::kFork});
  const Flow found = paths_of(*place.node, in, scope);
  if (!found.is_never)
    emit({.op = Op::kSetPath, .flags = kTakes, .dst = state, .a = state, .b = found.path, .c = given});
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
Operand Compiler::modify(const Place& place, const Flow& in, Scope* scope, Update update, bool has_one_output) {
  if (place.is_one) return modify_one(place, in, path_of(place, in, scope), update, has_one_output);
  const int32_t state = fresh();
  const int32_t deleted = fresh();
  emit({.op = Op::kMove, .dst = state, .a = in.value});
  emit({.op = Op::kMove, .dst = deleted, .a = constant(Value::empty_array())});
  const size_t fork = emit({.op = Op::kFork});
  const Flow found = paths_of(*place.node, in, scope);
  const Operand old = emit_to_fresh(Op::kGetPath, state, found.path);
  const int32_t mark = fresh();
  const size_t begin = emit({.op = Op::kMark, .dst = mark});
  const Flow changed = update(value_flow(old));
  if (!changed.is_never) {
    emit({.op = Op::kCut, .a = mark});
    emit({.op = Op::kSetPath, .flags = kTakes, .dst = state, .a = state, .b = found.path, .c = changed.value});
    emit({.op = Op::kBacktrack});
  }
  land(begin);
  emit({.op = Op::kPathPush, .dst = deleted, .a = deleted, .b = found.path});
  emit({.op = Op::kBacktrack});
  land(fork);
  return delete_paths(state, deleted);
}

Operand Compiler::delete_paths(Operand value, Operand paths) {
  const auto native = static_cast<int32_t>(find_native("delpaths", 1));
  return emit_to_fresh(Op::kNative, list({value, paths}), 2, native);
}

// One place. Where the whole may be taken, the old part is taken out of it while it is changed.
template <typename Update>
Operand Compiler::modify_one(const Place& place, const Flow& in, Operand path, Update update, bool has_one_output) {
  const uint8_t flags = place.takes ? kTakes : 0;
  const Operand old = emit_to_fresh(Op::kGetPath, in.value, path, 0, flags);
  const Flow old_flow{.value = old, .is_owned = place.takes};
  if (has_one_output) {
    const Flow changed = update(old_flow);
    return emit_to_fresh(Op::kSetPath, in.value, path, changed.value, flags | (changed.is_owned ? kTakesPart : 0));
  }
  const int32_t out = fresh();
  const int32_t mark = fresh();
  const size_t begin = emit({.op = Op::kMark, .dst = mark});
  const Flow changed = update(old_flow);
  if (!changed.is_never) {
    emit({.op = Op::kCut, .a = mark});
    const uint8_t more = flags | (changed.is_owned ? kTakesPart : 0);
    emit({.op = Op::kSetPath, .flags = more, .dst = out, .a = in.value, .b = path, .c = changed.value});
  }
  const size_t end = emit({.op = Op::kJump});
  land(begin);
  emit({.op = Op::kMove, .dst = out, .a = delete_paths(in.value, emit_to_fresh(Op::kArrayOfOne, path))});
  land(end);
  return out;
}

Flow Compiler::assignment(const Node& node, const Flow& in, Scope* scope) {
  const Node& left = *node.children[0];
  const Node& right = *node.children[1];
  Place place{.node = &left, .takes = in.is_owned};
  json::ArrayBuilder fixed;
  place.is_one = constant_path(left, fixed);
  if (place.is_one)
    place.path = constant(fixed.build());
  else
    place.is_one = is_single(left, scope);
  Flow out = not_a_path(in, 0);
  if (node.operation == Operation::kModify) {
    const auto update = [&](const Flow& old) { return expression(right, old, scope); };
    out.value = modify(place, in, scope, update, false);
  } else {
    place.takes = place.takes && is_single(right, scope);
    const Operand given = value_of(right, in, scope);
    place.takes = place.takes && given != in.value;
    out.value = node.operation == Operation::kNone
                    ? assign(place, in, scope, given)
                    : modify(place, in, scope, operation_with(node.operation, given), true);
  }
  out.is_owned = place.is_one && place.takes;
  return out;
}

}  // namespace pawl::jq::internal
