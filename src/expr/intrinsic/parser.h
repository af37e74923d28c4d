// The text of an intrinsic function to a Call. For the intrinsic module only.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "expr/intrinsic/call.h"

namespace pawl::intrinsic::internal {

struct ParsedIntrinsic {
  std::unique_ptr<const Call> call;
  bool has_open_escape = false;  // a literal holds a backslash that escapes nothing
};

Result<ParsedIntrinsic> parse_intrinsic(std::string_view text);

}  // namespace pawl::intrinsic::internal
