// Runs a compiled query on a document.
//
// A query is run segment by segment over a list of nodes (pointers into the document), never by recursion over the
// document, so that its depth does not matter. What a query computes (functions, unions of names) lives in the
// evaluator, which must outlive the nodes. One evaluator serves one evaluation, on one thread.
//
// Limits: every node looked at is charged to a budget of kVisitedNodesMax, and effort that is not a node (hard regular
// expressions, long texts) is charged as so many nodes.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expr/jsonpath/limits.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

using Nodes = std::vector<const Value*>;

// Follows a singular query; null where it leads nowhere. Allocates nothing.
const Value* walk(const std::vector<PlainStep>& steps, const Value& start);

class Evaluator {
 public:
  enum class Failure : uint8_t {
    kNone,
    kNoMatch,   // a definite part of the path leads nowhere
    kRejected,  // an operation cannot be applied: in a filter, the item is left out
    kFunction,  // a function cannot work with what it got
    kLimit,     // a bound was reached
  };

  Evaluator(Dialect dialect, const Value& root) : dialect_(dialect), root_(root) {}

  // False where it failed.
  bool run(const Query& query, const Value& start, Nodes& out) { return run(query, start, false, out); }

  Failure failure() const { return failure_; }
  const std::string& what() const { return what_; }

 private:
  // A segment at work: what is missing is an error where everything before it was definite.
  struct Step {
    const Query& query;
    size_t at;
    bool strict;              // the dialect and the segments before make a missing part an error
    bool require_properties;  // every missing member is an error: how Jayway asks whether a path exists
    bool last() const { return at + 1 == query.segments.size(); }
    const Segment& segment() const { return query.segments[at]; }
  };

  // A filter's operand once evaluated. `value` is null where the path led nowhere.
  struct Resolved {
    const Value* value = nullptr;
    const Regex* pattern = nullptr;
    Value computed;
  };

  // Evaluation of segments (evaluator.cpp).
  bool run(const Query& query, const Value& start, bool require_properties, Nodes& out);
  bool apply(const Step& step, const Value& node, Nodes& out);
  bool descend(const Step& step, const Value& node, Nodes& out);
  bool select_below(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  bool select(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  bool select_name(const Step& step, const std::string& name, bool token_definite, const Value& node, Nodes& out);
  bool select_names(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  bool merge_names(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  bool select_array(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  void select_index(int64_t index, const Value& array, Nodes& out);
  bool select_slice(const Slice& slice, const Value& array, Nodes& out);
  bool select_jayway_slice(const Slice& slice, const Value& array, Nodes& out);
  bool select_children(const Value& node, Nodes& out);
  bool select_filtered(const Step& step, const Selector& selector, const Value& node, Nodes& out);
  bool filter_children(const Expression& filter, const Value& node, Nodes& out);

  // Filters (filter.cpp).
  bool accepts(const Expression& filter, const Value& item);
  bool holds(const Expression& expression, const Value& item);
  bool holds_comparison(const Expression& expression, const Value& item);
  bool exists(const Query& query, const Value& item);
  bool matches(const Resolved& left, const Resolved& right);
  bool matches_text(const Regex& pattern, const Value* value);
  bool test(const Call& call, const Value& item);
  bool resolve(const Operand& operand, const Value& item, Resolved& out);
  bool resolve_query(const Query& query, const Value& item, Resolved& out);
  bool resolve_rfc_call(const Call& call, const Value& item, Resolved& out);
  bool regex_holds(const Regex& regex, std::string_view subject);
  const Regex& dynamic_regex(std::string_view pattern, bool whole);

  // Jayway's functions (functions.cpp).
  bool call(const Call& call, const Value& model, Value& out);
  bool resolve_arguments(const Call& call, std::vector<Value>& out);
  bool resolve_argument(const Operand& argument, Value& out);
  bool call_length(const Call& call, const Value& model, Value& out);
  bool call_aggregate(const Call& call, const Value& model, Value& out);
  bool call_concat(const Call& call, const Value& model, Value& out);
  bool call_append(const Call& call, const Value& model, Value& out);
  bool call_keys(const Value& model, Value& out);
  bool call_element(const Call& call, const Value& model, Value& out);

  bool charge(uint64_t nodes);
  bool fail(Failure failure, std::string what = {});
  bool explains() const { return filter_depth_ == 0; }  // inside filters nobody reads why there was no match
  bool is_fatal() const { return failure_ == Failure::kFunction || failure_ == Failure::kLimit; }
  void forgive() { failure_ = Failure::kNone; }
  bool is_rfc() const { return dialect_ == Dialect::kRfc9535; }
  const Value* keep(Value value) { return &computed_.emplace_back(std::move(value)); }

  Dialect dialect_;
  const Value& root_;
  std::deque<Value> computed_;
  std::unordered_map<std::string, Regex> regexes_;  // patterns that came from the document
  uint64_t visited_ = 0;
  uint32_t filter_depth_ = 0;
  Failure failure_ = Failure::kNone;
  std::string what_;
};

}  // namespace pawl::jsonpath::internal
