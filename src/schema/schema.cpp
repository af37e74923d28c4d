#include "schema/schema.h"

#include "schema/compiler.h"
#include "schema/evaluator.h"

namespace pawl::schema {

Result<Schema> Schema::compile(json::Value document, const Options& options) {
  PAWL_TRY(auto program, internal::compile(std::move(document), options));
  return Schema(std::move(program));
}

std::vector<Violation> Schema::validate(const json::Value& value, size_t violations_max) const {
  return internal::Evaluator(violations_max).run(*program_, value);
}

}  // namespace pawl::schema
