// Filters: whether an expression holds for an item. The recursion here is over the expression, whose depth the parsers
// bound.
#include <algorithm>

#include "expr/jsonpath/compare.h"
#include "expr/jsonpath/decimal.h"
#include "expr/jsonpath/evaluator.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr uint64_t kSubjectBytesPerCharge = 64;  // of a regular expression, that cost as much as one value

Value array_of(const Nodes& nodes) {
  json::ArrayBuilder items(nodes.size());
  for (const Value* node : nodes) items.push(*node);
  return items.build();
}

int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool is_string(const Value* value) { return value != nullptr && value->is_string(); }

}  // namespace

// A rejection (an operator that cannot work with what it got) leaves the item out, whatever stands around it.
bool Evaluator::accepts(const Expression& filter, const Value& item) {
  ++filter_depth_;
  const bool verdict = holds(filter, item);
  --filter_depth_;
  if (failure_ == Failure::kNone) return verdict;
  if (!is_fatal()) forgive();
  return false;
}

// Once something failed the answer no longer matters: it is false, and everyone on the way up returns.
bool Evaluator::holds(const Expression& expression, const Value& item) {
  const auto& children = expression.children;
  switch (expression.kind) {
    case Expression::Kind::kAnd:
      return std::all_of(children.begin(), children.end(),
                         [&](const auto& child) { return holds(*child, item) && failure_ == Failure::kNone; });
    case Expression::Kind::kOr:
      return std::any_of(children.begin(), children.end(),
                         [&](const auto& child) { return failure_ == Failure::kNone && holds(*child, item); });
    case Expression::Kind::kNot:
      return !holds(*children[0], item);
    case Expression::Kind::kCompare:
      return holds_comparison(expression, item);
    case Expression::Kind::kExists:
      return exists(*expression.left.query, item);
    case Expression::Kind::kMissing:
      return !exists(*expression.left.query, item);
    case Expression::Kind::kTest:
      return test(*expression.left.call, item);
  }
  return false;
}

bool Evaluator::holds_comparison(const Expression& expression, const Value& item) {
  Resolved left;
  Resolved right;
  if (!resolve(expression.left, item, left) || !resolve(expression.right, item, right)) return false;
  if (!charge(comparison_cost(expression.comparison, left.value, right.value))) return false;
  if (is_rfc()) return compare_rfc(expression.comparison, left.value, right.value);
  if (expression.comparison == Comparison::kMatches) return matches(left, right);
  const Verdict verdict = compare_jayway(expression.comparison, left.value, right.value);
  if (verdict == Verdict::kReject) return fail(Failure::kRejected);
  return verdict == Verdict::kTrue;
}

// Jayway asks the item even where the path begins with $, and takes an indefinite path for existing unless something on
// its way is missing. In serverless, false does not count.
bool Evaluator::exists(const Query& query, const Value& item) {
  if (!charge(1)) return false;
  const Value& start = is_rfc() && query.from_root ? root_ : item;
  if (query.singular) {
    const Value* value = walk(query.plain_steps, start);
    const bool is_false = value != nullptr && value->is_boolean() && !value->as_boolean();
    return value != nullptr && !(dialect_ == Dialect::kServerless && is_false);
  }
  Nodes nodes;
  const bool ran = run(query, start, !is_rfc(), nodes);
  if (!ran && failure_ == Failure::kNoMatch) {
    forgive();
    return false;
  }
  return ran && (!nodes.empty() || (!is_rfc() && !query.definite));
}

bool Evaluator::resolve(const Operand& operand, const Value& item, Resolved& out) {
  switch (operand.kind) {
    case Operand::Kind::kLiteral:
      out.value = &operand.literal;
      return true;
    case Operand::Kind::kPattern:
      out.pattern = &operand.pattern;
      return true;
    case Operand::Kind::kQuery:
      return resolve_query(*operand.query, item, out);
    case Operand::Kind::kCall:
      return resolve_rfc_call(*operand.call, item, out);
  }
  return true;
}

bool Evaluator::resolve_query(const Query& query, const Value& item, Resolved& out) {
  const Value& start = query.from_root ? root_ : item;
  if (query.singular) {
    out.value = walk(query.plain_steps, start);
    return true;
  }
  Nodes nodes;
  if (!run(query, start, nodes)) {
    if (failure_ != Failure::kNoMatch) return false;
    forgive();
    return true;
  }
  if (!query.definite) {
    out.computed = array_of(nodes);
    out.value = &out.computed;
  } else if (!nodes.empty()) {
    out.computed = *nodes.back();
    out.value = &out.computed;
  }
  return true;
}

bool Evaluator::resolve_rfc_call(const Call& call, const Value& item, Resolved& out) {
  const Operand& argument = call.arguments[0];
  if (call.function == Function::kRfcCount || call.function == Function::kRfcValue) {
    Nodes nodes;
    if (!run(*argument.query, argument.query->from_root ? root_ : item, nodes)) return false;
    if (call.function == Function::kRfcValue && nodes.size() != 1) return true;
    out.computed =
        call.function == Function::kRfcValue ? *nodes[0] : Value::integer(static_cast<int64_t>(nodes.size()));
    out.value = &out.computed;
    return true;
  }
  Resolved measured;
  if (!resolve(argument, item, measured)) return false;
  const Value* value = measured.value;
  if (value == nullptr || !(value->is_string() || value->is_array() || value->is_object())) return true;
  out.computed =
      Value::integer(value->is_string() ? code_points(value->as_string()) : static_cast<int64_t>(value->size()));
  out.value = &out.computed;
  return true;
}

// match() and search().
bool Evaluator::test(const Call& call, const Value& item) {
  Resolved subject;
  Resolved pattern;
  if (!resolve(call.arguments[0], item, subject) || !resolve(call.arguments[1], item, pattern)) return false;
  if (!is_string(subject.value)) return false;
  if (pattern.pattern != nullptr) return regex_holds(*pattern.pattern, subject.value->as_string());
  if (!is_string(pattern.value)) return false;
  const Regex& regex = dynamic_regex(pattern.value->as_string(), call.function == Function::kRfcMatch);
  return regex_holds(regex, subject.value->as_string());
}

// Jayway's =~ needs a pattern on exactly one side; a list matches where one of its items does.
bool Evaluator::matches(const Resolved& left, const Resolved& right) {
  if ((left.pattern == nullptr) == (right.pattern == nullptr)) return false;
  const Regex& pattern = left.pattern != nullptr ? *left.pattern : *right.pattern;
  const Value* subject = left.pattern != nullptr ? right.value : left.value;
  if (subject == nullptr || !subject->is_array()) return matches_text(pattern, subject);
  const auto items = subject->items();
  return std::any_of(items.begin(), items.end(), [&](const Value& item) { return matches_text(pattern, &item); });
}

// What has no text (null, objects, a missing path) is matched as an empty one.
bool Evaluator::matches_text(const Regex& pattern, const Value* value) {
  if (is_string(value)) return regex_holds(pattern, value->as_string());
  if (value != nullptr && value->is_number()) return regex_holds(pattern, decimal_text(*value));
  if (value != nullptr && value->is_boolean()) return regex_holds(pattern, value->as_boolean() ? "true" : "false");
  return regex_holds(pattern, "");
}

bool Evaluator::regex_holds(const Regex& regex, std::string_view subject) {
  if (!regex.is_set() || !charge(1 + subject.size() / kSubjectBytesPerCharge)) return false;
  bool hard = false;
  const RegexOutcome outcome = regex.match(subject, hard);
  if (hard && !charge(kRegexStepsMax)) return false;
  if (outcome == RegexOutcome::kTooMuchEffort)
    return fail(Failure::kLimit, "A regular expression of the path needs too many steps.");
  return outcome == RegexOutcome::kMatch;
}

// A pattern that is no I-Regexp matches nothing (RFC 9535, 2.4.6).
const Regex& Evaluator::dynamic_regex(std::string_view pattern, bool whole) {
  const std::string key = (whole ? "m" : "s") + std::string(pattern);
  const auto known = regexes_.find(key);
  if (known != regexes_.end()) return known->second;
  charge(1 + pattern.size());
  auto regex = Regex::compile_iregexp(pattern, whole);
  return regexes_.emplace(key, regex ? std::move(*regex) : Regex()).first->second;
}

}  // namespace pawl::jsonpath::internal
