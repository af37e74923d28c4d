// The HTTP request that calls an operation with arguments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "openapi/operation.h"

namespace pawl::openapi {

struct Request {
  std::string method;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

// The arguments are an object (null: none). One that has the name of parameters goes to each of them; the one that the
// body is called by ("body"; in Swagger 2.0 its parameter's name) is the body; where it is not given, what no parameter
// took is. What is null counts as not given. Text is sent as it is, other values as JSON prints them.
// Errors: OPENAPI_MISSING_ARGUMENT, OPENAPI_UNKNOWN_ARGUMENT, OPENAPI_INVALID_ARGUMENT.
Result<Request> make_request(const Operation& operation, const Value& arguments);

}  // namespace pawl::openapi
