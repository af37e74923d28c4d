#include "expr/jq/compiler.h"

#include <algorithm>

#include "expr/jq/lexer.h"
#include "expr/jq/library.h"
#include "expr/jq/natives.h"

namespace pawl::jq::internal {

Compiler::Compiler(const Syntax& syntax, std::span<const std::string_view> variables)
    : syntax_(syntax), variables_(variables.begin(), variables.end()) {}

Result<std::shared_ptr<Code>> Compiler::compile(std::string_view text) {
  text_ = text;
  unit_ = &units_.emplace_back();
  const int32_t input = fresh();
  Scope* scope = nullptr;
  for (const std::string& name : variables_) scope = add_variable(name, fresh(), scope);
  const Flow output = expression(*syntax_.root, value_flow(input), scope);
  if (!output.is_never) emit({.op = Op::kOutput, .a = output.value});
  emit({.op = Op::kBacktrack});
  compile_pending_closures();
  if (!error_.code.empty()) return std::unexpected(std::move(error_));
  return link(text);
}

// Every expression passes here, so that neither depth nor size gets out of hand.
Flow Compiler::expression(const Node& node, const Flow& in, Scope* scope) {
  if (!error_.code.empty()) return never(in.is_path);
  if (depth_ >= kCompileDepthMax)
    return fail_at(node, "JQ_TOO_LONG", "The program nests too deep once its functions are put in.",
                   "Let its functions call fewer others.");
  if (in.is_never) {
    Flow unreached = in.is_path ? fresh_flow(true) : value_flow(constant(Value()));
    Flow out = expression(node, unreached, scope);
    out.is_never = true;
    return out;
  }
  ++depth_;
  const Flow out = dispatch(node, in, scope);
  --depth_;
  return out;
}

Operand Compiler::value_of(const Node& node, const Flow& in, Scope* scope) {
  const Flow out = expression(node, value_flow(in.value), scope);
  return out.value;
}

// Only what reads its input once, last, keeps the right to take it.
bool Compiler::may_take(NodeKind kind) {
  return kind == NodeKind::kPipe || kind == NodeKind::kAssign || kind == NodeKind::kArithmetic ||
         kind == NodeKind::kIf || kind == NodeKind::kDefine || kind == NodeKind::kCall;
}

Flow Compiler::dispatch(const Node& node, const Flow& given, Scope* scope) {
  Flow in = given;
  in.is_owned = given.is_owned && may_take(node.kind);
  switch (node.kind) {
    case NodeKind::kIdentity:
      return in;
    case NodeKind::kIndex:
      return index(node, in, scope);
    case NodeKind::kSlice:
      return slice(node, in, scope);
    case NodeKind::kIterate:
      return iterate(node, in, scope);
    case NodeKind::kPipe:
      return pipe(node, in, scope);
    case NodeKind::kComma:
      return comma(node, in, scope);
    case NodeKind::kAlternative:
      return alternative(node, in, scope);
    case NodeKind::kIf:
      return branches(node, in, scope);
    case NodeKind::kTry:
      return attempt(node, in, scope);
    case NodeKind::kReduce:
      return reduce(node, in, scope);
    case NodeKind::kForeach:
      return foreach (node, in, scope);
    case NodeKind::kLabel:
      return label(node, in, scope);
    case NodeKind::kBreak:
      return jump_out(node, in, scope);
    case NodeKind::kDefine:
      return define(node, in, scope);
    case NodeKind::kCall:
      return call(node, in, scope);
    case NodeKind::kBind:
      return bind(node, in, scope);
    case NodeKind::kLiteral:
      return not_a_path(in, constant(node.value));
    case NodeKind::kVariable:
      return not_a_path(in, variable(node, scope));
    case NodeKind::kString:
      return not_a_path(in, string(node, in, scope));
    case NodeKind::kFormat:
      return not_a_path(in, format(node, in));
    case NodeKind::kArray:
      return not_a_path(in, array(node, in, scope));
    case NodeKind::kObject:
      return not_a_path(in, object(node, in, scope));
    case NodeKind::kNegate:
      return not_a_path(in, negate(node, in, scope));
    case NodeKind::kArithmetic:
    case NodeKind::kComparison:
      return binary(node, in, scope);
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return not_a_path(in, logic(node, in, scope));
    case NodeKind::kAssign:
      return assignment(node, in, scope);
  }
  return in;
}

// Whether an expression surely has one output, or an error, and leaves no fork behind.
bool Compiler::is_single(const Node& node, Scope* scope) const {
  const auto all_are = [&](const std::vector<Node*>& nodes) {
    return std::ranges::all_of(nodes, [&](const Node* child) { return child == nullptr || is_single(*child, scope); });
  };
  switch (node.kind) {
    case NodeKind::kIdentity:
    case NodeKind::kLiteral:
    case NodeKind::kVariable:
    case NodeKind::kFormat:
    case NodeKind::kArray:
      return true;
    case NodeKind::kIndex:
    case NodeKind::kSlice:
      return !node.optional && all_are(node.children);
    case NodeKind::kString:
    case NodeKind::kObject:
    case NodeKind::kNegate:
    case NodeKind::kPipe:
    case NodeKind::kArithmetic:
    case NodeKind::kComparison:
    case NodeKind::kAnd:
    case NodeKind::kOr:
    case NodeKind::kIf:
      return all_are(node.children);
    case NodeKind::kCall: {
      const bool is_native = find_native(node.text, node.children.size()) != kNoNative &&
                             library_definition(node.text, node.children.size()) == nullptr &&
                             find_special(node.text, node.children.size()) == nullptr;
      return is_native && !is_named(node, scope) && all_are(node.children);
    }
    case NodeKind::kIterate:
    case NodeKind::kComma:
    case NodeKind::kAlternative:
    case NodeKind::kAssign:
    case NodeKind::kTry:
    case NodeKind::kReduce:
    case NodeKind::kForeach:
    case NodeKind::kLabel:
    case NodeKind::kBreak:
    case NodeKind::kDefine:
    case NodeKind::kBind:
      return false;
  }
  return false;
}

// Whether a call means something of the program's own.
bool Compiler::is_named(const Node& call, const Scope* scope) {
  for (; scope != nullptr; scope = scope->outer)
    if (scope->kind != Scope::Kind::kVariable && scope->name == call.text) return true;
  return false;
}

// --- access

// The key comes first: its outputs are the outer loop.
Flow Compiler::index(const Node& node, const Flow& in, Scope* scope) {
  const Operand key = value_of(*node.children[1], in, scope);
  const Flow target = expression(*node.children[0], in, scope);
  return access(target, key, node.optional ? kOptional : 0);
}

Flow Compiler::access(const Flow& target, Operand key, uint8_t flags) {
  if (target.is_path) check_path(target, CheckAt::kAccess, key);
  const bool is_name = key < 0 && constants_[static_cast<size_t>(~key)].is_string();
  Flow out = target;
  out.is_owned = false;
  out.value = emit_to_fresh(is_name ? Op::kField : Op::kIndex, target.value, key, 0, flags);
  if (!target.is_path) return out;
  out.path = emit_to_fresh(Op::kPathPush, target.path, key);
  out.at = out.value;
  return out;
}

Flow Compiler::slice(const Node& node, const Flow& in, Scope* scope) {
  const Operand to = node.children[2] == nullptr ? constant(Value()) : value_of(*node.children[2], in, scope);
  const Operand from = node.children[1] == nullptr ? constant(Value()) : value_of(*node.children[1], in, scope);
  const Flow target = expression(*node.children[0], in, scope);
  const uint8_t flags = node.optional ? kOptional : 0;
  if (target.is_path) return access(target, emit_to_fresh(Op::kSliceKey, from, to), flags);
  return value_flow(emit_to_fresh(Op::kSlice, target.value, from, to, flags));
}

Flow Compiler::iterate(const Node& node, const Flow& in, Scope* scope) {
  const Flow target = expression(*node.children[0], in, scope);
  if (target.is_path) check_path(target, CheckAt::kIterate);
  const int32_t key = target.is_path ? fresh() : -1;
  Flow out = target;
  out.value = emit_to_fresh(Op::kEach, target.value, 0, key, node.optional ? kOptional : 0);
  if (!target.is_path) return out;
  out.path = emit_to_fresh(Op::kPathPush, target.path, key);
  out.at = out.value;
  return out;
}

// --- values

Operand Compiler::variable(const Node& node, Scope* scope) {
  if (const Scope* found = find(scope, Scope::Kind::kVariable, node.text)) return reach(*found);
  if (node.text == "ENV" || node.text == "__prog_args") {
    refuse(node);
    return 0;
  }
  undefined(node, "$" + node.text + " is not defined.", "Bind it with `as $" + node.text + "`.");
  return 0;
}

// The last interpolation is the outermost loop.
Operand Compiler::string(const Node& node, const Flow& in, Scope* scope) {
  std::vector<Operand> parts(node.children.size());
  for (size_t i = parts.size(); i-- > 0;) {
    parts[i] = value_of(*node.children[i], in, scope);
    if (i % 2 == 0) continue;
    Node name;
    name.text = node.text.empty() ? "text" : node.text;
    name.offset = node.offset;
    parts[i] = format(name, value_flow(parts[i]));
  }
  return emit_to_fresh(Op::kConcat, list(parts), static_cast<int32_t>(parts.size()));
}

Operand Compiler::format(const Node& node, const Flow& in) {
  const size_t native = find_native("@" + node.text, 0);
  if (native == kNoNative) {
    fail_at(node, "JQ_UNDEFINED", "@" + node.text + " is not a format.",
            "The formats are @text, @json, @html, @uri, @csv, @tsv, @sh, @base64, @base64d, @base32 and @base32d.");
    return 0;
  }
  return emit_to_fresh(Op::kNative, list({in.value}), 1, static_cast<int32_t>(native));
}

Operand Compiler::array(const Node& node, const Flow& in, Scope* scope) {
  const size_t begin = emit({.op = Op::kCollectBegin});
  const Flow item = expression(*node.children[0], value_flow(in.value), scope);
  if (!item.is_never) emit({.op = Op::kCollectAdd, .a = item.value});
  emit({.op = Op::kBacktrack});
  land(begin);
  return emit_to_fresh(Op::kCollectEnd, 0);
}

Operand Compiler::object(const Node& node, const Flow& in, Scope* scope) {
  std::vector<Operand> parts;
  for (const Node* child : node.children) parts.push_back(value_of(*child, in, scope));
  return emit_to_fresh(Op::kObject, list(parts), static_cast<int32_t>(parts.size()));
}

Operand Compiler::negate(const Node& node, const Flow& in, Scope* scope) {
  return emit_to_fresh(Op::kNegate, value_of(*node.children[0], in, scope));
}

Op op_of(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
      return Op::kAdd;
    case Operation::kSubtract:
      return Op::kSubtract;
    case Operation::kMultiply:
      return Op::kMultiply;
    case Operation::kDivide:
      return Op::kDivide;
    case Operation::kModulo:
      return Op::kModulo;
    case Operation::kEqual:
      return Op::kEqual;
    case Operation::kNotEqual:
      return Op::kNotEqual;
    case Operation::kLess:
      return Op::kLess;
    case Operation::kLessOrEqual:
      return Op::kLessOrEqual;
    case Operation::kGreater:
      return Op::kGreater;
    case Operation::kGreaterOrEqual:
      return Op::kGreaterOrEqual;
    case Operation::kNone:
    case Operation::kModify:
    case Operation::kAlternative:
      break;
  }
  return Op::kMove;
}

// The right side is the outer loop.
Flow Compiler::binary(const Node& node, const Flow& in, Scope* scope) {
  const Operand right = value_of(*node.children[1], in, scope);
  const Operand left = value_of(*node.children[0], in, scope);
  const bool takes = in.is_owned && node.operation == Operation::kAdd && left == in.value && right != in.value &&
                     is_single(*node.children[1], scope);
  Flow out = not_a_path(in, emit_to_fresh(op_of(node.operation), left, right, 0, takes ? kTakes : 0));
  out.is_owned = takes;
  return out;
}

}  // namespace pawl::jq::internal
