#include "sdk/api_client.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <thread>

#include "sdk/wire.h"

namespace pawl::durable::detail {
namespace {

constexpr const char* kUserAgent = "aws-durable-execution-sdk-cpp/0.1";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string endpoint_url(const std::string& region) {
  for (const char* name : {"AWS_ENDPOINT_URL_LAMBDA", "AWS_ENDPOINT_URL"}) {
    if (std::string url = environment(name); !url.empty()) return url;
  }
  return "https://lambda." + region + ".amazonaws.com" + (region.starts_with("cn-") ? ".cn" : "");
}

// The code stands in a header, "Code:http://…" at times, or in the body.
std::string error_code(const HttpResponse& response, const Json& body) {
  std::string code(response.header("x-amzn-errortype"));
  if (code.empty()) {
    const Json* type = body.find("__type");
    if (type != nullptr && type->is_string()) code = type->as_string();
  }
  if (const std::size_t hash = code.rfind('#'); hash != std::string::npos) code = code.substr(hash + 1);
  code = code.substr(0, code.find(':'));
  return code.empty() ? "Unknown" : code;
}

ApiError error_of(const HttpResponse& response) {
  Json body;
  try {
    body = Json::parse(response.body);
  } catch (const SerializationError&) {
  }
  std::string message = "HTTP status " + std::to_string(response.status);
  for (const char* name : {"Message", "message"}) {
    const Json* text = body.find(name);
    if (text != nullptr && text->is_string()) message = text->as_string();
  }
  return ApiError(response.status, error_code(response, body), message);
}

// Full jitter over 100 ms, doubled with each attempt.
std::chrono::milliseconds backoff(int attempt) {
  thread_local std::minstd_rand engine(std::random_device{}());
  return std::chrono::milliseconds(std::uniform_int_distribution<int>(10, 100 << attempt)(engine));
}

}  // namespace

ApiSettings ApiSettings::from_environment() {
  ApiSettings settings;
  settings.region = environment("AWS_REGION");
  if (settings.region.empty()) settings.region = environment("AWS_DEFAULT_REGION");
  if (settings.region.empty()) settings.region = "us-east-1";
  settings.endpoint = Endpoint::parse(endpoint_url(settings.region));
  settings.credentials = {environment("AWS_ACCESS_KEY_ID"), environment("AWS_SECRET_ACCESS_KEY"),
                          environment("AWS_SESSION_TOKEN")};
  return settings;
}

ApiClient::ApiClient(ApiSettings settings) : settings_(std::move(settings)), connection_(settings_.endpoint) {}

HttpResponse ApiClient::call_once(HttpRequest request, Deadline deadline) {
  const Deadline until = std::min(deadline, std::chrono::steady_clock::now() + kCallTimeout);
  if (!settings_.credentials.access_key.empty()) {
    sign(request, settings_.endpoint.authority(), settings_.credentials, {settings_.region, "lambda", signing_time()});
  }
  try {
    HttpResponse response = connection_.call(request, until);
    if (response.status >= 200 && response.status < 300) return response;
    throw error_of(response);
  } catch (const HttpError& error) {
    throw ApiError(0, "NotReached", error.what());
  }
}

HttpResponse ApiClient::call(const std::string& method, const std::string& target, std::string body, Headers headers,
                             Deadline deadline) {
  headers.emplace_back("User-Agent", kUserAgent);
  headers.emplace_back("X-Amz-User-Agent", kUserAgent);
  const HttpRequest request{method, target, std::move(headers), std::move(body)};
  for (int attempt = 0;; ++attempt) {
    try {
      return call_once(request, deadline);
    } catch (const ApiError& error) {
      const auto delay = backoff(attempt);
      const bool in_time = deadline == Deadline::max() || std::chrono::steady_clock::now() + delay < deadline;
      if (!error.is_transient() || attempt + 1 >= kAttemptsMax || !in_time) throw;
      std::this_thread::sleep_for(delay);
    }
  }
}

CheckpointAnswer HttpService::checkpoint(const CheckpointRequest& request, Deadline deadline) {
  const std::string target = "/2025-12-01/durable-executions/" + percent_encode(request.execution_arn) + "/checkpoint";
  return read_checkpoint_answer(
      client_.call("POST", target, checkpoint_body(request), {{"Content-Type", "application/json"}}, deadline).body);
}

StatePage HttpService::state(const std::string& execution_arn, const std::string& token, const std::string& marker,
                             Deadline deadline) {
  const std::string target = "/2025-12-01/durable-executions/" + percent_encode(execution_arn) +
                             "/state?CheckpointToken=" + percent_encode(token) + "&Marker=" + percent_encode(marker) +
                             "&MaxItems=1000";
  return read_state_page(client_.call("GET", target, "", {}, deadline).body);
}

}  // namespace pawl::durable::detail
