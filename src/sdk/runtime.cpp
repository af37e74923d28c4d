#include "sdk/runtime.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "sdk/api_client.h"

namespace pawl::durable::detail {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr const char* kApi = "/2018-06-01/runtime";
// A worker outlives a restart of its runtime, and gives up after about half a minute.
constexpr int kFailuresMax = 12;
constexpr std::chrono::milliseconds kFirstDelay(50);
constexpr std::chrono::milliseconds kDelayMax(5000);

SteadyTime deadline_of(std::string_view milliseconds) {
  std::int64_t at = 0;
  if (std::from_chars(milliseconds.data(), milliseconds.data() + milliseconds.size(), at).ec != std::errc() || at <= 0)
    return SteadyTime::max();
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now()).time_since_epoch();
  return std::chrono::steady_clock::now() + (std::chrono::milliseconds(at) - now);
}

std::unique_ptr<DurableService> make_service(const Config& config) {
  if (config.service) return config.service();
  return std::make_unique<HttpService>(ApiSettings::from_environment());
}

void note(const std::string& message) {
  LogRecord record;
  record.level = LogLevel::Error;
  record.message = message;
  log_to_stdout(record);
}

}  // namespace

RuntimeSlot::RuntimeSlot(const Handler& handler, const Config& config, Endpoint runtime)
    : handler_(handler), config_(config), runtime_(std::move(runtime)), service_(make_service(config)) {}

void RuntimeSlot::run_one() {
  const HttpResponse invocation =
      runtime_.call({"GET", std::string(kApi) + "/invocation/next", {}, ""}, SteadyTime::max());
  const std::string request_id(invocation.header("lambda-runtime-aws-request-id"));
  if (invocation.status != 200 || request_id.empty())
    throw HttpError("the runtime answered " + std::to_string(invocation.status) + " to a worker that asked for work");
  handle(invocation, request_id);
}

// The frames of the invocation are destroyed after its answer has left.
void RuntimeSlot::handle(const HttpResponse& invocation, const std::string& request_id) {
  InvocationEvent event;
  try {
    event = read_event(invocation.body);
  } catch (const SerializationError& error) {
    Answer refusal{Answer::Status::Retry, std::nullopt,
                   ErrorObject{.type = "InvalidEvent",
                               .message = std::string("This is no event of a durable execution: ") + error.what()}};
    return answer(request_id, refusal);
  }
  event.request_id = request_id;
  event.tenant_id = invocation.header("lambda-runtime-aws-tenant-id");
  event.deadline = deadline_of(invocation.header("lambda-runtime-deadline-ms"));
  // Tracing libraries in steps read it; with several slots in a process there is no one trace to name.
  const std::string trace(invocation.header("lambda-runtime-trace-id"));
  if (config_.slots == 1 && !trace.empty()) ::setenv("_X_AMZN_TRACE_ID", trace.c_str(), 1);
  const FinishedInvocation finished = run_invocation(handler_, std::move(event), *service_, config_);
  answer(request_id, finished.answer());
}

void RuntimeSlot::answer(const std::string& request_id, const Answer& answer) {
  const bool failed = answer.status == Answer::Status::Retry;
  HttpRequest request{"POST",
                      std::string(kApi) + "/invocation/" + request_id + (failed ? "/error" : "/response"),
                      {{"Content-Type", "application/json"}},
                      answer.to_text()};
  if (failed)
    request.headers.emplace_back("Lambda-Runtime-Function-Error-Type",
                                 answer.error && answer.error->type ? *answer.error->type : "Error");
  const HttpResponse response = runtime_.call(request, SteadyTime::max());
  // A late answer is refused, and rightly so: the invocation belongs to another worker by then.
  if (response.status >= 500)
    throw HttpError("the runtime answered " + std::to_string(response.status) + " to a result");
}

int serve_runtime(const Handler& handler, const Config& config, const std::string& runtime_api) {
  // TLS writes to a connection that its peer has closed; that is an error of the call, not the end of the worker.
  std::signal(SIGPIPE, SIG_IGN);
  const Endpoint runtime = Endpoint::parse("http://" + runtime_api);
  const auto serve_slot = [&] {
    RuntimeSlot slot(handler, config, runtime);
    for (int failures = 0; failures < kFailuresMax;) {
      try {
        slot.run_one();
        failures = 0;
      } catch (const HttpError& error) {
        note(error.what());
        std::this_thread::sleep_for(std::min(kFirstDelay * (1 << failures++), kDelayMax));
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t slot = 1; slot < config.slots; ++slot) others.emplace_back(serve_slot);
  serve_slot();
  for (std::thread& other : others) other.join();
  return 1;
}

}  // namespace pawl::durable::detail
