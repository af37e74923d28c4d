// The calls of include/pawl/durable_client.h.
#include "pawl/durable/errors.h"
#include "pawl/durable_client.h"
#include "sdk/api_client.h"
#include "sdk/wire.h"

namespace pawl::durable {
namespace {

constexpr const char* kExecutions = "/2025-12-01/durable-executions/";
constexpr const char* kCallbacks = "/2025-12-01/durable-execution-callbacks/";

// Adds ?name=value or &name=value.
class Query {
 public:
  void add(const char* name, const std::string& value) {
    if (value.empty()) return;
    text_ += (text_.empty() ? "?" : "&") + std::string(name) + "=" + detail::percent_encode(value);
  }
  void add(const char* name, int value) { add(name, value > 0 ? std::to_string(value) : std::string()); }
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

std::optional<std::string> text_of(const Json& json, const char* name) {
  const Json* value = json.find(name);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->as_string();
}

std::optional<Timestamp> time_of(const Json& json, const char* name) {
  const Json* value = json.find(name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return std::chrono::time_point_cast<std::chrono::milliseconds>(
      std::chrono::sys_time<std::chrono::duration<double>>(std::chrono::duration<double>(value->as_double() + 0.0005)));
}

ExecutionDescription describe_execution(const Json& json) {
  ExecutionDescription description;
  description.arn = text_of(json, "DurableExecutionArn").value_or("");
  description.name = text_of(json, "DurableExecutionName").value_or("");
  description.function_arn = text_of(json, "FunctionArn").value_or("");
  description.status = text_of(json, "Status").value_or("");
  description.version = text_of(json, "Version").value_or("");
  description.started = time_of(json, "StartTimestamp").value_or(Timestamp());
  description.ended = time_of(json, "EndTimestamp");
  description.input = text_of(json, "InputPayload");
  description.result = text_of(json, "Result");
  if (const Json* error = json.find("Error"); error != nullptr && error->is_object())
    description.error = detail::read_error(*error);
  return description;
}

detail::ApiSettings settings_of(const ClientOptions& options) {
  detail::ApiSettings settings = detail::ApiSettings::from_environment();
  if (!options.endpoint.empty()) settings.endpoint = detail::Endpoint::parse(options.endpoint);
  if (!options.region.empty()) settings.region = options.region;
  if (!options.access_key.empty())
    settings.credentials = {options.access_key, options.secret_key, options.session_token};
  return settings;
}

std::string invocation_type(const InvokeRequest& request) {
  if (request.dry_run) return "DryRun";
  return request.asynchronous ? "Event" : "RequestResponse";
}

const detail::Headers kJsonHeaders = {{"Content-Type", "application/json"}};

}  // namespace

struct Client::State {
  detail::ApiClient api;
  std::chrono::milliseconds timeout;

  detail::HttpResponse call(const std::string& method, const std::string& target, std::string body = {},
                            const detail::Headers& headers = {}) {
    return api.call(method, target, std::move(body), headers, std::chrono::steady_clock::now() + timeout);
  }
};

Client::Client(const ClientOptions& options)
    : state_(new State{detail::ApiClient(settings_of(options)), options.timeout}) {}
Client::~Client() = default;
Client::Client(Client&&) noexcept = default;

InvokeResult Client::invoke(const std::string& function, const std::string& payload, const InvokeRequest& request) {
  Query query;
  query.add("Qualifier", request.qualifier);
  detail::Headers headers = {{"Content-Type", "application/octet-stream"},
                             {"X-Amz-Invocation-Type", invocation_type(request)}};
  if (!request.execution_name.empty()) headers.emplace_back("X-Amz-Durable-Execution-Name", request.execution_name);
  if (!request.tenant_id.empty()) headers.emplace_back("X-Amz-Tenant-Id", request.tenant_id);
  const detail::HttpResponse response =
      state_->call("POST", "/2015-03-31/functions/" + detail::percent_encode(function) + "/invocations" + query.text(),
                   payload, headers);
  return {response.status, response.body, std::string(response.header("x-amz-function-error")),
          std::string(response.header("x-amz-durable-execution-arn")),
          std::string(response.header("x-amz-executed-version"))};
}

ExecutionDescription Client::get(const std::string& execution_arn, bool include_data) {
  const std::string target = kExecutions + detail::percent_encode(execution_arn) +
                             "?IncludeExecutionData=" + (include_data ? "true" : "false");
  return describe_execution(Json::parse(state_->call("GET", target).body));
}

HistoryPage Client::history(const std::string& execution_arn, const HistoryRequest& request) {
  Query query;
  query.add("IncludeExecutionData", std::string(request.include_data ? "true" : "false"));
  query.add("MaxItems", request.items_max);
  query.add("Marker", request.marker);
  if (request.reverse) query.add("ReverseOrder", std::string("true"));
  const Json json = Json::parse(
      state_->call("GET", kExecutions + detail::percent_encode(execution_arn) + "/history" + query.text()).body);
  return {json.at("Events").as_array(), text_of(json, "NextMarker").value_or("")};
}

ExecutionPage Client::list(const std::string& function, const ListRequest& request) {
  Query query;
  query.add("Qualifier", request.qualifier);
  query.add("DurableExecutionName", request.execution_name);
  query.add("Statuses", request.status);
  query.add("StartedAfter", request.started_after);
  query.add("StartedBefore", request.started_before);
  if (request.reverse) query.add("ReverseOrder", std::string("true"));
  query.add("Marker", request.marker);
  query.add("MaxItems", request.items_max);
  const Json json = Json::parse(state_
                                    ->call("GET", "/2025-12-01/functions/" + detail::percent_encode(function) +
                                                      "/durable-executions" + query.text())
                                    .body);
  ExecutionPage page;
  if (const Json* executions = json.find("DurableExecutions")) {
    for (const Json& execution : executions->as_array()) page.executions.push_back(describe_execution(execution));
  }
  page.next_marker = text_of(json, "NextMarker").value_or("");
  return page;
}

Timestamp Client::stop(const std::string& execution_arn, const std::optional<ErrorObject>& error) {
  const std::string body = error ? to_text(*error) : "{}";
  const Json json = Json::parse(
      state_->call("POST", kExecutions + detail::percent_encode(execution_arn) + "/stop", body, kJsonHeaders).body);
  return time_of(json, "StopTimestamp").value_or(Timestamp());
}

void Client::succeed_callback(const std::string& callback_id, const std::optional<std::string>& result) {
  state_->call("POST", kCallbacks + detail::percent_encode(callback_id) + "/succeed", result.value_or(""),
               {{"Content-Type", "application/octet-stream"}});
}

void Client::fail_callback(const std::string& callback_id, const ErrorObject& error) {
  state_->call("POST", kCallbacks + detail::percent_encode(callback_id) + "/fail", to_text(error), kJsonHeaders);
}

void Client::heartbeat_callback(const std::string& callback_id) {
  state_->call("POST", kCallbacks + detail::percent_encode(callback_id) + "/heartbeat");
}

}  // namespace pawl::durable
