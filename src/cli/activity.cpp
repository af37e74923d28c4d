// `pawl activity`: activities, and a worker for them whose work is a command.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/client_output.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "connect/mapped_tasks.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using engine::TaskAnswer;
using json::ObjectBuilder;
using json::Value;

constexpr size_t kOutputBytesMax = 262'144;
constexpr std::chrono::seconds kPauseWhenUnreachable{1};

Value named(std::string_view field, std::string_view text) {
  ObjectBuilder request(2);
  request.set(field, Value::string(text));
  return request.build();
}

Result<Value> call_on_activity(const ActivityOptions& options, std::string_view operation) {
  const Client client(options);
  PAWL_TRY(const std::string arn, client.activity_arn(options.name));
  return client.call(operation, named("activityArn", arn));
}

// --- the worker

Result<Value> make_poll(const Client& client, const ActivityOptions& options) {
  PAWL_TRY(const std::string arn, client.activity_arn(options.name));
  const Value poll = named("activityArn", arn);
  return options.worker.empty() ? poll : poll.with_member("workerName", Value::string(options.worker));
}

bool has_task(const Value& polled) {
  const Value* token = polled.find("taskToken");
  return token != nullptr && token->is_string();
}

// True: the time has passed; false: the end was asked for.
bool pause(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

// Takes tasks of one activity until it is stopped, and answers each with what a command makes of its input.
class Worker {
 public:
  Worker(const ActivityOptions& options, std::stop_token stop) : options_(options), stop_(std::move(stop)) {
    target_.command = {{"sh", "sh"}, {"-c", "-c"}, {*options.command, *options.command}};
  }

  // Errors: those of the server. That it cannot be reached ends it only where it never could be.
  Result<void> work() {
    PAWL_TRY(const Value poll, make_poll(client_, options_));
    bool was_reached = false;
    while (!stop_.stop_requested()) {
      const auto polled = client_.call("GetActivityTask", poll, stop_);
      if (stop_.stop_requested()) return {};
      const bool is_away = !polled && polled.error().code == "SERVER_UNREACHABLE" && was_reached;
      if (!polled && !is_away) return std::unexpected(polled.error());
      was_reached = true;
      if (is_away) {
        pause(kPauseWhenUnreachable, stop_);
      } else if (has_task(*polled)) {
        handle(*polled);
        if (options_.once) return {};
      }
    }
    return {};
  }

 private:
  // What the server does not take (the task timed out, or was stopped) is said and is no reason to end.
  void handle(const Value& polled) const {
    const Value token = *polled.find("taskToken");
    const TaskAnswer answer = run(polled, token);
    const Value done = to_object(answer);
    const bool succeeded = answer.kind == TaskAnswer::Kind::kSucceeded;
    const Value request = done.with_member("taskToken", token);
    const auto sent = client_.call(succeeded ? "SendTaskSuccess" : "SendTaskFailure", request);
    if (!sent) return report(sent.error(), options_.json);
    print_line(json::print(done));
    finish_output(kExitOk);
  }

  TaskAnswer run(const Value& polled, const Value& token) const {
    engine::TaskRequest request;
    const auto input = json::parse(polled.find("input")->as_string());
    if (input) request.input = *input;
    request.resource = options_.name;
    request.idempotency_key = token.as_string();
    std::stop_source ending;
    const std::stop_callback forward(stop_, [&] { ending.request_stop(); });
    std::jthread heart;
    if (options_.heartbeat_s > 0) heart = std::jthread([&](const std::stop_token& done) { beat(token, ending, done); });
    return connect::call_command(target_, request, kOutputBytesMax, ending.get_token());
  }

  // A task that nobody waits for any more needs no command.
  void beat(const Value& token, std::stop_source& ending, const std::stop_token& done) const {
    while (pause(std::chrono::seconds(options_.heartbeat_s), done)) {
      const auto sent = client_.call("SendTaskHeartbeat", named("taskToken", token.as_string()), done);
      if (!sent && sent.error().code == "SERVER_REFUSED") {
        ending.request_stop();
        return;
      }
    }
  }

  // {"output"} or {"error", "cause"}, as the protocol has them.
  static Value to_object(const TaskAnswer& answer) {
    ObjectBuilder done(3);
    if (answer.kind == TaskAnswer::Kind::kSucceeded) {
      done.set("output", Value::string(json::print(answer.value)));
      return done.build();
    }
    for (const auto& [from, to] : {std::pair("Error", "error"), std::pair("Cause", "cause")})
      if (const Value* text = answer.value.find(from)) done.set(to, *text);
    return done.build();
  }

  const ActivityOptions& options_;
  const std::stop_token stop_;
  const Client client_{options_};
  connect::TaskTarget target_;
};

Result<Value> ask(const ActivityOptions& options, const std::stop_token& stop) {
  const Client client(options);
  PAWL_TRY(const Value poll, make_poll(client, options));
  return client.call("GetActivityTask", poll, stop);
}

// Without a task the answer is no.
int poll_once(const ActivityOptions& options, const std::stop_token& stop) {
  const auto polled = ask(options, stop);
  if (stop.stop_requested()) return kExitOk;
  const int code = conclude(polled, options.json);
  return polled && !has_task(*polled) ? kExitFailed : code;
}

int poll_or_work(const ActivityOptions& options, const std::stop_token& stop) {
  if (!options.command) return poll_once(options, stop);
  const auto worked = Worker(options, stop).work();
  if (worked) return finish_output(kExitOk);
  report(worked.error(), options.json);
  return kExitRefused;
}

}  // namespace

int activity_create(const ActivityOptions& options) {
  return conclude(Client(options).call("CreateActivity", named("name", options.name)), options.json);
}

int activity_list(const ActivityOptions& options) {
  return conclude_list(print_pages(Client(options), "ListActivities", Value::empty_object(), "activities"),
                       options.json);
}

int activity_delete(const ActivityOptions& options) {
  return conclude(call_on_activity(options, "DeleteActivity"), options.json);
}

int activity_poll(const ActivityOptions& options) {
  std::stop_source stop;
  const InterruptWatcher interrupt(stop);
  const int code = poll_or_work(options, stop.get_token());
  return interrupt.signal() != 0 ? kExitSignalBase + interrupt.signal() : code;
}

}  // namespace pawl::cli
