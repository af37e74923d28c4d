// Calls an operation of an OpenAPI document, as the definition's files describe it (TaskRequest::endpoint).
#pragma once

#include "connect/task_map.h"
#include "engine/task.h"
#include "net/http_client.h"

namespace pawl::connect {

// The request for the task's input as arguments, with the headers of the connection, which come before those that the
// arguments give. Errors: those of openapi::make_request, OPENAPI_INVALID.
Result<net::HttpRequest> operation_request(const TaskTarget& connection, const engine::TaskRequest& request,
                                           size_t answer_bytes_max);

// The body of a 2xx: JSON, or a text where the answer says that it is something else; none is null.
engine::TaskAnswer operation_answer(const TaskTarget& connection, const engine::TaskRequest& request,
                                    const Result<net::HttpResponse>& response);

}  // namespace pawl::connect
