// One invocation of a handler: from the event's text to the answer's.
#include "pawl/durable/handler.h"

#include "sdk/invocation.h"
#include "sdk/wire.h"

namespace pawl::durable {
namespace {

// What the Runtime API takes for an invocation that failed.
std::string runtime_error_text(const ErrorObject& error) {
  return Json::object({{"errorMessage", error.message.value_or("")},
                       {"errorType", error.type.value_or("")},
                       {"stackTrace", Json::array()}})
      .dump();
}

}  // namespace

std::string Answer::to_text() const {
  std::string text;
  switch (status) {
    case Status::Pending:
      return R"({"Status":"PENDING"})";
    case Status::Retry:
      return runtime_error_text(error.value_or(ErrorObject()));
    case Status::Succeeded:
      text = R"({"Status":"SUCCEEDED")";
      if (result) {
        text += ",\"Result\":";
        append_quoted(text, *result);
      }
      return text + "}";
    case Status::Failed:
      text = R"({"Status":"FAILED","Error":)";
      detail::append_error(text, error.value_or(ErrorObject()));
      return text + "}";
  }
  return text;
}

FinishedInvocation run_invocation(const Handler& handler, InvocationEvent event, DurableService& service,
                                  const Config& config) {
  auto invocation = std::make_shared<detail::Invocation>(handler, std::move(event), service, config);
  Answer answer = invocation->run();
  return FinishedInvocation(std::move(answer), std::move(invocation));
}

InvocationEvent read_event(std::string_view text) {
  const Json json = Json::parse(text);
  InvocationEvent event;
  event.execution_arn = json.at("DurableExecutionArn").as_string();
  event.token = json.at("CheckpointToken").as_string();
  const Json& state = json.at("InitialExecutionState");
  event.operations = detail::read_records(state.find("Operations"), detail::TimeUnit::Milliseconds);
  if (const Json* marker = state.find("NextMarker"); marker != nullptr && marker->is_string())
    event.next_marker = marker->as_string();
  return event;
}

bool ApiError::is_transient() const noexcept {
  if (status_ == 0 || status_ == 429) return true;
  return status_ >= 500 && !code_.starts_with("KMS");
}

// AWS writes "Invalid checkpoint token"; clients and emulators know it in other cases as well.
bool ApiError::is_stale_token() const noexcept {
  static constexpr std::string_view kBeginning = "invalid checkpoint token";
  const std::string_view message = what();
  if (code_ != "InvalidParameterValueException" || message.size() < kBeginning.size()) return false;
  for (std::size_t at = 0; at < kBeginning.size(); ++at) {
    const char c = message[at];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kBeginning[at]) return false;
  }
  return true;
}

}  // namespace pawl::durable
