// The grammar of Jayway, for the dialects asl, jayway and serverless.
//
// Steps are .name, ..name, *, ['a','b'], [0,1], [1:3], [?(filter)] and .function(arguments). The path part is in
// jayway_parser.cpp, the filter part in jayway_filter_parser.cpp: they call each other, within kFilterDepthMax.
#pragma once

#include <memory>
#include <string_view>

#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/limits.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

class JaywayParser {
 public:
  JaywayParser(std::string_view text, Dialect dialect, size_t column_shift)
      : cursor_(text, column_shift), dialect_(dialect) {}

  Result<Query> parse();

 private:
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
  Result<std::vector<Operand>> read_arguments();
  Result<Operand> read_argument();
  Result<void> close_bracket();
  static void gather_scan_into_function(Query& query);

  Result<std::unique_ptr<Expression>> read_or();
  Result<std::unique_ptr<Expression>> read_and();
  Result<std::unique_ptr<Expression>> read_term();
  Result<std::unique_ptr<Expression>> read_negation();
  Result<std::unique_ptr<Expression>> read_comparison();
  Result<std::unique_ptr<Expression>> existence(Operand query, bool negated, size_t start);
  Result<Operand> read_operand(bool& negated);
  Result<Operand> read_pattern();
  std::optional<Comparison> read_operator();

  Cursor cursor_;
  Dialect dialect_;
  uint32_t depth_ = 0;
};

}  // namespace pawl::jsonpath::internal
