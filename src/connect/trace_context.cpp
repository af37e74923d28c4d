#include "connect/trace_context.h"

#include <algorithm>

#include "net/hmac.h"
#include "net/http_server_message.h"

namespace pawl::connect {

namespace {

constexpr size_t kTraceIdDigits = 32;
constexpr size_t kSpanIdDigits = 16;
constexpr size_t kTraceParentSize = 55;  // 00-{32}-{16}-{2}
constexpr std::string_view kVersion = "00-";
constexpr std::string_view kSampled = "01";
constexpr size_t kTraceAt = 3;
constexpr size_t kSpanAt = kTraceAt + kTraceIdDigits + 1;
constexpr size_t kFlagsAt = kSpanAt + kSpanIdDigits + 1;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_id(std::string_view text) { return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos; }

// The first digits of a text's SHA-256, which are not all zeros but by a chance that never comes.
std::string digits_of(const std::string& text, size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : net::sha256(text).substr(0, count / 2)) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string compose(std::string_view trace, std::string_view span, std::string_view flags) {
  return std::string(kVersion).append(trace).append("-").append(span).append("-").append(flags);
}

// The part "Name=value" of an X-Ray header.
std::string_view xray_part(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::string_view part = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(part.size() + 1, header.size()));
    if (part.starts_with(name) && part.substr(name.size()).starts_with('=')) return part.substr(name.size() + 1);
  }
  return {};
}

// The execution's part of a task's key.
std::string_view execution_of(std::string_view key) { return key.substr(0, key.rfind('-')); }

}  // namespace

bool is_trace_parent(std::string_view text) {
  if (text.size() != kTraceParentSize || !text.starts_with(kVersion)) return false;
  if (text[kSpanAt - 1] != '-' || text[kFlagsAt - 1] != '-') return false;
  return is_id(text.substr(kTraceAt, kTraceIdDigits)) && is_id(text.substr(kSpanAt, kSpanIdDigits)) &&
         is_hex(text.substr(kFlagsAt));
}

std::optional<std::string> trace_parent_of_xray(std::string_view header) {
  constexpr size_t kRootSize = 35;  // 1-{8}-{24}
  const std::string_view root = xray_part(header, "Root");
  if (root.size() != kRootSize || !root.starts_with("1-") || root[10] != '-') return std::nullopt;
  const std::string trace = std::string(root.substr(2, 8)).append(root.substr(11));
  const std::string_view parent = xray_part(header, "Parent");
  const std::string span = parent.empty() ? digits_of(trace, kSpanIdDigits) : std::string(parent);
  std::string composed = compose(trace, span, xray_part(header, "Sampled") == "0" ? "00" : kSampled);
  if (!is_trace_parent(composed)) return std::nullopt;
  return composed;
}

std::string trace_parent_of(const engine::TaskRequest& request, std::string_view seed) {
  const std::string prefix = std::string(seed) + "/";
  const std::string span =
      digits_of(prefix + request.idempotency_key + "/" + std::to_string(request.attempt), kSpanIdDigits);
  const json::Value* given = request.labels.find(kTraceParent);
  if (given != nullptr && given->is_string() && is_trace_parent(given->as_string())) {
    const std::string_view parent = given->as_string();
    return compose(parent.substr(kTraceAt, kTraceIdDigits), span, parent.substr(kFlagsAt));
  }
  const std::string execution(execution_of(request.idempotency_key));
  return compose(digits_of(prefix + execution, kTraceIdDigits), span, kSampled);
}

void add_trace_context(std::vector<std::pair<std::string, std::string>>& headers, const engine::TaskRequest& request,
                       std::string_view seed) {
  const bool is_said = std::ranges::any_of(
      headers, [](const auto& header) { return net::equals_ignoring_case(header.first, kTraceParent); });
  if (!is_said) headers.emplace_back(kTraceParent, trace_parent_of(request, seed));
}

}  // namespace pawl::connect
