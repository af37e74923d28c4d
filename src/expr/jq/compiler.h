// Tree to code.
//
// Every expression is compiled for one of two uses: for its values, or for its paths (inside path(…), on the left of
// assignments). A Flow says where an expression finds its input and leaves its outputs.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "expr/jq/code.h"
#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

inline constexpr size_t kInlinedInstructionsMax = 5'000;  // from here on functions are called, not copied
inline constexpr size_t kInstructionsMax = 200'000;
inline constexpr uint32_t kCompileDepthMax = 1'500;  // of expressions within each other, once functions are put in

// For values: the operand. For paths also the path, and what stands there: an expression such as 1 or $x changes the
// value only, which makes the path wrong unless the two are the same again.
struct Flow {
  Operand value = 0;
  Operand path = 0;
  Operand at = 0;
  bool is_path = false;
  bool is_never = false;  // there is no output: what follows is not reached
  bool is_owned = false;  // nothing else reads the value, and no fork comes back to it: who reads it last may take it
};

Op op_of(Operation operation);  // of arithmetic and comparisons

class Compiler {
 public:
  Compiler(const Syntax& syntax, std::span<const std::string_view> variables);
  Result<std::shared_ptr<Code>> compile(std::string_view text);

 private:
  struct Unit {
    std::vector<Instruction> code;
    int32_t registers = 0;
    Unit* parent = nullptr;
    bool is_path = false;
    size_t number = 0;
  };

  // Names in scope, the innermost first.
  struct Scope {
    enum class Kind : uint8_t { kVariable, kLabel, kFunction, kArgument, kParameter };
    Kind kind = Kind::kVariable;
    std::string_view name;
    Scope* outer = nullptr;
    Unit* home = nullptr;                    // where its registers, its parent frame or its closures are
    Operand operand = 0;                     // kVariable, kLabel
    const Definition* definition = nullptr;  // kFunction
    const Node* argument = nullptr;          // kArgument: the expression, and what its names mean
    Scope* argument_scope = nullptr;
    int32_t slot = 0;             // kParameter
    int32_t units[2] = {-1, -1};  // kFunction, kArgument: once compiled as units, for values and paths
  };

  // compiler.cpp: expressions.
  Flow expression(const Node& node, const Flow& in, Scope* scope);
  Flow dispatch(const Node& node, const Flow& given, Scope* scope);
  static bool may_take(NodeKind kind);
  bool is_single(const Node& node, Scope* scope) const;
  static bool is_named(const Node& call, const Scope* scope);
  Operand value_of(const Node& node, const Flow& in, Scope* scope);
  Flow index(const Node& node, const Flow& in, Scope* scope);
  Flow slice(const Node& node, const Flow& in, Scope* scope);
  Flow access(const Flow& target, Operand key, uint8_t flags);
  Flow iterate(const Node& node, const Flow& in, Scope* scope);
  Operand variable(const Node& node, Scope* scope);
  Operand string(const Node& node, const Flow& in, Scope* scope);
  Operand format(const Node& node, const Flow& in);
  Operand array(const Node& node, const Flow& in, Scope* scope);
  Operand object(const Node& node, const Flow& in, Scope* scope);
  Flow binary(const Node& node, const Flow& in, Scope* scope);
  Operand negate(const Node& node, const Flow& in, Scope* scope);

  // control.cpp: what decides and repeats.
  Flow pipe(const Node& node, Flow in, Scope* scope);
  Flow comma(const Node& node, const Flow& in, Scope* scope);
  Flow branches(const Node& node, const Flow& given, Scope* scope);
  Operand logic(const Node& node, const Flow& in, Scope* scope);
  Flow alternative(const Node& node, const Flow& in, Scope* scope);
  Flow attempt(const Node& node, const Flow& in, Scope* scope);
  Flow reduce(const Node& node, const Flow& in, Scope* scope);
  Flow foreach (const Node& node, const Flow& in, Scope * scope);
  Flow label(const Node& node, const Flow& in, Scope* scope);
  Flow jump_out(const Node& node, const Flow& in, Scope* scope);
  Flow bind(const Node& node, const Flow& in, Scope* scope);
  Scope* bind_patterns(const Node& node, const Flow& source, Scope* scope);
  Scope* bind_pattern(const Pattern& pattern, Operand value, Scope* scope);
  Scope* bind_alternatives(const std::vector<Pattern*>& patterns, Operand value, Scope* scope);
  void assign_pattern(const Pattern& pattern, Operand value, Scope* scope);
  void assign_variable(std::string_view name, Operand value, Scope* scope);

  // calls.cpp: functions.
  Flow define(const Node& node, const Flow& in, Scope* scope);
  Flow call(const Node& node, const Flow& in, Scope* scope);
  Flow call_function(const Node& node, const Flow& in, Scope* scope, Scope& function);
  Flow inline_function(const Node& node, const Flow& in, Scope* scope, Scope& function);
  Flow call_unit(const Node& node, const Flow& in, Scope* scope, Scope& function);
  Flow call_argument(const Flow& in, Scope& argument);
  Flow call_parameter(const Flow& in, Scope& parameter);
  Flow call_builtin(const Node& node, const Flow& in, Scope* scope);
  Flow call_native(const Node& node, size_t native, const Flow& in, Scope* scope);
  Flow emit_call(const Flow& in, int32_t unit, const Unit* home, const std::vector<Operand>& values, size_t closures,
                 size_t first_closure);
  int32_t function_unit(Scope& function, bool is_path);
  Scope* unit_parameters(Scope& function);
  int32_t argument_unit(Scope& argument, bool is_path);
  int32_t closure_of(const Node& argument, Scope* scope);
  void compile_pending_closures();
  Scope* library_function(std::string_view name, size_t arity);
  template <typename Body>
  int32_t compile_unit(Unit* parent, bool is_path, int32_t& number, Body body);

  // builtins.cpp: the builtins that are instructions.
  using Special = Flow (Compiler::*)(const Node&, const Flow&, Scope*);
  static Special find_special(std::string_view name, size_t arity);
  Flow special_empty(const Node& node, const Flow& in, Scope* scope);
  Flow special_error(const Node& node, const Flow& in, Scope* scope);
  Flow special_not(const Node& node, const Flow& in, Scope* scope);
  Flow special_path(const Node& node, const Flow& in, Scope* scope);
  Flow special_range(const Node& node, const Flow& in, Scope* scope);
  Flow special_getpath(const Node& node, const Flow& in, Scope* scope);
  Flow special_refused(const Node& node, const Flow& in, Scope* scope);
  Flow refuse(const Node& node);

  // updates.cpp: assignments.
  struct Place {
    const Node* node = nullptr;
    bool is_one = false;  // one path, found without forks
    bool takes = false;   // the input may be changed in place
    Operand path = 0;     // a constant where it is known
  };
  Flow assignment(const Node& node, const Flow& in, Scope* scope);
  auto operation_with(Operation operation, Operand given);
  Operand path_of(const Place& place, const Flow& in, Scope* scope);
  Operand assign(const Place& place, const Flow& in, Scope* scope, Operand given);
  Flow paths_of(const Node& node, const Flow& in, Scope* scope);
  template <typename Update>
  Operand modify(const Place& place, const Flow& in, Scope* scope, Update update, bool has_one_output);
  template <typename Update>
  Operand modify_one(const Place& place, const Flow& in, Operand path, Update update, bool has_one_output);
  Operand delete_paths(Operand value, Operand paths);
  bool constant_path(const Node& node, json::ArrayBuilder& path) const;

  // emit.cpp: registers, instructions, scopes.
  int32_t fresh(int32_t count = 1);
  Flow fresh_flow(bool is_path);
  Operand constant(Value value);
  Flow value_flow(Operand value) const { return Flow{.value = value}; }
  static Flow never(bool is_path);
  Flow not_a_path(const Flow& in, Operand value) const;
  size_t emit(Instruction instruction);
  size_t here() const { return unit_->code.size(); }
  void land(size_t instruction) { unit_->code[instruction].target = static_cast<int32_t>(here()); }
  Operand emit_to_fresh(Op op, Operand a, Operand b = 0, Operand c = 0, uint8_t flags = 0);
  void move(const Flow& to, const Flow& from);
  void check_path(const Flow& flow, CheckAt at, Operand key = 0);
  int32_t list(const std::vector<Operand>& operands);
  std::vector<Operand> operands_of(const Flow& flow) const;
  Operand reach(const Scope& variable);
  int32_t hops_to(const Unit* home) const;
  Scope* add_scope(Scope::Kind kind, std::string_view name, Scope* outer);
  Scope* add_variable(std::string_view name, Operand value, Scope* outer);
  static Scope* find(Scope* scope, Scope::Kind kind, std::string_view name);
  static Scope* find_function(Scope* scope, std::string_view name, size_t arity);
  Flow undefined(const Node& node, std::string what, std::string fix = {});
  Flow fail_at(const Node& node, std::string code, std::string what, std::string fix = {});
  void mark_tail_calls(Unit& unit) const;
  bool leads_to_return(const Unit& unit, size_t pc, std::vector<int32_t> registers) const;
  std::shared_ptr<Code> link(std::string_view text);

  const Syntax& syntax_;
  std::vector<std::string> variables_;
  std::deque<Unit> units_;
  std::deque<Scope> scopes_;
  Unit* unit_ = nullptr;
  size_t instructions_ = 0;
  uint32_t depth_ = 0;
  std::vector<Operand> operands_;
  std::vector<ClosureSpec> closures_;
  std::vector<Value> constants_;
  std::unordered_map<const Definition*, Scope*> library_;  // those that were used
  // Arguments whose units for paths are made only where a function asks a parameter for paths.
  struct PendingClosure {
    size_t spec;
    const Node* argument;
    Scope* scope;
    Unit* parent;
  };
  std::vector<PendingClosure> pending_;
  bool asks_closures_for_paths_ = false;
  std::deque<Node> made_nodes_;
  std::string_view text_;
  Error error_;
};

}  // namespace pawl::jq::internal
