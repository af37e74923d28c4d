// `pawl token`, and the same under `pawl activity`: what a worker tells of a task by its token.
#include "cli/client_output.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::ObjectBuilder;
using json::Value;

constexpr size_t kOutputBytesMax = 262'144;

Value with_token(const ActivityOptions& options) {
  ObjectBuilder request(3);
  request.set("taskToken", Value::string(options.token));
  return request.build();
}

Result<Value> send_success(const ActivityOptions& options) {
  PAWL_TRY(const Input output, read_input(options.output, kOutputBytesMax, "--output"));
  const std::string text = output.text.empty() ? json::print(output.value) : output.text;
  return Client(options).call("SendTaskSuccess", with_token(options).with_member("output", Value::string(text)));
}

Result<Value> send_failure(const ActivityOptions& options) {
  Value request = with_token(options);
  if (!options.error.empty()) request = request.with_member("error", Value::string(options.error));
  if (!options.cause.empty()) request = request.with_member("cause", Value::string(options.cause));
  return Client(options).call("SendTaskFailure", request);
}

}  // namespace

int token_succeed(const ActivityOptions& options) { return conclude(send_success(options), options.json); }

int token_fail(const ActivityOptions& options) { return conclude(send_failure(options), options.json); }

int token_heartbeat(const ActivityOptions& options) {
  return conclude(Client(options).call("SendTaskHeartbeat", with_token(options)), options.json);
}

}  // namespace pawl::cli
