// Segments and selectors. Where the dialects differ (unions of names, slices, filters on objects, what a missing part
// means) the difference is here, beside what they share.
#include "expr/jsonpath/evaluator.h"

#include <algorithm>

#include "json/print.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr size_t kQuotedBytesMax = 200;  // of a value in a message

// What Jayway names in its messages: the Java class that holds the value.
std::string_view java_class(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBoolean:
      return "java.lang.Boolean";
    case Value::Kind::kNumber:
      return value.as_integer() ? "java.lang.Integer" : "java.lang.Double";
    case Value::Kind::kString:
      return "java.lang.String";
    case Value::Kind::kArray:
      return "net.minidev.json.JSONArray";
    case Value::Kind::kObject:
      return "java.util.LinkedHashMap";
  }
  return "null";
}

std::string quoted(const Value& value) {
  if (value.json_size() > kQuotedBytesMax) return "a value of " + std::to_string(value.json_size()) + " bytes";
  return json::print(value);
}

const Value* element(const Value& array, int64_t index) {
  const auto size = static_cast<int64_t>(array.size());
  const int64_t at = index < 0 ? size + index : index;
  return at < 0 || at >= size ? nullptr : &array.items()[static_cast<size_t>(at)];
}

bool has_all(const Value& object, const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return object.find(name) != nullptr; });
}

bool is_container(const Value& value) { return value.is_array() || value.is_object(); }

void push_children_reversed(const Value& node, Nodes& stack) {
  if (node.is_array()) {
    const auto items = node.items();
    for (size_t i = items.size(); i-- > 0;)
      if (is_container(items[i])) stack.push_back(&items[i]);
  } else {
    const auto members = node.members();
    for (size_t i = members.size(); i-- > 0;)
      if (is_container(members[i].value)) stack.push_back(&members[i].value);
  }
}

}  // namespace

const Value* walk(const std::vector<PlainStep>& steps, const Value& start) {
  const Value* at = &start;
  for (const PlainStep& step : steps) {
    if (step.is_name) {
      at = at->find(step.name);
    } else {
      at = at->is_array() ? element(*at, step.index) : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

bool Evaluator::charge(uint64_t nodes) {
  visited_ += nodes;
  if (visited_ <= kVisitedNodesMax) return true;
  return fail(Failure::kLimit, "The path looks at more than " + std::to_string(kVisitedNodesMax) + " values.");
}

bool Evaluator::fail(Failure failure, std::string what) {
  failure_ = failure;
  what_ = std::move(what);
  return false;
}

bool Evaluator::run(const Query& query, const Value& start, bool require_properties, Nodes& out) {
  out.assign(1, &start);
  Nodes next;
  for (size_t at = 0; at < query.segments.size(); ++at) {
    const Step step{query, at, !is_rfc() && query.definite_segments >= at, require_properties};
    next.clear();
    next.reserve(out.size());
    for (const Value* node : out)
      if (!apply(step, *node, next)) return false;
    out.swap(next);
  }
  return true;
}

bool Evaluator::apply(const Step& step, const Value& node, Nodes& out) {
  if (!charge(step.segment().selectors.size())) return false;
  if (step.segment().descendant) return descend(step, node, out);
  for (const Selector& selector : step.segment().selectors)
    if (!select(step, selector, node, out)) return false;
  return true;
}

// In preorder, with a stack of its own. Scalars have nothing below that a selector could choose.
bool Evaluator::descend(const Step& step, const Value& node, Nodes& out) {
  const Step lenient{step.query, step.at, false, false};
  Nodes stack;
  if (is_container(node)) stack.push_back(&node);
  while (!stack.empty()) {
    const Value& current = *stack.back();
    stack.pop_back();
    if (!charge(step.segment().selectors.size() + current.size())) return false;
    for (const Selector& selector : step.segment().selectors)
      if (!select_below(lenient, selector, current, out)) return false;
    push_children_reversed(current, stack);
  }
  return true;
}

// After '..', Jayway asks first whether the node itself fits: a filter must accept it, a union of names must be all
// there.
bool Evaluator::select_below(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  if (selector.kind == SelectorKind::kFilter && !is_rfc()) {
    if (!accepts(*selector.filter, node)) return !is_fatal();
    if (node.is_array()) return filter_children(*selector.filter, node, out);
    out.push_back(&node);
    return true;
  }
  if (selector.kind == SelectorKind::kNames && step.last() && !has_all(node, selector.names)) return true;
  return select(step, selector, node, out);
}

bool Evaluator::select(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  switch (selector.kind) {
    case SelectorKind::kName:
      return select_name(step, selector.names[0], true, node, out);
    case SelectorKind::kNames:
      return select_names(step, selector, node, out);
    case SelectorKind::kIndex:
    case SelectorKind::kIndices:
    case SelectorKind::kSlice:
      return select_array(step, selector, node, out);
    case SelectorKind::kWildcard:
      return select_children(node, out);
    case SelectorKind::kFilter:
      return select_filtered(step, selector, node, out);
    case SelectorKind::kFunction: {
      Value result;
      if (!call(*selector.call, node, result)) return false;
      out.push_back(keep(std::move(result)));
      return true;
    }
  }
  return true;
}

// A missing member at the end of a path is simply no result; before the end it is an error where the path is definite.
bool Evaluator::select_name(const Step& step, const std::string& name, bool token_definite, const Value& node,
                            Nodes& out) {
  if (const Value* value = node.find(name)) {
    out.push_back(value);
    return true;
  }
  if (!node.is_object()) {
    if (!step.strict) return true;
    if (!explains()) return fail(Failure::kNoMatch);
    return fail(Failure::kNoMatch, "Expected to find an object with property " + canonical_segment(step.segment()) +
                                       " in path " + canonical_prefix(step.query, step.at) + " but found '" +
                                       std::string(java_class(node)) +
                                       "'. This is not a json object according to the JsonProvider: "
                                       "'com.jayway.jsonpath.spi.json.JsonSmartJsonProvider'.");
  }
  if (step.require_properties) return fail(Failure::kNoMatch);
  if (step.last() || !step.strict || !token_definite) return true;
  if (!explains()) return fail(Failure::kNoMatch);
  return fail(Failure::kNoMatch, "Missing property in path " + canonical_prefix(step.query, step.at + 1));
}

bool Evaluator::select_names(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  if (!charge(selector.names.size())) return false;
  if (step.last() && node.is_object()) return merge_names(step, selector, node, out);
  for (const std::string& name : selector.names)
    if (!select_name(step, name, false, node, out)) return false;
  return true;
}

bool Evaluator::merge_names(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  json::ObjectBuilder merged(selector.names.size());
  for (const std::string& name : selector.names) {
    const Value* value = node.find(name);
    if (value != nullptr) {
      merged.set(name, *value);
    } else if (step.require_properties) {
      return fail(Failure::kNoMatch);
    }
  }
  out.push_back(keep(merged.build()));
  return true;
}

bool Evaluator::select_array(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  if (!node.is_array()) {
    if (!step.strict) return true;
    if (!explains()) return fail(Failure::kNoMatch);
    if (node.is_null())
      return fail(Failure::kNoMatch, "The path " + canonical_prefix(step.query, step.at) + " is null");
    return fail(Failure::kNoMatch, "Filter: " + canonical_segment(step.segment()) +
                                       " can only be applied to arrays. Current context is: " + quoted(node));
  }
  if (selector.kind == SelectorKind::kSlice)
    return is_rfc() ? select_slice(selector.slice, node, out) : select_jayway_slice(selector.slice, node, out);
  if (!charge(selector.indices.size())) return false;
  for (const int64_t index : selector.indices) select_index(index, node, out);
  return true;
}

void Evaluator::select_index(int64_t index, const Value& array, Nodes& out) {
  if (const Value* item = element(array, index)) out.push_back(item);
}

// RFC 9535, 2.3.4.2.
bool Evaluator::select_slice(const Slice& slice, const Value& array, Nodes& out) {
  const auto size = static_cast<int64_t>(array.size());
  const int64_t step = slice.step;
  if (step == 0) return true;
  const auto from_end = [size](int64_t index) { return index >= 0 ? index : size + index; };
  const int64_t from = from_end(slice.from.value_or(step > 0 ? 0 : size - 1));
  const int64_t to = slice.to ? from_end(*slice.to) : (step > 0 ? size : -1);
  const auto items = array.items();
  if (step > 0) {
    const int64_t upper = std::clamp<int64_t>(to, 0, size);
    for (int64_t i = std::clamp<int64_t>(from, 0, size); i < upper; i += std::min(step, size))
      out.push_back(&items[static_cast<size_t>(i)]);
  } else {
    const int64_t lower = std::clamp<int64_t>(to, -1, size - 1);
    for (int64_t i = std::clamp<int64_t>(from, -1, size - 1); i > lower; i += std::max(step, -size))
      out.push_back(&items[static_cast<size_t>(i)]);
  }
  return charge(array.size());
}

// Jayway counts from a negative beginning up to the end without turning the end round: [-4:1] wraps from the fourth
// last element to the first one, and [1:-1] is empty.
bool Evaluator::select_jayway_slice(const Slice& slice, const Value& array, Nodes& out) {
  const auto size = static_cast<int64_t>(array.size());
  int64_t from = slice.from.value_or(0);
  int64_t to = slice.to.value_or(size);
  if (!slice.to && from < 0) from = size + from;
  if (!slice.from && to < 0) to = size + to;
  if (!slice.to) from = std::max<int64_t>(from, 0);
  for (int64_t i = std::max(from, -size); i < std::min(to, size); ++i) select_index(i, array, out);
  return charge(array.size());
}

bool Evaluator::select_children(const Value& node, Nodes& out) {
  if (!charge(node.size())) return false;
  if (out.empty()) out.reserve(node.size());
  if (node.is_array()) {
    for (const Value& item : node.items()) out.push_back(&item);
  } else if (node.is_object()) {
    for (const json::Member& member : node.members()) out.push_back(&member.value);
  }
  return true;
}

// Jayway tests an object itself, RFC 9535 each of its members.
bool Evaluator::select_filtered(const Step& step, const Selector& selector, const Value& node, Nodes& out) {
  if (node.is_array() || (node.is_object() && is_rfc())) return filter_children(*selector.filter, node, out);
  if (node.is_object()) {
    if (accepts(*selector.filter, node)) out.push_back(&node);
    return !is_fatal();
  }
  if (!step.strict) return true;
  return fail(Failure::kRejected,
              "Filter: [?] can not be applied to primitives. Current context is: " + (explains() ? quoted(node) : ""));
}

bool Evaluator::filter_children(const Expression& filter, const Value& node, Nodes& out) {
  if (!charge(node.size())) return false;
  const auto take = [&](const Value& item) {
    if (accepts(filter, item)) out.push_back(&item);
    return !is_fatal();
  };
  if (node.is_array()) {
    for (const Value& item : node.items())
      if (!take(item)) return false;
  } else {
    for (const json::Member& member : node.members())
      if (!take(member.value)) return false;
  }
  return true;
}

}  // namespace pawl::jsonpath::internal
