// Durable executions as clients name them, and what the reading calls have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/functions.h"
#include "server/lambda.h"

namespace pawl::server {

struct FoundDurable {
  store::ExecutionRow row;
  RevisionPointer revision;
};

// By its ARN; region and account are not compared. Refusals: ValidationException where it is none,
// ResourceNotFoundException.
Outcome<FoundDurable> find_durable(const Service& service, std::string_view arn);

// Those that were started by this name; `family` is its function's.
std::vector<FoundDurable> find_in_family(const Service& service, DefinitionId family, std::string_view name);
// The same, and one that got it from the server; newest first.
std::vector<FoundDurable> find_durables_of(const Service& service, const std::string& function, std::string_view name);

std::string_view durable_status(store::ExecutionStatus status);  // "RUNNING", …, "STOPPED"

// The members that a list and a description share.
void set_durable_row(const Service& service, const FoundDurable& found, json::ObjectBuilder& out);

// Refusal: ValidationException. An empty name is none, and fine.
Outcome<void> check_execution_name(std::string_view name);

// The body as an ErrorObject; none is an empty one. Refusals: InvalidRequestContentException, ValidationException,
// RequestTooLargeException.
Outcome<Value> read_error_object(const LambdaRequest& request);

// Of a query: a flag, and how many items a page has. Refusal: ValidationException.
Outcome<bool> read_flag(const LambdaRequest& request, std::string_view name, bool otherwise);
Outcome<size_t> read_page_size(const LambdaRequest& request);
// Where a page begins, by the request's Marker; empty where it has none. Refusal: InvalidParameterValueException.
Outcome<std::string> read_marker(const Service& service, std::string_view list, const LambdaRequest& request);

}  // namespace pawl::server
