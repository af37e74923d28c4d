// Replays a recorded history against a handler: the first operation that differs is found without a service and without
// a step being run.
#include <algorithm>

#include "pawl/durable_testing.h"
#include "sdk/wire.h"

namespace pawl::durable::testing {
namespace {

// A replay makes no call: it ends before one is made.
class NoService final : public DurableService {
 public:
  CheckpointAnswer checkpoint(const CheckpointRequest&, Deadline) override {
    throw ApiError(400, "EndOfHistory", "a replay records nothing");
  }
  StatePage state(const std::string&, const std::string&, const std::string&, Deadline) override { return {}; }
};

struct Ending {
  const char* suffix;
  OperationStatus status;
};
constexpr Ending kEndings[] = {{"Started", OperationStatus::Started}, {"Succeeded", OperationStatus::Succeeded},
                               {"Failed", OperationStatus::Failed},   {"TimedOut", OperationStatus::TimedOut},
                               {"Stopped", OperationStatus::Stopped}, {"Cancelled", OperationStatus::Cancelled}};
struct Beginning {
  const char* prefix;
  OperationType type;
};
constexpr Beginning kBeginnings[] = {
    {"Execution", OperationType::Execution}, {"Context", OperationType::Context},
    {"Step", OperationType::Step},           {"Wait", OperationType::Wait},
    {"Callback", OperationType::Callback},   {"ChainedInvoke", OperationType::ChainedInvoke}};

const Json* payload_of(const Json& details, const char* name) {
  const Json* holder = details.find(name);
  return holder == nullptr ? nullptr : holder->find("Payload");
}

void read_details(OperationRecord& record, const Json& details) {
  if (const Json* input = payload_of(details, "Input"); input != nullptr && input->is_string())
    record.input = input->as_string();
  if (const Json* result = payload_of(details, "Result"); result != nullptr && result->is_string())
    record.result = result->as_string();
  if (const Json* error = payload_of(details, "Error"); error != nullptr && error->is_object())
    record.error = detail::read_error(*error);
  if (const Json* id = details.find("CallbackId"); id != nullptr && id->is_string())
    record.callback_id = id->as_string();
  const Json* retry = details.find("RetryDetails");
  if (retry == nullptr) return;
  if (const Json* attempt = retry->find("CurrentAttempt")) record.attempts = static_cast<int>(attempt->as_integer());
  if (const Json* delay = retry->find("NextAttemptDelaySeconds"); delay != nullptr && delay->is_number())
    record.status = OperationStatus::Ready;
}

// Folds one event into the records; events that are not of an operation are passed over.
void fold(std::vector<OperationRecord>& records, const Json& event) {
  const std::string& kind = event.at("EventType").as_string();
  for (const Beginning& beginning : kBeginnings) {
    for (const Ending& ending : kEndings) {
      if (kind != std::string(beginning.prefix) + ending.suffix) continue;
      const std::string id = beginning.type == OperationType::Execution ? "execution" : event.at("Id").as_string();
      auto found =
          std::find_if(records.begin(), records.end(), [&](const OperationRecord& record) { return record.id == id; });
      if (found == records.end()) found = records.insert(records.end(), OperationRecord());
      found->id = id;
      found->type = beginning.type;
      found->status = beginning.type == OperationType::Execution ? OperationStatus::Started : ending.status;
      if (const Json* name = event.find("Name"); name != nullptr && name->is_string()) found->name = name->as_string();
      if (const Json* sub_type = event.find("SubType"); sub_type != nullptr && sub_type->is_string())
        found->sub_type = sub_type->as_string();
      if (const Json* parent = event.find("ParentId"); parent != nullptr && parent->is_string())
        found->parent_id = parent->as_string();
      if (const Json* details = event.find(kind + "Details")) read_details(*found, *details);
    }
  }
}

std::vector<OperationRecord> read_history(const Json& json) {
  if (const Json* operations = json.find("Operations"))
    return detail::read_records(operations, detail::TimeUnit::Seconds);
  std::vector<OperationRecord> records;
  for (const Json& event : json.at("Events").as_array()) fold(records, event);
  // Contexts are walked as well, but for map and parallel, of which the history keeps the result and not who was begun.
  for (OperationRecord& record : records) {
    const bool is_batch = record.sub_type == "Map" || record.sub_type == "Parallel";
    record.replay_children =
        record.type == OperationType::Context && record.status == OperationStatus::Succeeded && !is_batch;
  }
  return records;
}

bool has_ended(const Json& json) {
  const Json* events = json.find("Events");
  if (events == nullptr) return false;
  return std::any_of(events->as_array().begin(), events->as_array().end(), [](const Json& event) {
    const std::string& kind = event.at("EventType").as_string();
    return kind == "ExecutionSucceeded" || kind == "ExecutionFailed";
  });
}

}  // namespace

std::optional<Divergence> replay_history(const Handler& handler, std::string_view history) {
  InvocationEvent event;
  event.execution_arn = "replay";
  event.token = "replay";
  event.replay_only = true;
  const Json json = Json::parse(history);
  event.operations = read_history(json);
  std::vector<std::string> warnings;
  Config config;
  config.log = [&warnings](const LogRecord& record) {
    if (record.level == LogLevel::Warn) warnings.push_back(record.message + " " + record.fields.dump());
  };
  NoService service;
  const FinishedInvocation finished = run_invocation(handler, std::move(event), service, config);
  const Answer& answer = finished.answer();
  const std::string type = answer.error ? answer.error->type.value_or("") : "";
  if (type == "NonDeterministicExecutionError" || (type == "EndOfHistory" && has_ended(json)))
    return Divergence{answer.error->message.value_or("")};
  if (!warnings.empty()) return Divergence{warnings.front()};
  return std::nullopt;
}

}  // namespace pawl::durable::testing
