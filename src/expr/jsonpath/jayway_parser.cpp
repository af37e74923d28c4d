// Jayway's grammar: the steps of a path.
#include "expr/jsonpath/jayway_parser.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "expr/jsonpath/literal.h"

namespace pawl::jsonpath::internal {
namespace {

struct NamedFunction {
  std::string_view name;
  Function function;
};

constexpr NamedFunction kFunctions[] = {
    {"length", Function::kLength}, {"size", Function::kLength},
    {"min", Function::kMin},       {"max", Function::kMax},
    {"avg", Function::kAverage},   {"sum", Function::kSum},
    {"concat", Function::kConcat}, {"stddev", Function::kStandardDeviation},
    {"append", Function::kAppend}, {"keys", Function::kKeys},
    {"first", Function::kFirst},   {"last", Function::kLast},
    {"index", Function::kIndex},
};

std::optional<Function> find_function(std::string_view name) {
  for (const NamedFunction& known : kFunctions)
    if (known.name == name) return known.function;
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Jayway's numbers are Java's int.
std::optional<int64_t> read_integer(std::string_view text) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_relational(char c) { return c == '<' || c == '>' || c == '=' || c == '~' || c == '!'; }

Selector make_wildcard() { return Selector{}; }

}  // namespace

Result<Query> JaywayParser::parse() {
  if (cursor_.peek() != '$' && cursor_.peek() != '@') return cursor_.error("A path begins with $.");
  PAWL_TRY(Query query, read_query(Place::kWhole));
  if (!cursor_.at_end()) return cursor_.error("The path goes on where it should end.");
  return query;
}

Result<Query> JaywayParser::read_query(Place place) {
  Query query;
  query.from_root = cursor_.peek() == '$';
  cursor_.advance();
  if (!query_ends(place) && cursor_.peek() != '.' && cursor_.peek() != '[')
    return cursor_.error("After $ or @ a path goes on with '.' or '['.");
  while (!query_ends(place)) {
    if (query.segments.size() >= kPathSegmentsMax) return cursor_.too_deep();
    PAWL_TRY(Segment segment, read_segment(place));
    query.segments.push_back(std::move(segment));
  }
  gather_scan_into_function(query);
  classify(query);
  return query;
}

// In a filter a name ends where an operator begins; && and || end it too (Jayway itself takes them into the name, and
// then finds nothing).
bool JaywayParser::query_ends(Place place) const {
  if (cursor_.at_end()) return true;
  if (place == Place::kWhole) return false;
  const char c = cursor_.peek();
  if (c == ' ' || c == ')') return true;
  if (place == Place::kArgument) return c == ',';
  return is_relational(c) || cursor_.rest().starts_with("&&") || cursor_.rest().starts_with("||");
}

Result<Segment> JaywayParser::read_segment(Place place) {
  const size_t start = cursor_.position();
  Segment segment;
  if (cursor_.accept('.')) {
    segment.descendant = cursor_.accept('.');
    if (query_ends(place)) return cursor_.error_at(start, "A path must not end with '.' or '..'.");
    if (cursor_.peek() == '.') return cursor_.error("Three dots in a row mean nothing.");
  }
  PAWL_TRY(Selector selector, read_selector(place));
  if (segment.descendant && selector.kind == SelectorKind::kFunction)
    return cursor_.error_at(start, "A function cannot follow '..'.", "Write what it is applied to: $..a.sum().");
  segment.selectors.push_back(std::move(selector));
  return segment;
}

Result<Selector> JaywayParser::read_selector(Place place) {
  if (cursor_.peek() == '[') return read_bracket();
  if (cursor_.accept('*')) return make_wildcard();
  return read_name_or_function(place);
}

Result<Selector> JaywayParser::read_name_or_function(Place place) {
  const size_t start = cursor_.position();
  PAWL_TRY(std::string name, read_name(place));
  if (cursor_.peek() == '(') return read_call(name, start);
  Selector selector;
  selector.kind = SelectorKind::kName;
  selector.names.push_back(std::move(name));
  return selector;
}

Result<std::string> JaywayParser::read_name(Place place) {
  std::string name;
  while (!query_ends(place) && cursor_.peek() != '.' && cursor_.peek() != '[' && cursor_.peek() != '(') {
    const char c = cursor_.peek();
    if (c == ' ') return cursor_.error("A name has a blank.", "Write it in brackets and quotes: ['my name'].");
    if (c == '/' && place == Place::kFilter)
      return cursor_.error("A name in a filter has a '/'.", "Write it in brackets and quotes: ['a/b'].");
    if (c == '\\' && dialect_ == Dialect::kAsl) {
      if (auto read = read_escaped_character(name); !read) return std::unexpected(std::move(read).error());
      continue;
    }
    name += c;
    cursor_.advance();
  }
  if (name.empty() && cursor_.peek() != '(') return cursor_.error("A name is expected here.");
  return name;
}

// The States Language lets any character of a name be escaped: $.store\.book is one name.
Result<void> JaywayParser::read_escaped_character(std::string& out) {
  cursor_.advance();
  if (cursor_.at_end()) return cursor_.error("The path ends in the middle of an escape.");
  out += cursor_.peek();
  cursor_.advance();
  return {};
}

Result<Selector> JaywayParser::read_bracket() {
  const size_t start = cursor_.position();
  cursor_.advance();
  cursor_.skip_spaces();
  const char c = cursor_.peek();
  if (c == '\'' || c == '"') return read_names();
  if (is_digit(c) || c == '-' || c == ':') return read_numbers();
  if (c == '*') return read_bracket_wildcard();
  if (c == '?') return read_filter();
  if (c == '(' && dialect_ == Dialect::kAsl) return read_script();
  return cursor_.error_at(start, "Between brackets stands nothing that this dialect knows.",
                          "Write ['name'], [0], [1:3], [*] or [?(filter)].");
}

Result<void> JaywayParser::close_bracket() {
  cursor_.skip_spaces();
  if (!cursor_.accept(']')) return cursor_.error("A ']' is expected here.");
  return {};
}

Result<Selector> JaywayParser::read_names() {
  Selector selector;
  selector.quote = cursor_.peek();
  const Escapes escapes = dialect_ == Dialect::kAsl ? Escapes::kAsl : Escapes::kJayway;
  do {
    cursor_.skip_spaces();
    if (cursor_.peek() != '\'' && cursor_.peek() != '"') return cursor_.error("A quoted name is expected here.");
    PAWL_TRY(std::string name, cursor_.read_quoted(escapes));
    selector.names.push_back(std::move(name));
    cursor_.skip_spaces();
  } while (cursor_.accept(','));
  if (auto closed = close_bracket(); !closed) return std::unexpected(std::move(closed).error());
  selector.kind = selector.names.size() == 1 ? SelectorKind::kName : SelectorKind::kNames;
  return selector;
}

Result<Selector> JaywayParser::read_numbers() {
  const size_t start = cursor_.position();
  while (!cursor_.at_end() && cursor_.peek() != ']') cursor_.advance();
  std::string_view text = trimmed(cursor_.since(start));
  if (!cursor_.accept(']')) return cursor_.error_at(start, "A '[' is not closed.", "Close it with ']'.");
  Selector selector;
  if (text.find(':') != std::string_view::npos) {
    PAWL_TRY(selector.slice, read_slice(text, start));
    selector.kind = SelectorKind::kSlice;
    return selector;
  }
  while (true) {
    const size_t comma = text.find(',');
    const auto index = read_integer(trimmed(text.substr(0, comma)));
    if (!index) return cursor_.error_at(start, "An index is not a whole number of 32 bits.");
    selector.indices.push_back(*index);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  selector.kind = selector.indices.size() == 1 ? SelectorKind::kIndex : SelectorKind::kIndices;
  return selector;
}

// from:to, one of them at least. Jayway reads a third number and ignores it.
Result<Slice> JaywayParser::read_slice(std::string_view text, size_t start) {
  const auto is_slice_character = [](char c) { return is_digit(c) || c == '-' || c == ':'; };
  if (!std::all_of(text.begin(), text.end(), is_slice_character))
    return cursor_.error_at(start, "A slice is made of whole numbers and ':'.");
  const size_t first_colon = text.find(':');
  const std::string_view from = text.substr(0, first_colon);
  std::string_view to = text.substr(first_colon + 1);
  to = to.substr(0, to.find(':'));
  Slice slice;
  if (!from.empty()) slice.from = read_integer(from);
  if (!to.empty()) slice.to = read_integer(to);
  const bool readable = (from.empty() || slice.from) && (to.empty() || slice.to);
  if (!readable || (!slice.from && !slice.to))
    return cursor_.error_at(start, "A slice needs a beginning or an end of 32 bits.", "Write [*] for every element.");
  return slice;
}

Result<Selector> JaywayParser::read_bracket_wildcard() {
  cursor_.advance();
  if (auto closed = close_bracket(); !closed) return std::unexpected(std::move(closed).error());
  return make_wildcard();
}

// [(@.length-1)]: AWS takes it for the element that many from the end. Other scripts do not exist.
Result<Selector> JaywayParser::read_script() {
  const size_t start = cursor_.position();
  cursor_.advance();
  cursor_.skip_spaces();
  const bool length = cursor_.accept("@.length");
  cursor_.accept("()");
  cursor_.skip_spaces();
  const bool minus = cursor_.accept('-');
  cursor_.skip_spaces();
  const size_t digits = cursor_.position();
  while (is_digit(cursor_.peek())) cursor_.advance();
  const auto back = read_integer(cursor_.since(digits));
  cursor_.skip_spaces();
  if (!length || !minus || !back || *back == 0 || !cursor_.accept(')'))
    return cursor_.error_at(start, "The only script is (@.length-N) with N of 1 or more.");
  if (auto closed = close_bracket(); !closed) return std::unexpected(std::move(closed).error());
  Selector selector;
  selector.kind = SelectorKind::kIndex;
  selector.indices.push_back(-*back);
  return selector;
}

Result<Selector> JaywayParser::read_call(const std::string& name, size_t start) {
  const auto function = find_function(name);
  if (!function)
    return cursor_.error_at(start, "Function with name: " + name + " does not exist.",
                            "Use length, min, max, avg, sum, stddev, concat, append, keys, first, last or index.");
  Selector selector;
  selector.kind = SelectorKind::kFunction;
  selector.call = std::make_unique<Call>();
  selector.call->function = *function;
  selector.call->name = name;
  PAWL_TRY(selector.call->arguments, read_arguments());
  if (*function == Function::kIndex && selector.call->arguments.empty())
    return cursor_.error_at(start, "index() needs a number.");
  return selector;
}

Result<Operand> JaywayParser::read_argument() {
  Operand argument;
  if (cursor_.peek() == '$' || cursor_.peek() == '@') {
    PAWL_TRY(Query query, read_query(Place::kArgument));
    argument.kind = Operand::Kind::kQuery;
    argument.query = std::make_unique<Query>(std::move(query));
    return argument;
  }
  PAWL_TRY(argument.literal, read_literal(cursor_));
  return argument;
}

// $..a.sum() is the sum over all of $..a, not one sum for each: Jayway hands the scan to the function as its argument.
void JaywayParser::gather_scan_into_function(Query& query) {
  if (!ends_in_function(query) || !query.segments.front().descendant) return;
  Segment call = std::move(query.segments.back());
  query.segments.pop_back();
  Operand argument;
  argument.kind = Operand::Kind::kQuery;
  argument.query = std::make_unique<Query>(std::move(query));
  classify(*argument.query);
  call.selectors[0].call->arguments.clear();
  call.selectors[0].call->arguments.push_back(std::move(argument));
  query = Query{};
  query.segments.push_back(std::move(call));
}

}  // namespace pawl::jsonpath::internal
