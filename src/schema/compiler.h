// Documents to a Program. For schema/ only.
#pragma once

#include <memory>

#include "base/result.h"
#include "schema/program.h"

namespace pawl::schema::internal {

// Errors as Schema::compile.
Result<std::shared_ptr<const Program>> compile(json::Value document, const Options& options);

// A node from which its own references lead back to it, or to one that leads back to itself, for the same value; null
// where there is none. Such a schema could be evaluated for ever.
const Node* find_loop(const Program& program);

}  // namespace pawl::schema::internal
