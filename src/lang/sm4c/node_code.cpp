#include "lang/sm4c/node_code.h"

#include "base/assert.h"

namespace pawl::sm4c {

void NodeCode::resume(Frame&) const { PAWL_ASSERT(false, ordinal_); }

void NodeCode::open_children(Frame&) const { PAWL_ASSERT(false, ordinal_); }

kernel::Call NodeCode::call(const kernel::Operation& operation) const {
  return {{}, std::string(resource()), operation.input};
}

}  // namespace pawl::sm4c
