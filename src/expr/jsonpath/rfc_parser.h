// The grammar of RFC 9535, with its rules on types. The path part is in rfc_parser.cpp, the filter part in
// rfc_filter_parser.cpp: they call each other, within kFilterDepthMax.
#pragma once

#include <memory>
#include <string_view>

#include "expr/jsonpath/cursor.h"
#include "expr/jsonpath/limits.h"
#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

class RfcParser {
 public:
  explicit RfcParser(std::string_view text) : cursor_(text) {}

  Result<Query> parse();

 private:
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
  Result<std::unique_ptr<Expression>> read_or();
  Result<std::unique_ptr<Expression>> read_and();
  Result<std::unique_ptr<Expression>> read_term();
  Result<std::unique_ptr<Expression>> read_parenthesized();
  Result<std::unique_ptr<Expression>> read_comparison_or_test(bool negated);
  Result<std::unique_ptr<Expression>> read_test(Operand operand, size_t start);
  Result<Operand> read_comparable();
  Result<void> check_comparable(const Operand& operand, size_t start) const;
  std::optional<Comparison> read_operator();
  Result<Operand> read_operand();
  Result<Operand> read_literal_operand();
  Result<Operand> read_number();
  Result<Operand> read_call();
  Result<std::vector<Operand>> read_arguments();
  Result<void> check_arguments(Call& call, size_t start) const;

  Cursor cursor_;
  uint32_t depth_ = 0;
};

}  // namespace pawl::jsonpath::internal
