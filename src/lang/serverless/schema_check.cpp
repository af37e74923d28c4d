#include "lang/serverless/schema_check.h"

namespace pawl::serverless {

Result<SchemaCheck> SchemaCheck::compile(const std::optional<Schema>& source) {
  SchemaCheck check;
  if (!source) return check;
  schema::Options options;
  options.uri = source->uri;
  options.documents = &source->others;
  auto compiled = schema::Schema::compile(source->document, options);
  if (!compiled) {
    Error error = std::move(compiled).error();
    error.where = source->pointer + error.where;
    return std::unexpected(std::move(error));
  }
  check.schema_ = *std::move(compiled);
  return check;
}

Attempt<void> SchemaCheck::check(const Value& data, std::string_view what) const {
  if (!schema_) return {};
  const auto violations = schema_->validate(data, 1);
  if (violations.empty()) return {};
  const schema::Violation& first = violations.front();
  const std::string place = first.instance.empty() ? "as a whole" : "at " + first.instance;
  return failed(kSchemaViolation, std::string(what) + " does not keep to its schema, " + place + ": " + first.what +
                                      " (" + first.keyword + ")");
}

Result<DataSchemas> DataSchemas::compile(const std::optional<Schema>& input, const std::optional<Schema>& output) {
  DataSchemas schemas;
  PAWL_TRY(schemas.input, SchemaCheck::compile(input));
  PAWL_TRY(schemas.output, SchemaCheck::compile(output));
  return schemas;
}

}  // namespace pawl::serverless
