// arn:aws:states:::http:invoke: any request to any endpoint, as a state's Parameters say.
#pragma once

#include <chrono>
#include <expected>
#include <string>

#include "connect/task_map.h"
#include "engine/task.h"
#include "net/http_client.h"

namespace pawl::connect {

inline constexpr Duration kHttpInvokeTimeMax = std::chrono::seconds(60);  // AWS's own

// The ARN of the connection that the Parameters name; empty where they name none.
std::string connection_of(const json::Value& parameters);

// The request that the Parameters describe, with the headers of the connection (one without any where there is none),
// which come before those that the state gives. Unexpected: why it cannot be, in words.
std::expected<net::HttpRequest, std::string> http_invoke_request(const engine::TaskRequest& request,
                                                                 const TaskTarget& connection, size_t answer_bytes_max);

// {"Headers", "ResponseBody", "StatusCode", "StatusText"}; States.Http.StatusCode.NNN for a status outside of 2xx, with
// the body as cause; States.Http.Socket where no answer came.
engine::TaskAnswer http_invoke_answer(const engine::TaskRequest& request, const TaskTarget& connection,
                                      const Result<net::HttpResponse>& response);

}  // namespace pawl::connect
