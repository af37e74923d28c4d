// What a path is compiled to: queries of segments of selectors, and the expressions inside filters. One form for all
// dialects; the parsers make it, the evaluator walks it.
//
// Ownership is a tree (unique_ptr), never deeper than kFilterDepthMax levels of expressions, so that neither walking
// nor destroying it needs a stack that a text could exhaust.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/jsonpath/path.h"
#include "expr/jsonpath/regex.h"
#include "json/value.h"

namespace pawl::jsonpath::internal {

struct Expression;
struct Call;

enum class SelectorKind : uint8_t {
  kName,      // .a ['a']
  kNames,     // ['a','b'] of Jayway: one object of those members at the end of a path, else each in turn
  kIndex,     // [0] [-1]
  kIndices,   // [0,2] of Jayway
  kSlice,     // [1:3]
  kWildcard,  // * [*]
  kFilter,    // [?(…)]
  kFunction,  // .length() of Jayway
};

struct Slice {
  std::optional<int64_t> from;
  std::optional<int64_t> to;
  int64_t step = 1;  // rfc9535 only: Jayway reads a step and ignores it
};

struct Selector {
  SelectorKind kind = SelectorKind::kWildcard;
  char quote = '\'';  // as the names were quoted: Jayway repeats it in its messages
  std::vector<std::string> names;
  std::vector<int64_t> indices;
  Slice slice;
  std::unique_ptr<Expression> filter;
  std::unique_ptr<Call> call;
};

struct Segment {
  bool descendant = false;  // after ..
  std::vector<Selector> selectors;
};

// A step of a singular query, laid out for speed.
struct PlainStep {
  bool is_name = true;
  std::string name;
  int64_t index = 0;
};

// A path from $ (the whole document) or @ (the item a filter looks at).
struct Query {
  bool from_root = true;
  bool definite = true;          // at most one result, by the rules of the dialect
  bool singular = true;          // only single names and indices: the result is a part of the document
  size_t definite_segments = 0;  // how many segments, from the first, are definite
  std::vector<Segment> segments;
  std::vector<PlainStep> plain_steps;  // the segments of a singular query once more
};

// A filter's operand, or a function's argument.
struct Operand {
  enum class Kind : uint8_t { kLiteral, kQuery, kPattern, kCall };
  Kind kind = Kind::kLiteral;
  Value literal;
  std::unique_ptr<Query> query;
  Regex pattern;
  std::unique_ptr<Call> call;
};

enum class Function : uint8_t {
  kLength,
  kMin,
  kMax,
  kAverage,
  kSum,
  kStandardDeviation,
  kConcat,
  kAppend,
  kKeys,
  kFirst,
  kLast,
  kIndex,  // of Jayway
  kRfcLength,
  kRfcCount,
  kRfcMatch,
  kRfcSearch,
  kRfcValue,
};

struct Call {
  Function function = Function::kLength;
  std::vector<Operand> arguments;
  std::string name;
};

enum class Comparison : uint8_t {
  kEqual,
  kNotEqual,
  kSameTypeEqual,
  kSameTypeNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kMatches,
  kIn,
  kNotIn,
  kContains,
  kAll,
  kSize,
  kEmpty,
  kSubsetOf,
  kAnyOf,
  kNoneOf,
};

struct Expression {
  enum class Kind : uint8_t {
    kOr,
    kAnd,
    kNot,
    kCompare,  // left, comparison, right
    kExists,   // left is a query
    kMissing,  // Jayway's !@.a
    kTest,     // left is a call of rfc9535 that gives true or false
  };
  Kind kind = Kind::kAnd;
  Comparison comparison = Comparison::kEqual;
  std::vector<std::unique_ptr<Expression>> children;
  Operand left;
  Operand right;
};

struct Program {
  std::string text;
  Dialect dialect = Dialect::kAsl;
  Query query;
};

// Works out all but the segments, once these are complete.
void classify(Query& query);

bool ends_in_function(const Query& query);

// The query as Jayway prints it: $['a'][0]['b','c'][1:3]..[*][?].length().
std::string canonical_text(const Query& query);

// Where its first `segments` segments, which are definite, lead: as above, but always with single quotes.
std::string canonical_prefix(const Query& query, size_t segments);

// The one segment: ['a'], [0].
std::string canonical_segment(const Segment& segment);

}  // namespace pawl::jsonpath::internal
