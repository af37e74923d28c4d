// The compiler's part for builtins that are instructions, and for those that are refused.
#include <algorithm>
#include <array>

#include "expr/jq/compiler.h"
#include "expr/jq/natives.h"

namespace pawl::jq::internal {

namespace {

struct Refused {
  std::string_view name;
  std::string_view why;
};

constexpr std::array kRefused = {
    Refused{"input", "there are no further inputs"},
    Refused{"inputs", "there are no further inputs"},
    Refused{"debug", "there is nowhere to write messages to"},
    Refused{"stderr", "there is nowhere to write messages to"},
    Refused{"env", "the environment is not for programs to see"},
    Refused{"ENV", "the environment is not for programs to see"},
    Refused{"__prog_args", "programs have no command line"},
    Refused{"halt", "a program does not end the process it runs in"},
    Refused{"halt_error", "a program does not end the process it runs in"},
    Refused{"input_filename", "the input is a value, not a file"},
    Refused{"input_line_number", "the input is a value, not a file"},
    Refused{"get_search_list", "there are no modules"},
    Refused{"modulemeta", "there are no modules"},
};

const Refused* find_refused(std::string_view name) {
  const auto found = std::ranges::find(kRefused, name, &Refused::name);
  return found == kRefused.end() ? nullptr : &*found;
}

}  // namespace

Compiler::Special Compiler::find_special(std::string_view name, size_t arity) {
  if (name == "empty" && arity == 0) return &Compiler::special_empty;
  if (name == "error" && arity <= 1) return &Compiler::special_error;
  if (name == "not" && arity == 0) return &Compiler::special_not;
  if (name == "path" && arity == 1) return &Compiler::special_path;
  if (name == "range" && arity >= 1 && arity <= 3) return &Compiler::special_range;
  if (name == "getpath" && arity == 1) return &Compiler::special_getpath;
  if (find_refused(name) != nullptr) return &Compiler::special_refused;
  return nullptr;
}

Flow Compiler::special_refused(const Node& node, const Flow& in, Scope*) {
  refuse(node);
  return never(in.is_path);
}

Flow Compiler::refuse(const Node& node) {
  const std::string name = (node.kind == NodeKind::kVariable ? "$" : "") + node.text;
  return fail_at(node, "JQ_REFUSED", name + " is refused: " + std::string(find_refused(node.text)->why) + ".",
                 "Give what the program needs in its input, or in a variable.");
}

Flow Compiler::special_empty(const Node&, const Flow& in, Scope*) {
  emit({.op = Op::kBacktrack});
  return never(in.is_path);
}

Flow Compiler::special_error(const Node& node, const Flow& in, Scope* scope) {
  const Operand error = node.children.empty() ? in.value : value_of(*node.children[0], in, scope);
  emit({.op = Op::kRaise, .a = error});
  return never(in.is_path);
}

Flow Compiler::special_not(const Node&, const Flow& in, Scope*) {
  return not_a_path(in, emit_to_fresh(Op::kNot, in.value));
}

Flow Compiler::special_path(const Node& node, const Flow& in, Scope* scope) {
  const Flow from{.value = in.value, .path = constant(Value::empty_array()), .at = in.value, .is_path = true};
  const Flow out = expression(*node.children[0], from, scope);
  if (out.is_never) return never(in.is_path);
  check_path(out, CheckAt::kResult);
  return not_a_path(in, out.path);
}

// The first argument is the outermost loop.
Flow Compiler::special_range(const Node& node, const Flow& in, Scope* scope) {
  const size_t arity = node.children.size();
  const Operand first = value_of(*node.children[0], in, scope);
  const Operand second = arity > 1 ? value_of(*node.children[1], in, scope) : first;
  const Operand by = arity > 2 ? value_of(*node.children[2], in, scope) : constant(Value::integer(1));
  const Operand from = arity > 1 ? first : constant(Value::integer(0));
  const int32_t out = fresh(2);
  emit({.op = Op::kRange, .dst = out, .a = from, .b = second, .c = by});
  return not_a_path(in, out);
}

Flow Compiler::special_getpath(const Node& node, const Flow& in, Scope* scope) {
  const Operand path = value_of(*node.children[0], in, scope);
  if (in.is_path) check_path(in, CheckAt::kAccess, path);
  Flow out = in;
  const auto native = static_cast<int32_t>(find_native("getpath", 1));
  out.value = emit_to_fresh(Op::kNative, list({in.value, path}), 2, native);
  if (!in.is_path) return out;
  out.path = emit_to_fresh(Op::kPathAppend, in.path, path);
  out.at = out.value;
  return out;
}

}  // namespace pawl::jq::internal
