// The compiler's part for registers, instructions, scopes and the finished code.
#include <algorithm>

#include "expr/jq/compiler.h"
#include "expr/jq/lexer.h"

namespace pawl::jq::internal {

int32_t Compiler::fresh(int32_t count) {
  const int32_t first = unit_->registers;
  unit_->registers += count;
  return first;
}

Flow Compiler::fresh_flow(bool is_path) {
  if (!is_path) return value_flow(fresh());
  const int32_t first = fresh(3);
  return Flow{.value = first + 2, .path = first, .at = first + 1, .is_path = true};
}

Flow Compiler::never(bool is_path) { return Flow{.is_path = is_path, .is_never = true}; }

Flow Compiler::not_a_path(const Flow& in, Operand value) const {
  Flow out = in;
  out.value = value;
  out.is_owned = false;
  return out;
}

Operand Compiler::constant(Value value) {
  for (size_t i = 0; i < constants_.size(); ++i)
    if (constants_[i].same_node(value)) return ~static_cast<Operand>(i);
  constants_.push_back(std::move(value));
  return ~static_cast<Operand>(constants_.size() - 1);
}

size_t Compiler::emit(Instruction instruction) {
  if (++instructions_ > kInstructionsMax && error_.code.empty())
    error_ = Error{"JQ_TOO_LONG",
                   {},
                   "The program becomes more than " + std::to_string(kInstructionsMax) + " instructions.",
                   "Make it shorter."};
  unit_->code.push_back(instruction);
  return unit_->code.size() - 1;
}

Operand Compiler::emit_to_fresh(Op op, Operand a, Operand b, Operand c, uint8_t flags) {
  const int32_t dst = fresh();
  emit({.op = op, .flags = flags, .dst = dst, .a = a, .b = b, .c = c});
  return dst;
}

void Compiler::move(const Flow& to, const Flow& from) {
  if (from.is_never) return;
  emit({.op = from.is_owned ? Op::kTake : Op::kMove, .dst = to.value, .a = from.value});
  if (!to.is_path) return;
  emit({.op = Op::kMove, .dst = to.path, .a = from.path});
  emit({.op = Op::kMove, .dst = to.at, .a = from.at});
}

void Compiler::check_path(const Flow& flow, CheckAt at, Operand key) {
  if (flow.at == flow.value || flow.is_never) return;
  emit({.op = Op::kPathCheck, .flags = static_cast<uint8_t>(at), .a = flow.at, .b = flow.value, .c = key});
}

int32_t Compiler::list(const std::vector<Operand>& operands) {
  const auto first = static_cast<int32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  return first;
}

std::vector<Operand> Compiler::operands_of(const Flow& flow) const {
  if (!flow.is_path) return {flow.value};
  return {flow.path, flow.at, flow.value};
}

// --- scopes

int32_t Compiler::hops_to(const Unit* home) const {
  int32_t hops = 0;
  for (const Unit* at = unit_; at != home && at != nullptr; at = at->parent) ++hops;
  return hops;
}

Operand Compiler::reach(const Scope& variable) {
  if (variable.operand < 0 || variable.home == unit_) return variable.operand;
  return emit_to_fresh(Op::kOuter, hops_to(variable.home), variable.operand);
}

Compiler::Scope* Compiler::add_scope(Scope::Kind kind, std::string_view name, Scope* outer) {
  Scope* scope = &scopes_.emplace_back();
  scope->kind = kind;
  scope->name = name;
  scope->outer = outer;
  scope->home = unit_;
  return scope;
}

Compiler::Scope* Compiler::add_variable(std::string_view name, Operand value, Scope* outer) {
  Scope* scope = add_scope(Scope::Kind::kVariable, name, outer);
  scope->operand = value;
  return scope;
}

Compiler::Scope* Compiler::find(Scope* scope, Scope::Kind kind, std::string_view name) {
  while (scope != nullptr && (scope->kind != kind || scope->name != name)) scope = scope->outer;
  return scope;
}

Compiler::Scope* Compiler::find_function(Scope* scope, std::string_view name, size_t arity) {
  const auto is_it = [&](const Scope& at) {
    return at.kind == Scope::Kind::kFunction && at.name == name && at.definition->parameters.size() == arity;
  };
  while (scope != nullptr && !is_it(*scope)) scope = scope->outer;
  return scope;
}

// --- errors

Flow Compiler::fail_at(const Node& node, std::string code, std::string what, std::string fix) {
  if (!error_.code.empty()) return never(false);
  error_ = Lexer(text_).error(node.offset, std::move(what), std::move(fix)).error();
  error_.code = std::move(code);
  return never(false);
}

Flow Compiler::undefined(const Node& node, std::string what, std::string fix) {
  return fail_at(node, "JQ_UNDEFINED", std::move(what), std::move(fix));
}

// --- the finished code

// Whether nothing happens from there on but that the registers are returned.
bool Compiler::leads_to_return(const Unit& unit, size_t pc, std::vector<int32_t> registers) const {
  for (size_t steps = 0; pc < unit.code.size() && steps < unit.code.size(); ++steps) {
    const Instruction& next = unit.code[pc];
    if (next.op == Op::kJump) {
      pc = static_cast<size_t>(next.target);
      continue;
    }
    if (next.op == Op::kReturn) return std::equal(registers.begin(), registers.end(), operands_.begin() + next.a);
    const auto moved = std::ranges::find(registers, next.a);
    if (next.op != Op::kMove || moved == registers.end()) return false;
    *moved = next.dst;
    ++pc;
  }
  return false;
}

// A call in the last place may take over the frame unless what it calls needs that frame: as its parent, or because a
// closure was made in it.
void Compiler::mark_tail_calls(Unit& unit) const {
  for (size_t pc = 0; pc < unit.code.size(); ++pc) {
    Instruction& call = unit.code[pc];
    if (call.op != Op::kCall && call.op != Op::kCallClosure) continue;
    const Operand* operands = operands_.data() + call.a;
    if (call.op == Op::kCall) {
      const auto inputs = static_cast<size_t>(operands[0]);
      const ClosureSpec* specs = closures_.data() + operands[inputs + 2];
      const auto needs_frame = [](const ClosureSpec& spec) {
        return spec.hops == 0 && spec.value_unit != ClosureSpec::kPassedOn;
      };
      if (call.c == 0 || std::any_of(specs, specs + operands[inputs + 1], needs_frame)) continue;
    }
    const bool for_paths = unit.is_path;
    std::vector<int32_t> registers = {call.dst};
    if (for_paths) registers = {call.dst, call.dst + 1, call.dst + 2};
    if (leads_to_return(unit, pc + 1, std::move(registers))) call.flags |= kTail;
  }
}

std::shared_ptr<Code> Compiler::link(std::string_view text) {
  auto code = std::make_shared<Code>();
  code->text = text;
  for (Unit& unit : units_) {
    mark_tail_calls(unit);
    const auto start = static_cast<uint32_t>(code->instructions.size());
    code->units.push_back({start, static_cast<uint32_t>(unit.registers)});
    for (Instruction instruction : unit.code) {
      if (instruction.target >= 0) instruction.target += static_cast<int32_t>(start);
      code->instructions.push_back(instruction);
    }
  }
  code->operands = std::move(operands_);
  code->closures = std::move(closures_);
  code->constants = std::move(constants_);
  code->variables = variables_.size();
  return code;
}

}  // namespace pawl::jq::internal
