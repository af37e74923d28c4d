// `pawl callback`: what the outside tells a durable execution that waits for it.
#include "cli/client_output.h"
#include "cli/files.h"
#include "cli/follow.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::Value;

constexpr size_t kResultBytesMax = 262'144;

std::string path_of(const FunctionOptions& options, const char* what) {
  return "/2025-12-01/durable-execution-callbacks/" + as_path_part(options.callback) + what;
}

Result<Value> send(const FunctionOptions& options, const char* what, std::string body) {
  PAWL_TRY(const LambdaAnswer answer, Client(options).call_lambda("POST", path_of(options, what), std::move(body)));
  return Value::empty_object();
}

// Without a result the code gets none.
Result<Value> send_success(const FunctionOptions& options) {
  if (!options.result) return send(options, "/succeed", "");
  PAWL_TRY(const Input result, read_input(options.result, kResultBytesMax, "--result"));
  return send(options, "/succeed", result.text.empty() ? json::print(result.value) : result.text);
}

Result<Value> send_failure(const FunctionOptions& options) {
  json::ObjectBuilder error(3);
  if (!options.cause.empty()) error.set("ErrorMessage", Value::string(options.cause));
  if (!options.error.empty()) error.set("ErrorType", Value::string(options.error));
  if (!options.data.empty()) error.set("ErrorData", Value::string(options.data));
  return send(options, "/fail", json::print(error.build()));
}

}  // namespace

int callback_succeed(const FunctionOptions& options) { return conclude(send_success(options), options.json); }

int callback_fail(const FunctionOptions& options) { return conclude(send_failure(options), options.json); }

int callback_heartbeat(const FunctionOptions& options) {
  return conclude(send(options, "/heartbeat", ""), options.json);
}

}  // namespace pawl::cli
