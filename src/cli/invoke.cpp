// `pawl invoke`: calls a function of a server, and starts an execution where it is a durable one.
#include "cli/client_output.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/follow.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::Value;

constexpr size_t kPayloadBytesMax = 6'291'456;

Result<LambdaAnswer> call(const FunctionOptions& options) {
  PAWL_TRY(const Input payload, read_input(options.payload, kPayloadBytesMax, "--payload"));
  std::string path = "/2015-03-31/functions/" + as_path_part(options.function) + "/invocations";
  if (!options.qualifier.empty()) path += "?Qualifier=" + as_path_part(options.qualifier);
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Type", "application/octet-stream"},
      {"X-Amz-Invocation-Type", options.is_async ? "Event" : "RequestResponse"}};
  if (!options.name.empty()) headers.emplace_back("X-Amz-Durable-Execution-Name", options.name);
  return Client(options).call_lambda("POST", path, payload.text.empty() ? json::print(payload.value) : payload.text,
                                     std::move(headers));
}

// What a function returns is JSON; of one that returns something else, it is shown as it is.
void print_payload(const std::string& body) {
  const auto value = json::parse(body);
  if (value)
    print_value(*value);
  else
    print_line(body);
}

Value accepted(const LambdaAnswer& answer, const std::string& arn) {
  json::ObjectBuilder out(2);
  out.set("StatusCode", Value::integer(answer.status));
  if (!arn.empty()) out.set("DurableExecutionArn", Value::string(arn));
  return out.build();
}

}  // namespace

int invoke(const FunctionOptions& options) {
  const auto answer = call(options);
  if (!answer) return conclude(std::unexpected(answer.error()), options.json);
  const std::string arn = answer->header("x-amz-durable-execution-arn");
  if (options.is_async) return conclude(accepted(*answer, arn), options.json);
  if (!arn.empty()) complain("execution " + arn + "\n");
  print_payload(answer->body);
  const bool has_failed = !answer->header("x-amz-function-error").empty();
  return finish_output(has_failed ? kExitFailed : kExitOk);
}

}  // namespace pawl::cli
