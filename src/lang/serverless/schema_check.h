// Data schemas, of a workflow or of a state: what its input and its output must keep to.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"
#include "schema/schema.h"

namespace pawl::serverless {

// Immutable; copies share what was compiled; safe on many threads.
class SchemaCheck {
 public:
  SchemaCheck() = default;  // everything will do
  // Errors: those of schema::Schema::compile, with the JSON Pointer of the field in front of `where`.
  static Result<SchemaCheck> compile(const std::optional<Schema>& source);

  // `what` is the beginning of the message: "The input of the state 'Greet'". Failure: Workflow.SchemaViolation.
  Attempt<void> check(const Value& data, std::string_view what) const;

 private:
  std::optional<schema::Schema> schema_;
};

struct DataSchemas {
  SchemaCheck input;
  SchemaCheck output;

  static Result<DataSchemas> compile(const std::optional<Schema>& input, const std::optional<Schema>& output);
};

}  // namespace pawl::serverless
