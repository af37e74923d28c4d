#include "engine/child_messages.h"

#include "json/parse.h"
#include "json/print.h"

namespace pawl::engine {

namespace {

constexpr std::string_view kEnded = "ended";
constexpr std::string_view kStop = "stop";
constexpr std::string_view kSucceeded = "succeeded";
constexpr std::string_view kFailed = "failed";

std::unexpected<Error> malformed() {
  return fail("MESSAGE_MALFORMED", "A message between two executions cannot be read.",
              "Restore the data directory from a backup.");
}

std::string_view text_of(const Value& value, std::string_view name) {
  const Value* found = value.find(name);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

Value value_of(const Value& value, std::string_view name) {
  const Value* found = value.find(name);
  return found == nullptr ? Value() : *found;
}

}  // namespace

std::string encode(const ChildMessage& message) {
  const bool has_ended = message.kind == ChildMessage::Kind::kEnded;
  json::ObjectBuilder body;
  body.set("kind", Value::string(has_ended ? kEnded : kStop));
  body.set("operation", Value::integer(message.operation.number));
  body.set("attempt", Value::integer(message.attempt));
  if (has_ended) {
    const bool succeeded = message.end.answer.kind == TaskAnswer::Kind::kSucceeded;
    body.set("accepted", message.end.accepted);
    body.set("outcome", Value::string(succeeded ? kSucceeded : kFailed));
    body.set("value", message.end.answer.value);
  }
  return json::print(body.build());
}

Result<ChildMessage> decode_child_message(std::string_view body) {
  const auto read = json::parse(body, {.depth_max = json::kDepthCeiling});
  if (!read) return malformed();
  const std::string_view kind = text_of(*read, "kind");
  if (kind != kEnded && kind != kStop) return malformed();
  ChildMessage message;
  message.kind = kind == kEnded ? ChildMessage::Kind::kEnded : ChildMessage::Kind::kStop;
  message.operation = OperationId(static_cast<uint32_t>(value_of(*read, "operation").as_integer().value_or(0)));
  message.attempt = static_cast<uint32_t>(value_of(*read, "attempt").as_integer().value_or(0));
  message.end.accepted = value_of(*read, "accepted");
  const bool succeeded = text_of(*read, "outcome") == kSucceeded;
  message.end.answer = {succeeded ? TaskAnswer::Kind::kSucceeded : TaskAnswer::Kind::kFailed, value_of(*read, "value")};
  return message;
}

}  // namespace pawl::engine
