// The parser: recursive descent, with precedence climbing for the operators. A function that fails returns null and
// leaves the error in the parser, which keeps frames small and the nesting cheap.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expr/jq/lexer.h"
#include "expr/jq/parser.h"

namespace pawl::jq::internal {

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text), syntax_(std::make_shared<Syntax>()) { advance(); }

  Result<std::shared_ptr<Syntax>> program();
  Result<std::shared_ptr<Syntax>> library();

 private:
  // parser.cpp: operators, definitions, bindings.
  Node* parse_pipe();
  Node* parse_comma();
  Node* parse_operators(int level_min);
  Node* parse_operator(Node* left, int level);
  Node* parse_unary();
  Node* parse_binding(Node* source);
  Node* parse_definitions();
  Node* parse_label();
  Definition* parse_definition();
  bool parse_parameters(Definition& definition);

  // terms.cpp: what operators stand between.
  Node* parse_postfix();
  Node* parse_suffixes(Node* term);
  Node* parse_bracket_suffix(Node* target);
  Node* parse_primary();
  Node* parse_word();
  Node* parse_dot();
  Node* parse_number();
  Node* parse_variable();
  Node* parse_string(std::string format);
  Node* parse_format();
  Node* parse_parentheses();
  Node* parse_array();
  Node* parse_object();
  bool parse_object_entry(Node& object);
  Node* parse_object_key(Node*& short_value);
  Node* parse_object_value();
  Node* parse_if();
  Node* parse_try();
  Node* parse_fold(NodeKind kind);
  Node* parse_call();

  // patterns.cpp: destructuring.
  bool parse_patterns(std::vector<Pattern*>& patterns);
  Pattern* parse_pattern();
  Pattern* parse_array_pattern();
  Pattern* parse_object_pattern();
  bool parse_pattern_entry(Pattern::Entry& entry);

  // What they have in common.
  void advance() { token_ = lexer_.next(); }
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  bool expect(std::string_view symbol);
  bool expect_word(std::string_view word);
  std::nullptr_t unexpected();
  std::nullptr_t fail_at(uint32_t offset, std::string what, std::string fix = {});
  std::nullptr_t refuse_modules(uint32_t offset);
  Node* make(NodeKind kind, uint32_t offset, std::vector<Node*> children = {});
  Node* literal(uint32_t offset, Value value);
  Node* adopt(Node* node);  // works out its nesting once its children are there
  bool enter();             // counts the parser's own recursion
  void leave() { --depth_; }

  Lexer lexer_;
  Token token_;
  std::shared_ptr<Syntax> syntax_;
  std::vector<Definition*> enclosing_;  // the definitions whose bodies are being read
  uint32_t depth_ = 0;
  Error error_;
};

}  // namespace pawl::jq::internal
