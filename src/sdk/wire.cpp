#include "sdk/wire.h"

#include <charconv>
#include <cmath>

namespace pawl::durable {
namespace detail {
namespace {

std::optional<std::string> text_of(const Json* json) {
  if (json == nullptr || json->is_null()) return std::nullopt;
  return json->as_string();
}

std::string text_or_empty(const Json& json, std::string_view name) { return text_of(json.find(name)).value_or(""); }

std::optional<Timestamp> time_of(const Json* json, TimeUnit unit) {
  if (json == nullptr || !json->is_number()) return std::nullopt;
  const double factor = unit == TimeUnit::Seconds ? 1000.0 : 1.0;
  return Timestamp(std::chrono::milliseconds(std::llround(json->as_double() * factor)));
}

std::optional<ErrorObject> error_of(const Json& details) {
  const Json* error = details.find("Error");
  return error == nullptr || error->is_null() ? std::nullopt : std::optional(read_error(*error));
}

// What several kinds of details have in common.
void read_details(OperationRecord& record, const Json& details, TimeUnit unit) {
  record.result = text_of(details.find("Result"));
  record.error = error_of(details);
  record.input = text_of(details.find("InputPayload"));
  record.callback_id = text_or_empty(details, "CallbackId");
  record.next_attempt = time_of(details.find("NextAttemptTimestamp"), unit);
  record.scheduled_end = time_of(details.find("ScheduledEndTimestamp"), unit);
  if (const Json* attempt = details.find("Attempt")) record.attempts = static_cast<int>(attempt->as_integer());
  if (const Json* replay = details.find("ReplayChildren"))
    record.replay_children = replay->is_boolean() && replay->as_boolean();
}

const char* details_name(OperationType type) {
  switch (type) {
    case OperationType::Execution:
      return "ExecutionDetails";
    case OperationType::Context:
      return "ContextDetails";
    case OperationType::Step:
      return "StepDetails";
    case OperationType::Wait:
      return "WaitDetails";
    case OperationType::Callback:
      return "CallbackDetails";
    case OperationType::ChainedInvoke:
      return "ChainedInvokeDetails";
  }
  return "";
}

// Writes members of an object, with commas between them.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  void close() { out_ += '}'; }

  std::string& key(std::string_view name) {
    if (!first_) out_ += ',';
    first_ = false;
    out_ += '"';
    out_ += name;
    out_ += "\":";
    return out_;
  }
  void text(std::string_view name, std::string_view value) { append_quoted(key(name), value); }
  void text_unless_empty(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void optional_text(std::string_view name, const std::optional<std::string>& value) {
    if (value) text(name, *value);
  }
  void number(std::string_view name, std::int64_t value) { key(name) += std::to_string(value); }
  void time(std::string_view name, Timestamp value, TimeUnit unit) {
    const std::int64_t milliseconds = value.time_since_epoch().count();
    if (unit == TimeUnit::Milliseconds) return number(name, milliseconds);
    std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
    key(name) += std::to_string(milliseconds / 1000) + "." + fraction;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void append_options(Members& members, const OperationUpdate& update) {
  if (update.replay_children) members.key("ContextOptions") += R"({"ReplayChildren":true})";
  if (update.retry_delay_seconds)
    members.key("StepOptions") += R"({"NextAttemptDelaySeconds":)" + std::to_string(*update.retry_delay_seconds) + "}";
  if (update.wait_seconds)
    members.key("WaitOptions") += R"({"WaitSeconds":)" + std::to_string(*update.wait_seconds) + "}";
  if (update.timeout_seconds || update.heartbeat_seconds) {
    Members options(members.key("CallbackOptions"));
    if (update.timeout_seconds) options.number("TimeoutSeconds", *update.timeout_seconds);
    if (update.heartbeat_seconds) options.number("HeartbeatTimeoutSeconds", *update.heartbeat_seconds);
    options.close();
  }
  if (!update.function_name.empty()) {
    Members options(members.key("ChainedInvokeOptions"));
    options.text("FunctionName", update.function_name);
    options.text_unless_empty("TenantId", update.tenant_id);
    options.close();
  }
}

void append_details(Members& members, const OperationRecord& record, TimeUnit unit) {
  Members details(members.key(details_name(record.type)));
  if (record.type == OperationType::Step) details.number("Attempt", record.attempts);
  if (record.replay_children) details.key("ReplayChildren") += "true";
  if (record.next_attempt) details.time("NextAttemptTimestamp", *record.next_attempt, unit);
  if (record.scheduled_end) details.time("ScheduledEndTimestamp", *record.scheduled_end, unit);
  details.text_unless_empty("CallbackId", record.callback_id);
  details.optional_text("InputPayload", record.input);
  details.optional_text("Result", record.result);
  if (record.error) append_error(details.key("Error"), *record.error);
  details.close();
}

}  // namespace

ErrorObject read_error(const Json& json) {
  ErrorObject error;
  error.type = text_of(json.find("ErrorType"));
  error.message = text_of(json.find("ErrorMessage"));
  error.data = text_of(json.find("ErrorData"));
  if (const Json* trace = json.find("StackTrace"); trace != nullptr && trace->is_array()) {
    for (const Json& frame : trace->as_array()) error.stack_trace.push_back(frame.as_string());
  }
  return error;
}

void append_error(std::string& out, const ErrorObject& error) {
  Members members(out);
  members.optional_text("ErrorMessage", error.message);
  members.optional_text("ErrorType", error.type);
  members.optional_text("ErrorData", error.data);
  if (!error.stack_trace.empty()) {
    Json frames = Json::array();
    for (const std::string& frame : error.stack_trace) frames.push_back(frame);
    members.key("StackTrace") += frames.dump();
  }
  members.close();
}

OperationRecord read_record(const Json& json, TimeUnit unit) {
  OperationRecord record;
  record.id = json.at("Id").as_string();
  const std::string& type = json.at("Type").as_string();
  const std::string& status = json.at("Status").as_string();
  const auto known_type = operation_type(type);
  const auto known_status = operation_status(status);
  if (!known_type || !known_status)
    throw SerializationError("operation " + record.id + " has the unknown type or status " + type + ", " + status);
  record.type = *known_type;
  record.status = *known_status;
  record.parent_id = text_or_empty(json, "ParentId");
  record.name = text_or_empty(json, "Name");
  record.sub_type = text_or_empty(json, "SubType");
  record.started = time_of(json.find("StartTimestamp"), unit).value_or(Timestamp());
  record.ended = time_of(json.find("EndTimestamp"), unit);
  if (const Json* details = json.find(details_name(record.type))) read_details(record, *details, unit);
  return record;
}

std::vector<OperationRecord> read_records(const Json* json, TimeUnit unit) {
  std::vector<OperationRecord> records;
  if (json == nullptr || json->is_null()) return records;
  for (const Json& element : json->as_array()) records.push_back(read_record(element, unit));
  return records;
}

CheckpointAnswer read_checkpoint_answer(std::string_view body) {
  const Json json = Json::parse(body);
  CheckpointAnswer answer;
  answer.token = text_of(json.find("CheckpointToken"));
  if (const Json* state = json.find("NewExecutionState")) {
    answer.operations = read_records(state->find("Operations"), TimeUnit::Seconds);
    answer.next_marker = text_or_empty(*state, "NextMarker");
  }
  return answer;
}

StatePage read_state_page(std::string_view body) {
  const Json json = Json::parse(body);
  return {read_records(json.find("Operations"), TimeUnit::Seconds), text_or_empty(json, "NextMarker")};
}

void append_update(std::string& out, const OperationUpdate& update) {
  Members members(out);
  members.text("Id", update.id);
  members.text("Type", to_string(update.type));
  members.text("Action", to_string(update.action));
  members.text_unless_empty("ParentId", update.parent_id);
  members.text_unless_empty("Name", update.name);
  members.text_unless_empty("SubType", update.sub_type);
  members.optional_text("Payload", update.payload);
  if (update.error) append_error(members.key("Error"), *update.error);
  append_options(members, update);
  members.close();
}

std::string checkpoint_body(const CheckpointRequest& request) {
  std::string body;
  Members members(body);
  members.text("CheckpointToken", request.token);
  std::string& list = members.key("Updates");
  list += '[';
  for (std::size_t index = 0; index < request.updates.size(); ++index) {
    if (index != 0) list += ',';
    append_update(list, request.updates[index]);
  }
  list += ']';
  members.text("ClientToken", request.client_token);
  members.close();
  return body;
}

std::size_t bytes_of(const OperationUpdate& update) {
  std::size_t bytes =
      256 + update.id.size() + update.parent_id.size() + update.name.size() + update.function_name.size();
  if (update.payload) bytes += update.payload->size();
  if (update.error) bytes += update.error->message.value_or("").size() + update.error->data.value_or("").size();
  return bytes;
}

void append_record(std::string& out, const OperationRecord& record, TimeUnit unit) {
  Members members(out);
  members.text("Id", record.id);
  members.text("Type", to_string(record.type));
  members.text("Status", to_string(record.status));
  members.text_unless_empty("ParentId", record.parent_id);
  members.text_unless_empty("Name", record.name);
  members.text_unless_empty("SubType", record.sub_type);
  members.time("StartTimestamp", record.started, unit);
  if (record.ended) members.time("EndTimestamp", *record.ended, unit);
  append_details(members, record, unit);
  members.close();
}

}  // namespace detail

std::string to_text(const ErrorObject& error) {
  std::string out;
  detail::append_error(out, error);
  return out;
}

}  // namespace pawl::durable
