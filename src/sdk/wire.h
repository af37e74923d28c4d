// The API's JSON: events and answers to records, updates to requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pawl/durable/json.h"
#include "pawl/durable/service.h"
#include "pawl/durable/types.h"

namespace pawl::durable::detail {

// Timestamps are milliseconds in the event of an invocation and seconds, with a fraction, in the bodies of REST.
enum class TimeUnit { Milliseconds, Seconds };

ErrorObject read_error(const Json& json);
void append_error(std::string& out, const ErrorObject& error);

// Throw SerializationError.
OperationRecord read_record(const Json& json, TimeUnit unit);
std::vector<OperationRecord> read_records(const Json* json, TimeUnit unit);
CheckpointAnswer read_checkpoint_answer(std::string_view body);
StatePage read_state_page(std::string_view body);

void append_update(std::string& out, const OperationUpdate& update);
std::string checkpoint_body(const CheckpointRequest& request);
// What an update adds to a request, roughly.
std::size_t bytes_of(const OperationUpdate& update);

void append_record(std::string& out, const OperationRecord& record, TimeUnit unit);

}  // namespace pawl::durable::detail
