// Runs a recorded execution through the API of a server that is started for it.
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <stdlib.h>

#include "json/parse.h"
#include "json/print.h"
#include "net/http_client.h"
#include "run.h"
#include "server/server.h"

namespace pawl::conformance {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{30};  // real time: virtual time makes everything end at once

// A data directory that is gone afterwards.
class Directory {
 public:
  Directory() {
    const bool has_shared_memory = std::filesystem::is_directory("/dev/shm");  // where a sync costs nothing
    const std::filesystem::path parent = has_shared_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string made = (parent / "pawl-recording-XXXXXX").string();
    if (mkdtemp(made.data()) != nullptr) path_ = made;
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string text_of(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

class Client {
 public:
  explicit Client(std::string url) : url_(std::move(url)) {}

  Result<Value> call(const std::string& operation, const Value& request) const {
    net::HttpRequest http;
    http.url = url_ + "/";
    http.headers = {{"X-Amz-Target", "AWSStepFunctions." + operation}, {"Content-Type", "application/x-amz-json-1.0"}};
    http.body = json::print(request);
    PAWL_TRY(const net::HttpResponse response, net::send(http));
    if (response.status != 200) return fail("RECORDING_REFUSED", operation + ": " + response.body);
    return json::parse(response.body);
  }

 private:
  std::string url_;
};

Value object_of(std::initializer_list<std::pair<const char*, std::string_view>> members) {
  json::ObjectBuilder object(members.size());
  for (const auto& [key, text] : members) object.set(key, Value::string(text));
  return object.build();
}

// The resources of the definition that are activities.
void find_activities(const Value& value, std::vector<std::string>& found) {
  if (value.is_string() && value.as_string().find(":activity:") != std::string_view::npos)
    found.emplace_back(value.as_string());
  if (value.is_array())
    for (const Value& item : value.items()) find_activities(item, found);
  if (value.is_object())
    for (const json::Member& member : value.members()) find_activities(member.value, found);
}

// A worker that asks for one task of an activity, and lets the recording answer it.
class Worker {
 public:
  Worker(const Client& client, std::string arn, const Recording& recording, engine::TaskHandler& tasks)
      : client_(client), arn_(std::move(arn)), recording_(recording), tasks_(tasks), thread_([this] { work(); }) {}
  ~Worker() { thread_.join(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

 private:
  void work() {
    json::ObjectBuilder poll(2);
    poll.set("activityArn", Value::string(arn_));
    const std::string worker = recorded_name();
    if (!worker.empty()) poll.set("workerName", Value::string(worker));
    const auto task = client_.call("GetActivityTask", poll.build());
    const std::string token = task ? text_of(*task, "taskToken") : std::string();
    if (token.empty()) return;
    engine::TaskRequest request;
    request.state = recording_.calls.front().state;
    request.resource = arn_;
    request.input = json::parse(text_of(*task, "input")).value_or(Value());
    tasks_.start(request, [&](engine::TaskAnswer given) { answer(token, given); });
  }

  void answer(const std::string& token, const engine::TaskAnswer& given) const {
    const bool succeeded = given.kind == engine::TaskAnswer::Kind::kSucceeded;
    json::ObjectBuilder answer(3);
    answer.set("taskToken", Value::string(token));
    if (succeeded) answer.set("output", Value::string(json::print(given.value)));
    if (const Value* error = given.value.find("Error"); !succeeded && error != nullptr) answer.set("error", *error);
    if (const Value* cause = given.value.find("Cause"); !succeeded && cause != nullptr) answer.set("cause", *cause);
    (void)client_.call(succeeded ? "SendTaskSuccess" : "SendTaskFailure", answer.build());
  }

  std::string recorded_name() const {
    for (const Value& event : recording_.events.items())
      if (const Value* details = event.find("activityStartedEventDetails")) return text_of(*details, "workerName");
    return {};
  }

  const Client& client_;
  const std::string arn_;
  const Recording& recording_;
  engine::TaskHandler& tasks_;
  std::thread thread_;
};

Result<std::vector<Value>> read_history(const Client& client, const std::string& arn) {
  std::vector<Value> events;
  std::string token;
  do {
    json::ObjectBuilder request(3);
    request.set("executionArn", Value::string(arn));
    request.set("maxResults", Value::integer(1000));
    if (!token.empty()) request.set("nextToken", Value::string(token));
    PAWL_TRY(const Value page, client.call("GetExecutionHistory", request.build()));
    for (const Value& event : page.find("events")->items()) events.push_back(event);
    token = text_of(page, "nextToken");
  } while (!token.empty());
  return events;
}

Result<Value> wait_for_end(const Client& client, const std::string& arn) {
  const auto deadline = steady_clock::now() + kPatience;
  while (steady_clock::now() < deadline) {
    PAWL_TRY(Value description, client.call("DescribeExecution", object_of({{"executionArn", arn}})));
    if (text_of(description, "status") != "RUNNING") return description;
    std::this_thread::yield();
  }
  return fail("RUN_STUCK", "The execution did not end.");
}

// Error and cause as the last event has them: a description tells none of one that timed out.
Value failure_of(const Value& last_event) {
  json::ObjectBuilder failure(2);
  for (const json::Member& member : last_event.members()) {
    if (!member.key.as_string().ends_with("EventDetails")) continue;
    if (const Value* error = member.value.find("error")) failure.set("Error", *error);
    if (const Value* cause = member.value.find("cause")) failure.set("Cause", *cause);
  }
  return failure.build();
}

server::ServerOptions options_for(const Directory& directory, engine::TaskHandler& tasks) {
  server::ServerOptions options;
  options.directory = directory.path();
  options.port = 0;
  options.account = kAccount;
  options.virtual_now = kNow;
  options.task_handler = &tasks;
  return options;
}

}  // namespace

Result<Ran> run_on_server(const Recording& recording, engine::TaskHandler& tasks) {
  const Directory directory;
  PAWL_TRY(const auto server, server::Server::start(options_for(directory, tasks)));
  const Client client(server->url());
  std::optional<Worker> worker;
  std::vector<std::string> activities;
  PAWL_TRY(const Value definition, json::parse(recording.definition_text));
  find_activities(definition, activities);
  // The one recording of an activity that was deleted has no calls.
  if (!activities.empty() && !recording.calls.empty()) {
    const std::string name = activities.front().substr(activities.front().rfind(':') + 1);
    PAWL_TRY(const Value created, client.call("CreateActivity", object_of({{"name", name}})));
    worker.emplace(client, text_of(created, "activityArn"), recording, tasks);
    while (server->waiting_workers() == 0) std::this_thread::yield();
  }
  PAWL_TRY(const Value machine, client.call("CreateStateMachine", object_of({{"name", machine_name(recording)},
                                                                             {"definition", recording.definition_text},
                                                                             {"roleArn", role_arn(recording)}})));
  PAWL_TRY(const Value started,
           client.call("StartExecution", object_of({{"stateMachineArn", text_of(machine, "stateMachineArn")},
                                                    {"name", kExecutionName},
                                                    {"input", recording.input_text}})));
  const std::string arn = text_of(started, "executionArn");
  PAWL_TRY(const Value description, wait_for_end(client, arn));
  Ran ran;
  ran.status = text_of(description, "status");
  PAWL_TRY(ran.events, read_history(client, arn));
  if (ran.status == "SUCCEEDED") {
    PAWL_TRY(ran.outcome, json::parse(text_of(description, "output")));
  } else {
    ran.outcome = failure_of(ran.events.back());
  }
  return ran;
}

}  // namespace pawl::conformance
