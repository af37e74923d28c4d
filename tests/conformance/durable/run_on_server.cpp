// Runs cases on a server, through the client that the SDK gives to other programs.
#include <chrono>
#include <thread>

#include "cases.h"
#include "json/parse.h"
#include "json/print.h"
#include "outside_world.h"
#include "pawl/durable_client.h"
#include "run_case.h"
#include "server_process.h"

namespace pawl::conformance {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{90};
constexpr milliseconds kPollFirst{20};
constexpr milliseconds kPollMax{250};
constexpr int kEventsPerPage = 1000;

Value value_of(const durable::Json& json) { return json::parse(json.dump()).value_or(Value()); }

bool has_ended(const std::vector<Value>& events) {
  if (events.empty()) return false;
  const Value& type = *events.back().find("EventType");
  return type.as_string().starts_with("Execution") && type.as_string() != "ExecutionStarted";
}

class ServerRun {
 public:
  ServerRun(const std::string& url, const DurableCase& one, const Bindings& bindings)
      : case_(one),
        bindings_(bindings),
        client_(durable::ClientOptions{.endpoint = url,
                                       .region = "us-east-1",
                                       .access_key = "conformance",
                                       .secret_key = "conformance",
                                       .timeout = kPatience}),
        world_(one.actions) {}

  // Throws durable::ApiError.
  Result<Observed> run() {
    const durable::InvokeRequest request{.qualifier = "$LATEST", .asynchronous = case_.is_asynchronous};
    arn_ = client_.invoke(kFunctionPrefix + case_.id, json::print(bindings_.substitute(case_.input)), request)
               .execution_arn;
    if (arn_.empty()) return fail("DURABLE_CASE_STUCK", "The answer to the invocation names no execution.");
    if (!follow()) return fail("DURABLE_CASE_STUCK", "The execution does not end; its last event: " + last_event());
    const auto description = client_.get(arn_);
    return Observed{description.status, description.result, events_, {}};
  }
  const std::string& arn() const { return arn_; }

 private:
  // Until the execution has ended, or has gone as far as the case looks.
  bool follow() {
    const auto deadline = steady_clock::now() + kPatience;
    for (milliseconds pause = kPollFirst; steady_clock::now() < deadline; pause = std::min(2 * pause, kPollMax)) {
      read_history();
      if (has_ended(events_) || (!case_.status && is_all_there())) return true;
      if (const auto act = world_.next(events_, bindings_)) {
        perform(*act);
        pause = kPollFirst / 2;
      }
      std::this_thread::sleep_for(pause);
    }
    return false;
  }

  void read_history() {
    events_.clear();
    std::string marker;
    do {
      const auto page = client_.history(arn_, {.items_max = kEventsPerPage, .marker = marker});
      for (const durable::Json& event : page.events) events_.push_back(value_of(event));
      marker = page.next_marker;
    } while (!marker.empty());
  }

  bool is_all_there() const {
    Bindings bindings = bindings_;
    return match_history(case_.history, events_, bindings).empty();
  }

  void perform(const OutsideWorld::Act& act) {
    switch (act.operation) {
      case CallbackAction::Operation::kSucceed:
        return client_.succeed_callback(act.callback_id,
                                        act.payload ? std::optional(payload_text(*act.payload)) : std::nullopt);
      case CallbackAction::Operation::kFail:
        return client_.fail_callback(act.callback_id, error_of(act));
      case CallbackAction::Operation::kHeartbeat:
        return client_.heartbeat_callback(act.callback_id);
    }
  }

  static durable::ErrorObject error_of(const OutsideWorld::Act& act) {
    durable::ErrorObject error;
    if (!act.payload) return error;
    if (const Value* type = act.payload->find("ErrorType")) error.type = type->as_string();
    if (const Value* message = act.payload->find("ErrorMessage")) error.message = message->as_string();
    return error;
  }

  std::string last_event() const { return events_.empty() ? "none" : json::print(events_.back()); }

  const DurableCase& case_;
  const Bindings& bindings_;
  durable::Client client_;
  OutsideWorld world_;
  std::string arn_;
  std::vector<Value> events_;
};

class ServerStage final : public Stage {
 public:
  ServerStage(std::string url, std::unique_ptr<ServerProcess> process)
      : url_(std::move(url)), process_(std::move(process)) {}

  Result<Observed> run(const DurableCase& one, const Bindings& bindings) override {
    try {
      ServerRun run(url_, one, bindings);
      PAWL_TRY(Observed observed, run.run());
      if (process_ && !one.logs.empty()) observed.log = process_->log_of(run.arn());
      return observed;
    } catch (const durable::ApiError& error) {
      return fail(error.code().empty() ? "UNREACHABLE" : error.code(), error.what());
    } catch (const durable::SerializationError& error) {
      return fail("ANSWER_UNREADABLE", error.what());
    }
  }
  std::string left_out(const DurableCase& one) const override {
    return !process_ && !one.logs.empty() ? "the logs of that server are not ours" : "";
  }

 private:
  const std::string url_;
  const std::unique_ptr<ServerProcess> process_;  // null: somebody else's
};

}  // namespace

Result<std::unique_ptr<Stage>> server_stage(const ServerPlace& place) {
  if (!place.url.empty()) return std::make_unique<ServerStage>(place.url, nullptr);
  const Cases cases = all_cases();
  std::vector<std::string> functions;
  for (const auto& [name, handler] : cases.functions()) functions.push_back(name);
  PAWL_TRY(auto process, ServerProcess::start(place.command, place.worker, functions));
  std::string url = process->url();
  return std::make_unique<ServerStage>(std::move(url), std::move(process));
}

}  // namespace pawl::conformance
