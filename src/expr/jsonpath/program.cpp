// What can be said of a query before it is run: how many results it may have, and its canonical text.
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {
namespace {

// `last`: a union of names at the end of a path is one object, so there is at most one of it.
bool is_definite(const Segment& segment, bool last) {
  if (segment.descendant || segment.selectors.size() != 1) return false;
  switch (segment.selectors[0].kind) {
    case SelectorKind::kName:
    case SelectorKind::kIndex:
    case SelectorKind::kFunction:
      return true;
    case SelectorKind::kNames:
      return last;
    case SelectorKind::kIndices:
    case SelectorKind::kSlice:
    case SelectorKind::kWildcard:
    case SelectorKind::kFilter:
      return false;
  }
  return false;
}

bool is_singular(const Segment& segment) {
  const SelectorKind kind = segment.selectors[0].kind;
  return is_definite(segment, false) && (kind == SelectorKind::kName || kind == SelectorKind::kIndex);
}

PlainStep plain_step(const Selector& selector) {
  PlainStep step;
  step.is_name = selector.kind == SelectorKind::kName;
  if (step.is_name) {
    step.name = selector.names[0];
  } else {
    step.index = selector.indices[0];
  }
  return step;
}

void append_names(std::string& out, const Selector& selector) {
  for (size_t i = 0; i < selector.names.size(); ++i) {
    if (i > 0) out += ',';
    out += selector.quote;
    out += selector.names[i];
    out += selector.quote;
  }
}

void append_indices(std::string& out, const Selector& selector) {
  for (size_t i = 0; i < selector.indices.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(selector.indices[i]);
  }
}

void append_slice(std::string& out, const Slice& slice) {
  if (slice.from) out += std::to_string(*slice.from);
  out += ':';
  if (slice.to) out += std::to_string(*slice.to);
  if (slice.step != 1) out += ':' + std::to_string(slice.step);
}

void append_selector(std::string& out, const Selector& selector) {
  switch (selector.kind) {
    case SelectorKind::kName:
    case SelectorKind::kNames:
      append_names(out, selector);
      return;
    case SelectorKind::kIndex:
    case SelectorKind::kIndices:
      append_indices(out, selector);
      return;
    case SelectorKind::kSlice:
      append_slice(out, selector.slice);
      return;
    case SelectorKind::kWildcard:
      out += '*';
      return;
    case SelectorKind::kFilter:
      out += '?';
      return;
    case SelectorKind::kFunction:
      return;
  }
}

void append_segment(std::string& out, const Segment& segment) {
  if (segment.descendant) out += "..";
  const Selector& first = segment.selectors[0];
  if (first.kind == SelectorKind::kFunction) {
    out += '.' + first.call->name + (first.call->arguments.empty() ? "()" : "(...)");
    return;
  }
  out += '[';
  for (size_t i = 0; i < segment.selectors.size(); ++i) {
    if (i > 0) out += ',';
    append_selector(out, segment.selectors[i]);
  }
  out += ']';
}

}  // namespace

void classify(Query& query) {
  const size_t count = query.segments.size();
  query.definite_segments = 0;
  query.singular = true;
  for (size_t i = 0; i < count; ++i) {
    const Segment& segment = query.segments[i];
    if (query.definite_segments == i && is_definite(segment, i + 1 == count)) ++query.definite_segments;
    query.singular = query.singular && is_singular(segment);
  }
  query.definite = query.definite_segments == count;
  query.plain_steps.clear();
  if (!query.singular) return;
  for (const Segment& segment : query.segments) query.plain_steps.push_back(plain_step(segment.selectors[0]));
}

bool ends_in_function(const Query& query) {
  return !query.segments.empty() && query.segments.back().selectors[0].kind == SelectorKind::kFunction;
}

std::string canonical_segment(const Segment& segment) {
  std::string out;
  append_segment(out, segment);
  return out;
}

std::string canonical_text(const Query& query) {
  std::string out = query.from_root ? "$" : "@";
  for (const Segment& segment : query.segments) append_segment(out, segment);
  return out;
}

std::string canonical_prefix(const Query& query, size_t segments) {
  std::string out = query.from_root ? "$" : "@";
  for (size_t i = 0; i < segments; ++i) {
    const Selector& selector = query.segments[i].selectors[0];
    if (selector.kind == SelectorKind::kName) {
      out += "['" + selector.names[0] + "']";
    } else {
      append_segment(out, query.segments[i]);
    }
  }
  return out;
}

}  // namespace pawl::jsonpath::internal
