// The compiler's part for what decides, repeats, protects and binds.
#include <algorithm>

#include "expr/jq/compiler.h"

namespace pawl::jq::internal {

Flow Compiler::pipe(const Node& node, Flow in, Scope* scope) {
  for (const Node* part : node.children) in = expression(*part, in, scope);
  return in;
}

Flow Compiler::comma(const Node& node, const Flow& in, Scope* scope) {
  const Flow out = fresh_flow(in.is_path);
  std::vector<size_t> ends;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const bool is_last = i + 1 == node.children.size();
    const size_t fork = is_last ? 0 : emit({.op = Op::kFork});
    move(out, expression(*node.children[i], in, scope));
    if (is_last) break;
    ends.push_back(emit({.op = Op::kJump}));
    land(fork);
  }
  for (const size_t end : ends) land(end);
  return out;
}

Flow Compiler::branches(const Node& node, const Flow& given, Scope* scope) {
  Flow in = given;
  for (size_t i = 0; i + 1 < node.children.size(); i += 2)
    in.is_owned = in.is_owned && is_single(*node.children[i], scope);
  Flow out = fresh_flow(in.is_path);
  out.is_never = out.is_owned = true;
  std::vector<size_t> ends;
  const auto finish = [&](const Flow& branch) {
    out.is_never = out.is_never && branch.is_never;
    out.is_owned = out.is_owned && (branch.is_owned || branch.is_never);
    move(out, branch);
  };
  for (size_t i = 0; i + 1 < node.children.size(); i += 2) {
    const Operand condition = value_of(*node.children[i], in, scope);
    const size_t otherwise = emit({.op = Op::kJumpIfFalse, .a = condition});
    finish(expression(*node.children[i + 1], in, scope));
    ends.push_back(emit({.op = Op::kJump}));
    land(otherwise);
  }
  finish(node.children.size() % 2 == 0 ? in : expression(*node.children.back(), in, scope));
  for (const size_t end : ends) land(end);
  return out;
}

Operand Compiler::logic(const Node& node, const Flow& in, Scope* scope) {
  const int32_t out = fresh();
  const bool is_and = node.kind == NodeKind::kAnd;
  const Operand left = value_of(*node.children[0], in, scope);
  const size_t decided = emit({.op = is_and ? Op::kJumpIfFalse : Op::kJumpIfTrue, .a = left});
  const Operand right = value_of(*node.children[1], in, scope);
  emit({.op = Op::kTruth, .dst = out, .a = right});
  const size_t end = emit({.op = Op::kJump});
  land(decided);
  emit({.op = Op::kMove, .dst = out, .a = constant(Value::boolean(!is_and))});
  land(end);
  return out;
}

// left // right: the true outputs of the left side, or else those of the right.
Flow Compiler::alternative(const Node& node, const Flow& in, Scope* scope) {
  const Flow out = fresh_flow(in.is_path);
  const int32_t found = fresh();
  emit({.op = Op::kMove, .dst = found, .a = constant(Value::boolean(false))});
  const size_t begin = emit({.op = Op::kAltBegin});
  const Flow left = expression(*node.children[0], in, scope);
  const size_t good = emit({.op = Op::kJumpIfTrue, .a = left.value});
  emit({.op = Op::kBacktrack});
  land(good);
  emit({.op = Op::kMove, .dst = found, .a = constant(Value::boolean(true))});
  emit({.op = Op::kAltEnd});
  move(out, left);
  const size_t end = emit({.op = Op::kJump});
  land(begin);
  const size_t none = emit({.op = Op::kJumpIfFalse, .a = found});
  emit({.op = Op::kBacktrack});
  land(none);
  move(out, expression(*node.children[1], in, scope));
  land(end);
  return out;
}

Flow Compiler::attempt(const Node& node, const Flow& in, Scope* scope) {
  Flow out = fresh_flow(in.is_path);
  const int32_t error = fresh();
  const size_t begin = emit({.op = Op::kTryBegin, .dst = error});
  const Flow body = expression(*node.children[0], in, scope);
  emit({.op = Op::kTryEnd});
  move(out, body);
  const size_t end = emit({.op = Op::kJump});
  land(begin);
  if (node.children.size() == 1) {
    emit({.op = Op::kBacktrack});
    out.is_never = body.is_never;
  } else {
    const Flow handled = expression(*node.children[1], not_a_path(in, error), scope);
    move(out, handled);
    out.is_never = body.is_never && handled.is_never;
  }
  land(end);
  return out;
}

// --- folds

Flow Compiler::reduce(const Node& node, const Flow& in, Scope* scope) {
  const int32_t state = fresh();
  const Operand start = value_of(*node.children[1], in, scope);
  emit({.op = Op::kMove, .dst = state, .a = start});
  const size_t fork = emit({.op = Op::kFork});
  const Flow source = expression(*node.children[0], value_flow(in.value), scope);
  Scope* inner = bind_patterns(node, source, scope);
  const Operand before = emit_to_fresh(Op::kTake, state);
  const Flow after = expression(*node.children[2], {.value = before, .is_owned = true}, inner);
  move(value_flow(state), after);
  emit({.op = Op::kBacktrack});
  land(fork);
  return not_a_path(in, emit_to_fresh(Op::kTake, state));
}

// For paths, what is extracted is a path where it is the source's.
Flow Compiler::foreach (const Node& node, const Flow& in, Scope * scope) {
  const int32_t state = fresh();
  const Operand start = value_of(*node.children[1], in, scope);
  emit({.op = Op::kMove, .dst = state, .a = start});
  const Flow source = expression(*node.children[0], in, scope);
  Scope* inner = bind_patterns(node, source, scope);
  const Operand before = emit_to_fresh(Op::kTake, state);
  const Flow after = expression(*node.children[2], value_flow(before), inner);
  emit({.op = Op::kMove, .dst = state, .a = after.value});
  Flow extracted = source;
  extracted.value = after.value;
  extracted.is_never = source.is_never || after.is_never;
  return node.children[3] == nullptr ? extracted : expression(*node.children[3], extracted, inner);
}

// --- labels

Flow Compiler::label(const Node& node, const Flow& in, Scope* scope) {
  Scope* inner = add_scope(Scope::Kind::kLabel, node.text, scope);
  inner->operand = fresh();
  emit({.op = Op::kMark, .dst = inner->operand});
  return expression(*node.children[0], in, inner);
}

Flow Compiler::jump_out(const Node& node, const Flow& in, Scope* scope) {
  const Scope* found = find(scope, Scope::Kind::kLabel, node.text);
  if (found == nullptr) return undefined(node, "There is no label $" + node.text + " around this break.");
  emit({.op = Op::kBreak, .a = reach(*found)});
  return never(in.is_path);
}

// --- bindings

Flow Compiler::bind(const Node& node, const Flow& in, Scope* scope) {
  const Flow source = expression(*node.children[0], value_flow(in.value), scope);
  Scope* inner = bind_patterns(node, source, scope);
  Flow body_in = in;
  body_in.is_never = source.is_never;
  return expression(*node.children[1], body_in, inner);
}

Compiler::Scope* Compiler::bind_patterns(const Node& node, const Flow& source, Scope* scope) {
  if (node.patterns.size() == 1) return bind_pattern(*node.patterns[0], source.value, scope);
  return bind_alternatives(node.patterns, source.value, scope);
}

// A register is never written again while what reads it runs, so a variable is a name for one.
Compiler::Scope* Compiler::bind_pattern(const Pattern& pattern, Operand value, Scope* scope) {
  if (pattern.kind == Pattern::Kind::kVariable) return add_variable(pattern.variable, value, scope);
  int64_t number = 0;
  for (const Pattern::Entry& entry : pattern.entries) {
    const Operand key =
        entry.key == nullptr ? constant(Value::integer(number++)) : value_of(*entry.key, value_flow(value), scope);
    const Operand part = emit_to_fresh(Op::kIndex, value, key);
    if (!entry.variable.empty()) scope = add_variable(entry.variable, part, scope);
    if (entry.value != nullptr) scope = bind_pattern(*entry.value, part, scope);
  }
  return scope;
}

namespace {

void gather_variables(const Pattern& pattern, std::vector<std::string_view>& names) {
  const auto add = [&](std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  add(pattern.variable);
  for (const Pattern::Entry& entry : pattern.entries) {
    add(entry.variable);
    if (entry.value != nullptr) gather_variables(*entry.value, names);
  }
}

}  // namespace

// An error, also in what follows, goes on with the next alternative; those of the last one are errors. All variables
// exist in each, and are null where it does not bind them.
Compiler::Scope* Compiler::bind_alternatives(const std::vector<Pattern*>& patterns, Operand value, Scope* scope) {
  std::vector<std::string_view> names;
  for (const Pattern* pattern : patterns) gather_variables(*pattern, names);
  Scope* inner = scope;
  std::vector<int32_t> registers;
  for (const std::string_view name : names) {
    registers.push_back(fresh());
    inner = add_variable(name, registers.back(), inner);
  }
  std::vector<size_t> ends;
  for (const Pattern* pattern : patterns) {
    const bool is_last = pattern == patterns.back();
    const size_t fork = is_last ? 0 : emit({.op = Op::kPattern});
    for (const int32_t variable : registers) emit({.op = Op::kMove, .dst = variable, .a = constant(Value())});
    assign_pattern(*pattern, value, inner);
    if (is_last) break;
    ends.push_back(emit({.op = Op::kJump}));
    land(fork);
  }
  for (const size_t end : ends) land(end);
  return inner;
}

void Compiler::assign_variable(std::string_view name, Operand value, Scope* scope) {
  emit({.op = Op::kMove, .dst = find(scope, Scope::Kind::kVariable, name)->operand, .a = value});
}

void Compiler::assign_pattern(const Pattern& pattern, Operand value, Scope* scope) {
  if (pattern.kind == Pattern::Kind::kVariable) return assign_variable(pattern.variable, value, scope);
  int64_t number = 0;
  for (const Pattern::Entry& entry : pattern.entries) {
    const Operand key =
        entry.key == nullptr ? constant(Value::integer(number++)) : value_of(*entry.key, value_flow(value), scope);
    const Operand part = emit_to_fresh(Op::kIndex, value, key);
    if (!entry.variable.empty()) assign_variable(entry.variable, part, scope);
    if (entry.value != nullptr) assign_pattern(*entry.value, part, scope);
  }
}

}  // namespace pawl::jq::internal
