// AWS Lambda's API, as far as functions need it: below /2015-03-31/ functions and their invocation, below /2025-12-01/
// durable executions and their callbacks. One table, one group a file; signatures and the form of errors are here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "server/credentials.h"
#include "server/service.h"

namespace pawl::server {

struct LambdaRequest {
  std::string subject;                                     // what stands for {} in the route's path, decoded
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  const net::HttpServerRequest& http;                      // while the route runs

  std::string text(std::string_view name) const;  // of the query; empty where absent
  // The body as an object; where there is none, an empty one. Refusal: InvalidRequestContentException.
  Outcome<Value> object() const;
};

struct LambdaRoute {
  std::string_view operation;  // "Invoke"
  std::string_view method;
  std::string_view path;  // with one {} for the subject, which may have slashes in it
  void (*run)(Service& service, const LambdaRequest& request, net::Respond respond);
};

// One group a file.
std::span<const LambdaRoute> invoke_routes();
std::span<const LambdaRoute> function_routes();
std::span<const LambdaRoute> checkpoint_routes();
std::span<const LambdaRoute> durable_read_routes();
std::span<const LambdaRoute> durable_history_routes();
std::span<const LambdaRoute> durable_list_routes();
std::span<const LambdaRoute> durable_callback_routes();
const std::vector<LambdaRoute>& lambda_routes();

bool is_lambda(std::string_view target);
// Of a request to this API and of a worker's: 6 MiB of a result, each byte of which may need six in a text of JSON, and
// what lies around it.
inline constexpr uint64_t kFunctionBodyBytesMax = 40ULL * 1024 * 1024;
// The operation that a request asks for; "other" where there is none.
std::string_view lambda_operation(std::string_view method, std::string_view target);
void handle_lambda(Service& service, const Credentials& credentials, const net::HttpServerRequest& request,
                   net::Respond respond);

// --- what several groups need

net::HttpServerResponse lambda_answer(const Value& body, int status = 200);
// x-amzn-ErrorType and {"Type", "Message"}; the status follows from the error's name.
net::HttpServerResponse lambda_refusal(const Refusal& refusal);
Reply lambda_reply(net::Respond respond);

// Of the engine and of the programs: errors that have AWS's names keep them.
Refusal to_lambda_refusal(const Error& error);
std::unexpected<Refusal> refuse_parameter(std::string message);  // InvalidParameterValueException
// ValidationException: "1 validation error detected: Value at 'MEMBER' failed to satisfy constraint: CONSTRAINT".
std::unexpected<Refusal> refuse_member(std::string_view member, std::string_view constraint);

}  // namespace pawl::server
