// Intrinsic functions: States.Format('Hi {}', $.name) and the seventeen others, nested.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "expr/jsonpath/rooted_path.h"
#include "json/value.h"

namespace pawl::intrinsic {

using json::Value;

inline constexpr size_t kNestingMax = 64;
inline constexpr size_t kTextBytesMax = 65536;

namespace internal {
struct Call;
}

// Immutable; copies share the compiled call.
class Intrinsic {
 public:
  // Errors: INTRINSIC_SYNTAX (column in `where`), INTRINSIC_UNKNOWN_FUNCTION (fix: the nearest name),
  // INTRINSIC_ARGUMENTS (a number of arguments the function never takes).
  static Result<Intrinsic> compile(std::string_view text);

  // Errors: INTRINSIC_FAILED where a function refuses its arguments; the path errors of jsonpath where an argument
  // leads nowhere, with the path in `where`. `what` is the sentence that AWS's cause ends with:
  //   The function '<text>' had the following error: <what>
  // and of JSONPATH_NO_MATCH <what> '<input>', with the text of the input.
  Result<Value> evaluate(const jsonpath::Roots& roots, Random& random) const;

  const std::string& text() const { return text_; }

  // A literal holds a backslash that escapes nothing, so that every evaluation fails: worth a warning.
  bool has_open_escape() const { return has_open_escape_; }

 private:
  std::string text_;
  bool has_open_escape_ = false;
  std::shared_ptr<const internal::Call> call_;
};

}  // namespace pawl::intrinsic
