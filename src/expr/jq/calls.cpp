// The compiler's part for functions. Most are compiled into the place of their call, with their arguments in the places
// where these are used. Functions that call themselves are units, and what they are given are closures.
#include "expr/jq/compiler.h"
#include "expr/jq/library.h"
#include "expr/jq/natives.h"

namespace pawl::jq::internal {

Flow Compiler::define(const Node& node, const Flow& in, Scope* scope) {
  for (const Definition* definition : node.definitions) {
    scope = add_scope(Scope::Kind::kFunction, definition->name, scope);
    scope->definition = definition;
    scope->home = unit_;
    if (definition->parameters.size() > kParametersMax)
      return fail_at(node, "JQ_TOO_LONG", definition->name + " has more than 16 parameters.", "Hand over an object.");
  }
  return expression(*node.children[0], in, scope);
}

Flow Compiler::call(const Node& node, const Flow& in, Scope* scope) {
  if (node.children.empty()) {
    for (Scope* at = scope; at != nullptr; at = at->outer) {
      if (at->name != node.text) continue;
      if (at->kind == Scope::Kind::kArgument) return call_argument(in, *at);
      if (at->kind == Scope::Kind::kParameter) return call_parameter(in, *at);
      if (at->kind == Scope::Kind::kFunction && at->definition->parameters.empty()) break;
    }
  }
  Scope* function = find_function(scope, node.text, node.children.size());
  return function == nullptr ? call_builtin(node, in, scope) : call_function(node, in, scope, *function);
}

Flow Compiler::call_builtin(const Node& node, const Flow& in, Scope* scope) {
  const size_t arity = node.children.size();
  if (const Special special = find_special(node.text, arity)) return (this->*special)(node, in, scope);
  if (Scope* function = library_function(node.text, arity)) return call_function(node, in, scope, *function);
  const size_t native = find_native(node.text, arity);
  if (native != kNoNative && node.text[0] != '@') return call_native(node, native, in, scope);
  return undefined(node, node.text + "/" + std::to_string(arity) + " is not defined.");
}

// The last argument is the outermost loop.
Flow Compiler::call_native(const Node& node, size_t native, const Flow& in, Scope* scope) {
  std::vector<Operand> operands(node.children.size() + 1);
  operands[0] = in.value;
  for (size_t i = node.children.size(); i > 0; --i) operands[i] = value_of(*node.children[i - 1], in, scope);
  const auto count = static_cast<int32_t>(operands.size());
  return not_a_path(in, emit_to_fresh(Op::kNative, list(operands), count, static_cast<int32_t>(native)));
}

Flow Compiler::call_function(const Node& node, const Flow& in, Scope* scope, Scope& function) {
  const bool is_small = instructions_ < kInlinedInstructionsMax && depth_ < kCompileDepthMax / 2;
  if (!function.definition->is_recursive && is_small) return inline_function(node, in, scope, function);
  return call_unit(node, in, scope, function);
}

Flow Compiler::inline_function(const Node& node, const Flow& in, Scope* scope, Scope& function) {
  const Definition& definition = *function.definition;
  Scope* inner = &function;
  Flow body_in = in;
  for (size_t i = 0; i < definition.parameters.size(); ++i) {
    const Definition::Parameter& parameter = definition.parameters[i];
    inner = add_scope(Scope::Kind::kArgument, parameter.name, inner);
    inner->argument = node.children[i];
    inner->argument_scope = scope;
    inner->home = unit_;
    if (!parameter.is_value) continue;
    const Operand given = value_of(*node.children[i], in, scope);
    inner = add_variable(parameter.name, given, inner);
    body_in.is_owned = body_in.is_owned && given != in.value && is_single(*node.children[i], scope);
  }
  return expression(*definition.body, body_in, inner);
}

Flow Compiler::call_argument(const Flow& in, Scope& argument) {
  if (instructions_ < kInlinedInstructionsMax && depth_ < kCompileDepthMax / 2)
    return expression(*argument.argument, in, argument.argument_scope);
  return emit_call(in, argument_unit(argument, in.is_path), argument.home, {}, 0, 0);
}

Flow Compiler::call_parameter(const Flow& in, Scope& parameter) {
  Flow out = fresh_flow(in.is_path);
  if (in.is_path) asks_closures_for_paths_ = true;
  std::vector<Operand> operands = operands_of(in);
  operands.insert(operands.begin(), static_cast<Operand>(operands.size()));
  emit({.op = Op::kCallClosure,
        .flags = in.is_path ? kInPathMode : uint8_t{0},
        .dst = in.is_path ? out.path : out.value,
        .a = list(operands),
        .b = parameter.slot,
        .c = hops_to(parameter.home)});
  return out;
}

// --- units

Flow Compiler::call_unit(const Node& node, const Flow& in, Scope* scope, Scope& function) {
  const Definition& definition = *function.definition;
  std::vector<Operand> values;
  std::vector<int32_t> specs;
  for (size_t i = 0; i < definition.parameters.size(); ++i) {
    if (definition.parameters[i].is_value)
      values.push_back(value_of(*node.children[i], in, scope));
    else
      specs.push_back(closure_of(*node.children[i], scope));
  }
  const size_t first = closures_.size();
  for (const int32_t spec : specs) {
    closures_.push_back(closures_[static_cast<size_t>(spec)]);
    for (size_t i = 0; i < pending_.size(); ++i)
      if (pending_[i].spec == static_cast<size_t>(spec)) pending_[i].spec = closures_.size() - 1;
  }
  return emit_call(in, function_unit(function, in.is_path), function.home, values, specs.size(), first);
}

Flow Compiler::emit_call(const Flow& in, int32_t unit, const Unit* home, const std::vector<Operand>& values,
                         size_t closures, size_t first_closure) {
  const Flow out = fresh_flow(in.is_path);
  std::vector<Operand> operands = operands_of(in);
  operands.insert(operands.end(), values.begin(), values.end());
  operands.insert(operands.begin(), static_cast<Operand>(operands.size()));
  operands.push_back(static_cast<Operand>(closures));
  operands.push_back(static_cast<Operand>(first_closure));
  emit({.op = Op::kCall, .dst = in.is_path ? out.path : out.value, .a = list(operands), .b = unit, .c = hops_to(home)});
  return out;
}

template <typename Body>
int32_t Compiler::compile_unit(Unit* parent, bool is_path, int32_t& number, Body body) {
  Unit* const before = unit_;
  number = static_cast<int32_t>(units_.size());
  unit_ = &units_.emplace_back();
  unit_->parent = parent;
  const Flow in = fresh_flow(is_path);
  const Flow out = body(in);
  const std::vector<Operand> results = operands_of(out);
  if (!out.is_never) emit({.op = Op::kReturn, .a = list(results), .b = static_cast<int32_t>(results.size())});
  unit_ = before;
  return number;
}

// The values of $parameters are in the registers behind the input, the others are closures.
Compiler::Scope* Compiler::unit_parameters(Scope& function) {
  Scope* inner = &function;
  int32_t slot = 0;
  for (const Definition::Parameter& parameter : function.definition->parameters) {
    if (!parameter.is_value) {
      inner = add_scope(Scope::Kind::kParameter, parameter.name, inner);
      inner->home = unit_;
      inner->slot = slot++;
      continue;
    }
    inner = add_variable(parameter.name, fresh(), inner);
    Scope* const with_variable = inner;
    Node& reading = made_nodes_.emplace_back();
    reading.kind = NodeKind::kVariable;
    reading.text = parameter.name;
    inner = add_scope(Scope::Kind::kArgument, parameter.name, inner);
    inner->argument = &reading;
    inner->argument_scope = with_variable;
    inner->home = unit_;
  }
  return inner;
}

int32_t Compiler::function_unit(Scope& function, bool is_path) {
  int32_t& number = function.units[is_path ? 1 : 0];
  if (number >= 0) return number;
  return compile_unit(function.home, is_path, number, [&](const Flow& in) {
    Scope* inner = unit_parameters(function);
    return expression(*function.definition->body, in, inner);
  });
}

int32_t Compiler::argument_unit(Scope& argument, bool is_path) {
  int32_t& number = argument.units[is_path ? 1 : 0];
  if (number >= 0) return number;
  return compile_unit(argument.home, is_path, number,
                      [&](const Flow& in) { return expression(*argument.argument, in, argument.argument_scope); });
}

// The number of a new spec. A parameter that is only handed on stays the same closure.
int32_t Compiler::closure_of(const Node& argument, Scope* scope) {
  const auto spec = static_cast<int32_t>(closures_.size());
  if (argument.kind == NodeKind::kCall && argument.children.empty()) {
    for (Scope* at = scope; at != nullptr; at = at->outer) {
      if (at->name != argument.text) continue;
      if (at->kind == Scope::Kind::kArgument) return closure_of(*at->argument, at->argument_scope);
      if (at->kind == Scope::Kind::kFunction && at->definition->parameters.empty()) break;
      if (at->kind != Scope::Kind::kParameter) continue;
      closures_.push_back({ClosureSpec::kPassedOn, at->slot, hops_to(at->home)});
      return spec;
    }
  }
  closures_.push_back({0, -1, 0});
  pending_.push_back({static_cast<size_t>(spec), &argument, scope, unit_});
  int32_t number = -1;
  compile_unit(unit_, false, number, [&](const Flow& in) { return expression(argument, in, scope); });
  closures_[static_cast<size_t>(spec)].value_unit = number;
  return spec;
}

void Compiler::compile_pending_closures() {
  for (size_t i = 0; i < pending_.size() && asks_closures_for_paths_ && error_.code.empty(); ++i) {
    const PendingClosure pending = pending_[i];
    unit_ = pending.parent;
    int32_t number = -1;
    compile_unit(pending.parent, true, number,
                 [&](const Flow& in) { return expression(*pending.argument, in, pending.scope); });
    closures_[pending.spec].path_unit = number;
  }
}

Compiler::Scope* Compiler::library_function(std::string_view name, size_t arity) {
  const Definition* definition = library_definition(name, arity);
  if (definition == nullptr) return nullptr;
  Scope*& scope = library_[definition];
  if (scope != nullptr) return scope;
  scope = add_scope(Scope::Kind::kFunction, definition->name, nullptr);
  scope->definition = definition;
  scope->home = &units_.front();
  return scope;
}

}  // namespace pawl::jq::internal
