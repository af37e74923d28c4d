// RFC 9535: segments and selectors.
#include "expr/jsonpath/rfc_parser.h"

#include <charconv>
#include <optional>
#include <utility>

namespace pawl::jsonpath::internal {
namespace {

inline constexpr int64_t kIntegerMax = 9'007'199'254'740'991;  // 2^53 - 1, as I-JSON has it

bool is_name_first(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_character(char c) { return is_name_first(c) || is_digit(c); }

Selector make_name(std::string name) {
  Selector selector;
  selector.kind = SelectorKind::kName;
  selector.names.push_back(std::move(name));
  return selector;
}

}  // namespace

Result<Query> RfcParser::parse() {
  if (cursor_.peek() != '$') return cursor_.error("A path begins with $.");
  PAWL_TRY(Query query, read_query());
  if (!cursor_.at_end()) return cursor_.error("The path goes on where it should end.");
  return query;
}

Result<Query> RfcParser::read_query() {
  Query query;
  query.from_root = cursor_.peek() == '$';
  cursor_.advance();
  while (skip_to_segment()) {
    if (query.segments.size() >= kPathSegmentsMax) return cursor_.too_deep();
    PAWL_TRY(Segment segment, read_segment());
    query.segments.push_back(std::move(segment));
  }
  classify(query);
  return query;
}

// Blanks belong to the query only where a segment follows them.
bool RfcParser::skip_to_segment() {
  const size_t start = cursor_.position();
  cursor_.skip_blanks();
  if (cursor_.peek() == '.' || cursor_.peek() == '[') return true;
  cursor_.move_to(start);
  return false;
}

Result<Segment> RfcParser::read_segment() {
  Segment segment;
  segment.descendant = cursor_.accept("..");
  const bool bracketed = cursor_.peek() == '[';
  if (!segment.descendant && !bracketed) cursor_.advance();
  auto read = bracketed ? read_bracketed(segment) : read_dotted(segment);
  if (!read) return std::unexpected(std::move(read).error());
  return segment;
}

Result<void> RfcParser::read_dotted(Segment& segment) {
  if (cursor_.accept('*')) {
    segment.selectors.emplace_back();
    return {};
  }
  if (!is_name_first(cursor_.peek()))
    return cursor_.error("A name begins with a letter or '_'.", "Write it in brackets and quotes: ['my name'].");
  const size_t start = cursor_.position();
  while (is_name_character(cursor_.peek())) cursor_.advance();
  segment.selectors.push_back(make_name(std::string(cursor_.since(start))));
  return {};
}

Result<void> RfcParser::read_bracketed(Segment& segment) {
  cursor_.advance();
  do {
    cursor_.skip_blanks();
    PAWL_TRY(Selector selector, read_selector());
    segment.selectors.push_back(std::move(selector));
    cursor_.skip_blanks();
  } while (cursor_.accept(','));
  if (!cursor_.accept(']')) return cursor_.error("A ',' or ']' is expected here.");
  return {};
}

Result<Selector> RfcParser::read_selector() {
  const char c = cursor_.peek();
  if (c == '\'' || c == '"') {
    PAWL_TRY(std::string name, cursor_.read_quoted(Escapes::kRfc9535));
    Selector selector = make_name(std::move(name));
    selector.quote = c;
    return selector;
  }
  if (cursor_.accept('*')) return Selector{};
  if (c == '?') return read_filter();
  if (is_digit(c) || c == '-' || c == ':') return read_index_or_slice();
  return cursor_.error("Between brackets stands no selector.", "Write ['name'], [0], [1:3], [*] or [?filter].");
}

Result<Selector> RfcParser::read_index_or_slice() {
  Selector selector;
  PAWL_TRY(const std::optional<int64_t> number, read_optional_integer());
  const size_t after = cursor_.position();
  cursor_.skip_blanks();
  if (cursor_.accept(':')) {
    selector.kind = SelectorKind::kSlice;
    PAWL_TRY(selector.slice, read_slice(number));
    return selector;
  }
  cursor_.move_to(after);
  if (!number) return cursor_.error("An index is expected here.");
  selector.kind = SelectorKind::kIndex;
  selector.indices.push_back(*number);
  return selector;
}

// After the first colon.
Result<Slice> RfcParser::read_slice(std::optional<int64_t> from) {
  Slice slice;
  slice.from = from;
  cursor_.skip_blanks();
  PAWL_TRY(slice.to, read_optional_integer());
  cursor_.skip_blanks();
  if (!cursor_.accept(':')) return slice;
  cursor_.skip_blanks();
  PAWL_TRY(const std::optional<int64_t> step, read_optional_integer());
  slice.step = step.value_or(1);
  return slice;
}

Result<std::optional<int64_t>> RfcParser::read_optional_integer() {
  const size_t start = cursor_.position();
  cursor_.accept('-');
  while (is_digit(cursor_.peek())) cursor_.advance();
  const std::string_view text = cursor_.since(start);
  if (text.empty()) return std::nullopt;
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool leading_zero = digits.starts_with('0') && text != "0";
  const bool in_range = error == std::errc() && number >= -kIntegerMax && number <= kIntegerMax;
  if (digits.empty() || leading_zero || !in_range)
    return cursor_.error_at(start, "An integer needs 1 to 16 digits without a leading zero, within 2^53 - 1.");
  return number;
}

}  // namespace pawl::jsonpath::internal
