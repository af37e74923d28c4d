#include "lang/asl/graph_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/label.h"
#include "json/print.h"

namespace pawl::asl {
namespace {

constexpr int64_t kDefaultMaxAttempts = 3;

using graph::kLabelBytesMax;
using graph::shortened;

std::string plain(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

// "arn:aws:states:::lambda:invoke" is lambda:invoke, "arn:aws:lambda:eu-west-1:1234:function:Charge" function:Charge.
std::string_view short_resource(std::string_view resource) {
  if (!resource.starts_with("arn:")) return resource;
  std::string_view rest = resource;
  for (int colons = 0; colons < 5; ++colons) {
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return resource;
    rest.remove_prefix(colon + 1);
  }
  return rest.empty() ? resource : rest;
}

std::string wait_text(const Value& source) {
  if (const Value* seconds = source.find("Seconds")) return plain(*seconds) + " s";
  if (const Value* path = source.find("SecondsPath")) return plain(*path) + " s";
  if (const Value* time = source.find("Timestamp")) return "until " + plain(*time);
  if (const Value* path = source.find("TimestampPath")) return "until " + plain(*path);
  return {};
}

std::string map_text(const Value& source) {
  const Value* items = source.find("ItemsPath");
  if (items == nullptr) items = source.find("Items");
  std::string text = "each of " + (items == nullptr ? std::string("$") : plain(*items));
  const Value* concurrency = source.find("MaxConcurrency");
  if (concurrency != nullptr && concurrency->is_number()) text += ", " + plain(*concurrency) + " at a time";
  return text;
}

std::string action_text(const State& state) {
  switch (state.type) {
    case StateType::kTask:
      if (const Value* resource = state.source.find("Resource")) return std::string(short_resource(plain(*resource)));
      return {};
    case StateType::kWait:
      return wait_text(state.source);
    case StateType::kFail:
      for (const std::string_view field : {"Error", "ErrorPath"})
        if (const Value* error = state.source.find(field)) return plain(*error);
      return {};
    case StateType::kMap:
      return map_text(state.source);
    case StateType::kPass:
    case StateType::kChoice:
    case StateType::kSucceed:
    case StateType::kParallel:
      return {};
  }
  return {};
}

struct Comparison {
  std::string_view ending;  // of the operator's name, without "Path"
  std::string_view sign;
};

// The longer endings first: "NumericLessThanEquals" also ends in "Equals".
constexpr std::array kComparisons = {
    Comparison{"LessThanEquals", " <= "}, Comparison{"GreaterThanEquals", " >= "},
    Comparison{"LessThan", " < "},        Comparison{"GreaterThan", " > "},
    Comparison{"Equals", " = "},          Comparison{"Matches", " matches "},
};

std::optional<std::string_view> sign_of(std::string_view name) {
  if (name.ends_with("Path")) name.remove_suffix(4);
  for (const Comparison& comparison : kComparisons)
    if (name.ends_with(comparison.ending)) return comparison.sign;
  return std::nullopt;
}

// "IsPresent": true is "is present", false "is not present"; the type tests likewise.
std::string type_test(std::string_view name, const Value& wanted) {
  std::string what(name.substr(2));
  if (!what.empty()) what[0] = static_cast<char>(what[0] | 0x20);
  const bool negated = wanted.is_boolean() && !wanted.as_boolean();
  return (negated ? " is not " : " is ") + what;
}

std::string comparison_text(const Value& rule) {
  const Value* variable = rule.find("Variable");
  std::string left = variable == nullptr ? std::string() : plain(*variable);
  for (const json::Member& member : rule.members()) {
    const std::string_view name = member.key.as_string();
    if (name.starts_with("Is")) return left + type_test(name, member.value);
    if (const auto sign = sign_of(name))
      return left + std::string(*sign) + (name.ends_with("Path") ? plain(member.value) : json::print(member.value));
  }
  return left;
}

// Appends until the text is long enough to be cut, so that a rule of any size costs little. Recursion is bounded by the
// parser's depth.
class RuleText {
 public:
  std::string write(const Value& rule) {
    add_rule(rule, false);
    return shortened(std::move(text_));
  }

 private:
  void add_rule(const Value& rule, bool nested) {
    if (!rule.is_object() || text_.size() > kLabelBytesMax) return;
    const Value* condition = rule.find("Condition");
    if (condition != nullptr && condition->is_string()) return add_condition(condition->as_string());
    if (const Value* all = rule.find("And")) return add_rules(*all, " and ", nested);
    if (const Value* any = rule.find("Or")) return add_rules(*any, " or ", nested);
    if (const Value* other = rule.find("Not")) {
      text_ += "not ";
      return add_rule(*other, true);
    }
    text_ += comparison_text(rule);
  }

  void add_rules(const Value& rules, std::string_view word, bool nested) {
    if (!rules.is_array()) return;
    if (nested) text_ += '(';
    bool first = true;
    for (const Value& rule : rules.items()) {
      if (!first) text_ += word;
      first = false;
      add_rule(rule, true);
      if (text_.size() > kLabelBytesMax) return;
    }
    if (nested) text_ += ')';
  }

  void add_condition(std::string_view condition) {
    if (condition.starts_with("{%") && condition.ends_with("%}") && condition.size() >= 4)
      condition = condition.substr(2, condition.size() - 4);
    const size_t first = condition.find_first_not_of(' ');
    const size_t last = condition.find_last_not_of(' ');
    if (first != std::string_view::npos) text_ += condition.substr(first, last - first + 1);
  }

  std::string text_;
};

int64_t attempts_of(const Value& retrier) {
  const Value* attempts = retrier.find("MaxAttempts");
  if (attempts == nullptr || !attempts->is_number()) return kDefaultMaxAttempts;
  return attempts->as_integer().value_or(kDefaultMaxAttempts);
}

}  // namespace

std::string detail_text(const State& state) {
  const std::string action = action_text(state);
  const std::string type(type_name(state.type));
  return shortened(action.empty() ? type : type + " · " + action);
}

std::string retry_text(const State& state) {
  const Value* retriers = state.source.find("Retry");
  if (retriers == nullptr || !retriers->is_array()) return {};
  int64_t most = 0;
  for (const Value& retrier : retriers->items()) most = std::max(most, attempts_of(retrier));
  return most <= 0 ? std::string() : "↻ " + std::to_string(most);
}

std::string rule_text(const Value& rule) { return RuleText().write(rule); }

std::string errors_text(const Value& catcher) {
  const Value* names = catcher.find("ErrorEquals");
  if (names == nullptr || !names->is_array()) return {};
  std::string text;
  for (const Value& name : names->items()) {
    if (text.size() > kLabelBytesMax) break;
    if (!text.empty()) text += ", ";
    text += name.is_string() && name.as_string() == "States.ALL" ? std::string("any error") : plain(name);
  }
  return shortened(std::move(text));
}

}  // namespace pawl::asl
