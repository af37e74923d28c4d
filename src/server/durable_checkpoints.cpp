// CheckpointDurableExecution and GetDurableExecutionState: what the code of a durable function asks for while it runs.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <tuple>

#include "base/fnv.h"
#include "engine/lending.h"
#include "json/parse.h"
#include "lang/durable/program.h"
#include "server/lambda.h"

namespace pawl::server {

namespace {

constexpr size_t kClientTokenBytesMax = 64;
constexpr uint64_t kPageMax = 1'000;
constexpr uint64_t kPageSize = 100;  // where the request does not say

// AWS's own text, but for its JavaScript SDK up to 2.4.0: that one compares it with another spelling, and lets the
// whole execution fail where it differs.
bool wants_capitals(const net::HttpHeaders& headers) {
  constexpr std::string_view kSdk = "aws-durable-execution-sdk-js/";
  std::string_view agent = headers.get("user-agent");
  const size_t place = agent.find(kSdk);
  if (place == std::string_view::npos) return false;
  agent.remove_prefix(place + kSdk.size());
  int major = 0;
  int minor = 0;
  int patch = 0;
  const std::string version(agent.substr(0, agent.find(' ')));
  return std::sscanf(version.c_str(), "%d.%d.%d", &major, &minor, &patch) == 3 &&
         std::tuple(major, minor, patch) <= std::tuple(2, 4, 0);
}

constexpr std::string_view kStale = "Invalid checkpoint token";

Refusal stale_token() { return {"InvalidParameterValueException", std::string(kStale)}; }

// Everything that says no goes through here.
net::HttpServerResponse refused(Refusal refusal, bool capitals) {
  if (capitals && refusal.message == kStale) refusal.message = "Invalid Checkpoint Token";
  return lambda_refusal(refusal);
}

Refusal to_checkpoint_refusal(const Error& error) {
  return error.code == "EXECUTION_NOT_FOUND" ? stale_token() : to_lambda_refusal(error);
}

// The call whose token it is. An execution that is not there is an invalid token as well.
Outcome<TaskName> read_token(const Service& service, const std::string& arn, const Value* token) {
  if (token == nullptr || !token->is_string()) return refuse_member("checkpointToken", "Member must not be null");
  const auto name = service.tokens.read(token->as_string());
  if (!name) return std::unexpected(stale_token());
  if (Arns::parse_durable(arn) != name->execution)
    return refuse_parameter("Checkpoint token is not valid for the durable execution ARN");
  return *name;
}

Outcome<void> check_client(const Value* client) {
  if (client == nullptr || client->is_null()) return {};
  const bool is_text = client->is_string() && !client->as_string().empty() &&
                       client->as_string().size() <= kClientTokenBytesMax &&
                       std::ranges::all_of(client->as_string(), [](char c) { return c >= 0x21 && c <= 0x7E; });
  if (is_text) return {};
  return refuse_member("clientToken", "Member must satisfy regular expression pattern: [\\x21-\\x7E]+");
}

Value checkpoint_request(const TaskName& name, const Value& body, std::string_view text) {
  json::ObjectBuilder asked(6);
  asked.set("request", Value::string("checkpoint"));
  asked.set("operation", Value::integer(static_cast<int64_t>(name.operation.number)));
  asked.set("sequence", Value::integer(name.attempt));
  if (const Value* client = body.find("ClientToken"); client != nullptr && !client->is_null())
    asked.set("client", *client);
  asked.set("digest", Value::integer(static_cast<int64_t>(hash_fnv(text))));
  if (const Value* updates = body.find("Updates")) asked.set("updates", *updates);
  return asked.build();
}

// The answer that was given before, from the state as it was then.
void answer_again(Service& service, const TaskName& name, uint64_t last_fact, net::Respond respond) {
  service.engine.facts(name.execution, [&service, name, last_fact,
                                        respond = std::move(respond)](Result<std::vector<kernel::Fact>> facts) mutable {
    if (!facts) return respond(lambda_refusal(to_checkpoint_refusal(facts.error())));
    kernel::Execution execution;
    for (const kernel::Fact& fact : *facts) {
      execution.evolve(fact);
      if (execution.last_fact().number >= last_fact) break;
    }
    respond(lambda_answer(functions::checkpoint_answer(
        execution, service.tokens.mint(name.execution, name.operation, name.attempt + 1))));
  });
}

void take_checkpoint(Service& service, const LambdaRequest& request, net::Respond respond) {
  const bool capitals = wants_capitals(request.http.headers);
  const auto body = request.object();
  if (!body) return respond(lambda_refusal(body.error()));
  const auto name = read_token(service, request.subject, body->find("CheckpointToken"));
  if (!name) return respond(refused(name.error(), capitals));
  if (const auto checked = check_client(body->find("ClientToken")); !checked)
    return respond(lambda_refusal(checked.error()));
  const engine::Lending lending;
  service.engine.request(
      name->execution, checkpoint_request(*name, *body, request.http.body),
      [&service, name = *name, capitals, respond = std::move(respond)](Result<Value> answer) mutable {
        if (!answer) return respond(refused(to_checkpoint_refusal(answer.error()), capitals));
        const Value* replayed = answer->find("replayed");
        if (replayed == nullptr) return respond(lambda_answer(*answer));
        answer_again(service, name, static_cast<uint64_t>(replayed->as_integer().value_or(0)), std::move(respond));
      });
}

// --- state

Outcome<uint64_t> read_number(const LambdaRequest& request, std::string_view name, uint64_t most) {
  const std::string text = request.text(name);
  uint64_t number = 0;
  if (text.empty()) return number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > most)
    return refuse_parameter("Invalid " + std::string(name) + ": " + text);
  return number;
}

Outcome<Value> state_request(const LambdaRequest& request, const TaskName& name) {
  PAWL_TRY(const uint64_t begin, read_number(request, "Marker", UINT32_MAX));
  PAWL_TRY(const uint64_t count, read_number(request, "MaxItems", kPageMax));
  json::ObjectBuilder asked(5);
  asked.set("request", Value::string("state"));
  asked.set("operation", Value::integer(static_cast<int64_t>(name.operation.number)));
  asked.set("sequence", Value::integer(name.attempt));
  asked.set("begin", Value::integer(static_cast<int64_t>(begin)));
  asked.set("count", Value::integer(static_cast<int64_t>(count == 0 ? kPageSize : count)));
  return asked.build();
}

void read_state(Service& service, const LambdaRequest& request, net::Respond respond) {
  const bool capitals = wants_capitals(request.http.headers);
  const Value token = Value::string(request.text("CheckpointToken"));
  const auto name = read_token(service, request.subject, &token);
  if (!name) return respond(refused(name.error(), capitals));
  auto asked = state_request(request, *name);
  if (!asked) return respond(lambda_refusal(asked.error()));
  service.engine.request(name->execution, *std::move(asked),
                         [capitals, respond = std::move(respond)](Result<Value> answer) mutable {
                           if (!answer) return respond(refused(to_checkpoint_refusal(answer.error()), capitals));
                           respond(lambda_answer(*answer));
                         });
}

constexpr LambdaRoute kRoutes[] = {
    {"CheckpointDurableExecution", "POST", "/2025-12-01/durable-executions/{}/checkpoint", take_checkpoint},
    {"GetDurableExecutionState", "GET", "/2025-12-01/durable-executions/{}/state", read_state},
};

}  // namespace

std::span<const LambdaRoute> checkpoint_routes() { return kRoutes; }

}  // namespace pawl::server
