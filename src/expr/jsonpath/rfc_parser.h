// The grammar of RFC 9535, with its rules on types. The path part is in rfc_parser.cpp, the filter part in
// rfc_filter_parser.cpp: they call each other, within kFilterDepthMax.
#pragma once

#include <memory>
#include <string_view>

#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/grammar.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

class RfcParser : private Grammar<RfcParser> {
 public:
  explicit RfcParser(std::string_view text) : Grammar(Cursor(text)) {}

  Result<Query> parse();

 private:
  friend class Grammar<RfcParser>;

  Result<Query> read_query();
  bool skip_to_segment();
  Result<Segment> read_segment();
  Result<void> read_dotted(Segment& segment);
  Result<void> read_bracketed(Segment& segment);
  Result<Selector> read_selector();
  Result<Selector> read_index_or_slice();
  Result<std::optional<int64_t>> read_optional_integer();
  Result<Slice> read_slice(std::optional<int64_t> from);

  Result<Selector> read_filter();
  void skip() { cursor_.skip_blanks(); }
  Result<Operand> read_argument() { return read_operand(); }
  ExpressionResult read_term();
  ExpressionResult read_comparison_or_test(bool negated);
  ExpressionResult read_test(Operand operand, size_t start);
  Result<Operand> read_comparable();
  Result<void> check_comparable(const Operand& operand, size_t start) const;
  std::optional<Comparison> read_operator();
  Result<Operand> read_operand();
  Result<Operand> read_literal_operand();
  Result<Operand> read_number();
  Result<Operand> read_call();
  Result<void> check_arguments(Call& call, size_t start) const;
};

}  // namespace pawl::jsonpath::internal
