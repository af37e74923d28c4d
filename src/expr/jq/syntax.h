// What the parser makes of a program: a tree of nodes, owned by one Syntax.
//
// Lists of pipes, commas, branches and definitions are flat, and the nesting of everything else is bounded by
// kNestingMax, so that no text can exhaust the stack of what walks the tree.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace pawl::jq::internal {

using json::Value;

struct Node;
struct Definition;

enum class NodeKind : uint8_t {
  kIdentity,
  kLiteral,      // value
  kVariable,     // text: the name without $
  kIndex,        // children: target, index
  kSlice,        // children: target, from, to; either bound may be null
  kIterate,      // children: target
  kString,       // children: literals and interpolated expressions in turn; text: the format, or empty
  kFormat,       // text: @base64 …
  kArray,        // children: none, or what is gathered
  kObject,       // children: keys and values in turn
  kNegate,       // children: operand
  kPipe,         // children: two or more
  kComma,        // children: two or more
  kArithmetic,   // operation; children: left, right
  kComparison,   // operation; children: left, right
  kAnd,          // children: left, right
  kOr,           // children: left, right
  kAlternative,  // children: left, right
  kAssign,       // operation; children: left, right
  kIf,           // children: condition, branch, condition, branch, …, and perhaps the last branch
  kTry,          // children: body, and perhaps the handler
  kReduce,       // children: source, start, update; patterns
  kForeach,      // children: source, start, update, extract (may be null); patterns
  kLabel,        // text; children: body
  kBreak,        // text
  kDefine,       // definitions; children: body
  kCall,         // text; children: arguments
  kBind,         // children: source, body; patterns
};

enum class Operation : uint8_t {
  kNone,  // of an assignment: plain =
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kModify,       // |=
  kAlternative,  // //=
};

// What stands between `as` and `|`.
struct Pattern {
  enum class Kind : uint8_t { kVariable, kArray, kObject };
  struct Entry {
    Node* key = nullptr;   // of an object's entry: gives the member's name
    std::string variable;  // of an entry such as $name or $name: pattern: bound to the whole member
    Pattern* value = nullptr;
  };
  Kind kind = Kind::kVariable;
  std::string variable;
  std::vector<Entry> entries;
};

struct Node {
  NodeKind kind = NodeKind::kIdentity;
  Operation operation = Operation::kNone;
  bool optional = false;  // of an index, slice or iteration: followed by ?
  uint16_t nesting = 1;
  uint32_t offset = 0;  // in the text
  std::string text;
  Value value;
  std::vector<Node*> children;
  std::vector<Pattern*> patterns;  // more than one: alternatives by ?//
  std::vector<Definition*> definitions;
};

struct Definition {
  struct Parameter {
    std::string name;
    bool is_value = false;  // $name
  };
  std::string name;
  std::vector<Parameter> parameters;
  Node* body = nullptr;
  bool is_recursive = false;
};

// Owns the tree of one text. Nodes do not move.
struct Syntax {
  std::deque<Node> nodes;
  std::deque<Pattern> patterns;
  std::deque<Definition> definitions;
  Node* root = nullptr;                // of a program
  std::vector<Definition*> top_level;  // of a library
};

}  // namespace pawl::jq::internal
