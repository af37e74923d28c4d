#include "server/arns.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/random.h"

namespace pawl::server {

namespace {

constexpr size_t kTypePart = 5;                                       // of arn:aws:states:REGION:ACCOUNT:TYPE:NAME…
constexpr size_t kPartsMin = 7;                                       // with a name
constexpr std::string_view kGeneratedPrefix = "70617776-6c00-4000-";  // then 4 and 12 digits: a UUID to look at
constexpr size_t kGeneratedSize = kGeneratedPrefix.size() + 4 + 1 + 12;

constexpr std::string_view kDurablePart = "/durable-execution/";
constexpr size_t kFunctionCharactersMax = 140;

bool is_function_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// What comes after "function:", where the text has that before the name.
std::string_view after_function_kind(std::string_view text) {
  constexpr std::string_view kKind = "function:";
  const size_t behind_colon = text.find(":function:");
  if (behind_colon != std::string_view::npos) return text.substr(behind_colon + 1 + kKind.size());
  return text.starts_with(kKind) ? text.substr(kKind.size()) : text;
}

std::vector<std::string_view> split(std::string_view arn) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= arn.size();) {
    const size_t end = std::min(arn.find(':', begin), arn.size());
    parts.push_back(arn.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::unexpected<Refusal> invalid(const std::string& why) { return refuse_about("InvalidArn", "Invalid Arn", why); }

// The parts of an ARN of Step Functions with a resource of this type.
Outcome<std::vector<std::string_view>> parse(std::string_view arn, std::string_view type) {
  auto parts = split(arn);
  if (parts[0] != "arn") return invalid("Invalid ARN prefix: " + std::string(arn));
  if (parts.size() < kPartsMin || parts[2] != "states" || parts[kTypePart + 1].empty())
    return invalid("Resource not recognized: " + std::string(arn));
  if (parts[kTypePart] != type)
    return invalid("Resource type not valid in this context: " + std::string(parts[kTypePart]));
  return parts;
}

std::optional<uint64_t> parse_number(std::string_view text, int base) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const bool whole = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  return whole ? std::optional(number) : std::nullopt;
}

std::string as_uuid(uint64_t number) {
  char digits[18];
  std::snprintf(digits, sizeof(digits), "%04x-%012llx", static_cast<unsigned>(number >> 48),
                static_cast<unsigned long long>(number & 0xFFFFFFFFFFFF));
  return std::string(kGeneratedPrefix) + digits;
}

}  // namespace

Arns::Arns(std::string region, std::string account)
    : region_(std::move(region)),
      account_(std::move(account)),
      prefix_("arn:aws:states:" + region_ + ":" + account_ + ":"),
      function_prefix_("arn:aws:lambda:" + region_ + ":" + account_ + ":function:") {}

std::string Arns::of_function(std::string_view name, std::string_view version) const {
  std::string arn = function_prefix_;
  arn.append(name);
  if (!version.empty()) arn.append(":").append(version);
  return arn;
}

std::string Arns::of_durable(std::string_view function, std::string_view version, std::string_view execution,
                             ExecutionId id) const {
  std::string arn = of_function(function, version);
  arn.append(kDurablePart).append(execution).append("/").append(generated_name(id));
  return arn;
}

std::optional<FunctionArn> Arns::parse_function(std::string_view text) {
  if (text.starts_with("arn:") && !text.starts_with("arn:aws:lambda:")) return std::nullopt;
  text = after_function_kind(text);
  const size_t colon = std::min(text.find(':'), text.size());
  FunctionArn parsed{std::string(text.substr(0, colon)), std::string(text.substr(std::min(colon + 1, text.size())))};
  const bool has_qualifier = colon + 1 < text.size();
  const bool is_name = !parsed.name.empty() && parsed.name.size() <= kFunctionCharactersMax &&
                       std::ranges::all_of(parsed.name, is_function_character);
  const bool is_qualifier = colon == text.size() || (has_qualifier && std::ranges::all_of(parsed.qualifier, [](char c) {
                                                       return is_function_character(c) || c == '$';
                                                     }));
  return is_name && is_qualifier ? std::optional(std::move(parsed)) : std::nullopt;
}

std::optional<ExecutionId> Arns::parse_durable(std::string_view arn) {
  const size_t part = arn.find(kDurablePart);
  const size_t slash = arn.rfind('/');
  if (part == std::string_view::npos || slash < part + kDurablePart.size()) return std::nullopt;
  return parse_generated_name(arn.substr(slash + 1));
}

Outcome<MachineArn> Arns::parse_machine(std::string_view arn) const {
  const auto parts = parse(arn, "stateMachine");
  if (!parts) return std::unexpected(parts.error());
  MachineArn parsed{std::string((*parts)[kTypePart + 1]), std::nullopt, ""};
  if (parts->size() == kPartsMin) return parsed;
  if (parts->size() > kPartsMin + 1 || parts->back().empty())
    return invalid("Resource not recognized: " + std::string(arn));
  parsed.version = parse_number(parts->back(), 10);
  if (!parsed.version) parsed.alias = parts->back();
  return parsed;
}

Outcome<ExecutionArn> Arns::parse_execution(std::string_view arn) const {
  const auto parts = parse(arn, "execution");
  if (!parts) return std::unexpected(parts.error());
  if (parts->size() != kPartsMin + 1) return invalid("Resource not recognized: " + std::string(arn));
  return ExecutionArn{std::string((*parts)[kTypePart + 1]), std::string(parts->back())};
}

Outcome<std::string> Arns::parse_activity(std::string_view arn) const {
  const auto parts = parse(arn, "activity");
  if (!parts) return std::unexpected(parts.error());
  if (parts->size() != kPartsMin) return invalid("Resource not recognized: " + std::string(arn));
  return std::string(parts->back());
}

std::string generated_name(ExecutionId id) { return as_uuid(id.number); }

std::string random_name() {
  char digits[33];
  std::snprintf(digits, sizeof(digits), "%016llx%016llx", static_cast<unsigned long long>(entropy_seed()),
                static_cast<unsigned long long>(entropy_seed()));
  const std::string_view text = digits;
  std::string name;
  for (const auto& [begin, size] :
       {std::pair(0, 8), std::pair(8, 4), std::pair(12, 4), std::pair(16, 4), std::pair(20, 12)})
    name += (name.empty() ? "" : "-") + std::string(text.substr(begin, size));
  return name;
}

std::string revision_name(store::DefinitionId id) { return as_uuid(id.number); }

std::optional<ExecutionId> parse_generated_name(std::string_view name) {
  if (name.size() != kGeneratedSize || !name.starts_with(kGeneratedPrefix)) return std::nullopt;
  name.remove_prefix(kGeneratedPrefix.size());
  const auto high = parse_number(name.substr(0, 4), 16);
  const auto low = parse_number(name.substr(5), 16);
  if (!high || !low) return std::nullopt;
  const ExecutionId id(*high << 48 | *low);
  const bool is_own_spelling = generated_name(id).ends_with(name);
  return is_own_spelling ? std::optional(id) : std::nullopt;
}

}  // namespace pawl::server
