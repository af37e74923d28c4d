#include "connect/lambda_invoke.h"

#include "connect/pattern.h"
#include "json/members.h"

namespace pawl::connect {

namespace {

using engine::TaskAnswer;
using json::Value;

constexpr std::string_view kLatest = "$LATEST";
constexpr int64_t kOk = 200;
constexpr int64_t kAccepted = 202;

// The name without what comes before and behind it.
std::string_view bare_name(std::string_view function) {
  constexpr std::string_view kKind = "function:";
  const size_t kind = function.rfind(kKind);
  if (kind != std::string_view::npos) function.remove_prefix(kind + kKind.size());
  return function.substr(0, function.find(':'));
}

std::string_view version_of(const Value& parameters) {
  const std::string_view qualifier = json::text_at(parameters, "Qualifier");
  const bool is_number = !qualifier.empty() && qualifier.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? qualifier : kLatest;
}

Value wrapped(const engine::TaskRequest& request, Value payload, int64_t status) {
  json::ObjectBuilder http(1);
  http.set("HttpStatusCode", Value::integer(status));
  json::ObjectBuilder response(1);
  response.set("RequestId", Value::string(request.idempotency_key));
  json::ObjectBuilder answer(5);
  answer.set("ExecutedVersion", Value::string(version_of(request.input)));
  answer.set("Payload", std::move(payload));
  answer.set("SdkHttpMetadata", http.build());
  answer.set("SdkResponseMetadata", response.build());
  answer.set("StatusCode", Value::integer(status));
  return answer.build();
}

}  // namespace

const TaskTarget* find_function(const TaskTargets& targets, std::string_view function) {
  if (function.empty()) return nullptr;
  const bool is_arn = function.starts_with("arn:");
  if (is_arn)
    if (const TaskTarget* found = find_by_pattern(targets, function)) return found;
  const std::string ending = ":function:" + std::string(bare_name(function));
  if (is_arn) return find_by_pattern(targets, function.substr(0, function.rfind(ending) + ending.size()));
  for (const TaskTarget& target : targets)
    if (!target.pattern.contains('*') && target.pattern.ends_with(ending)) return &target;
  return find_by_pattern(targets, "arn:aws:lambda:us-east-1:000000000000" + ending);
}

Value lambda_payload(const Value& parameters) {
  const Value* payload = parameters.find("Payload");
  return payload == nullptr ? Value::empty_object() : *payload;
}

TaskAnswer lambda_answer(const engine::TaskRequest& request, TaskAnswer given) {
  if (json::text_at(request.input, "InvocationType") == "Event")
    return TaskAnswer::succeeded(wrapped(request, Value::string(""), kAccepted));
  if (given.kind != TaskAnswer::Kind::kSucceeded) return given;
  return TaskAnswer::succeeded(wrapped(request, std::move(given.value), kOk));
}

}  // namespace pawl::connect
