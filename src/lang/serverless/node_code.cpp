#include "lang/serverless/node_code.h"

#include "base/assert.h"

namespace pawl::serverless {

void NodeCode::resume(Frame&) const { PAWL_ASSERT(false, ordinal_, "does not wait"); }

void NodeCode::open_children(Frame&) const { PAWL_ASSERT(false, ordinal_, "has no children"); }

kernel::Call NodeCode::call(const kernel::Execution&, const kernel::Operation& operation, const Definitions&) const {
  return {{}, std::string(resource()), operation.input};
}

}  // namespace pawl::serverless
