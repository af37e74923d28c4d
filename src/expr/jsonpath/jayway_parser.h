// The grammar of Jayway, for the dialects asl, jayway and serverless.
//
// Steps are .name, ..name, *, ['a','b'], [0,1], [1:3], [?(filter)] and .function(arguments). The path part is in
// jayway_parser.cpp, the filter part in jayway_filter_parser.cpp: they call each other, within kFilterDepthMax.
#pragma once

#include <memory>
#include <string_view>

#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/grammar.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

class JaywayParser : private Grammar<JaywayParser> {
 public:
  JaywayParser(std::string_view text, Dialect dialect, size_t column_shift)
      : Grammar(Cursor(text, column_shift)), dialect_(dialect) {}

  Result<Query> parse();

 private:
  friend class Grammar<JaywayParser>;

  // Where a query stands says what ends it.
  enum class Place : uint8_t { kWhole, kFilter, kArgument };

  Result<Query> read_query(Place place);
  bool query_ends(Place place) const;
  Result<Segment> read_segment(Place place);
  Result<Selector> read_selector(Place place);
  Result<Selector> read_name_or_function(Place place);
  Result<std::string> read_name(Place place);
  Result<void> read_escaped_character(std::string& out);
  Result<Selector> read_bracket();
  Result<Selector> read_names();
  Result<Selector> read_numbers();
  Result<Slice> read_slice(std::string_view text, size_t start);
  Result<Selector> read_bracket_wildcard();
  Result<Selector> read_script();
  Result<Selector> read_filter();
  Result<Selector> read_call(const std::string& name, size_t start);
  Result<Operand> read_argument();
  Result<void> close_bracket();
  static void gather_scan_into_function(Query& query);

  void skip() { cursor_.skip_spaces(); }
  ExpressionResult read_term();
  ExpressionResult read_negation();
  ExpressionResult read_comparison();
  ExpressionResult existence(Operand query, bool negated, size_t start);
  Result<Operand> read_operand(bool& negated);
  Result<Operand> read_pattern();
  std::optional<Comparison> read_operator();

  Dialect dialect_;
};

}  // namespace pawl::jsonpath::internal
