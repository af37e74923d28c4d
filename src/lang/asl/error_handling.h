// Retry and Catch: which of a state's retriers and catchers takes a failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "expr/jsonpath/reference_path.h"
#include "kernel/retry.h"
#include "lang/asl/failure.h"
#include "lang/asl/options.h"
#include "lang/asl/payload_template.h"

namespace pawl::asl {

class ErrorNames {
 public:
  static ErrorNames compile(const Value& error_equals);
  bool match(const Failure& failure, const Options& options) const;

 private:
  bool names(std::string_view name) const;
  std::vector<std::string> names_;
};

struct Retrier {
  ErrorNames errors;
  kernel::RetryPolicy policy;
};

struct Catcher {
  ErrorNames errors;
  std::string next_name;
  StateOrdinal next;
  std::optional<jsonpath::ReferencePath> result_path;  // absent: the result is discarded
  std::optional<PayloadTemplate> assign;
};

Result<std::vector<Retrier>> compile_retriers(const Value* field);
Result<std::vector<Catcher>> compile_catchers(const Value* field);

// The first retrier that names the failure: its number.
std::optional<uint32_t> match_retrier(const std::vector<Retrier>& retriers, const Failure& failure,
                                      const Options& options);
// That one decides. Its number, if it has attempts left.
std::optional<uint32_t> find_retrier(const std::vector<Retrier>& retriers, const Failure& failure,
                                     const std::vector<uint32_t>& used, const Options& options);
const Catcher* find_catcher(const std::vector<Catcher>& catchers, const Failure& failure, const Options& options);

}  // namespace pawl::asl
