#include "lang/asl/resource.h"

namespace pawl::asl {

namespace {

constexpr size_t kService = 2;
constexpr size_t kResourceKind = 5;
constexpr size_t kFixedParts = 5;  // arn, partition, service, region, account

// What follows the first `parts` parts, each with its colon.
std::string_view after_parts(std::string_view arn, size_t parts) {
  for (; parts > 0; --parts) {
    const size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return {};
    arn.remove_prefix(colon + 1);
  }
  return arn;
}

// "sqs:sendMessage" is the service sqs; "aws-sdk:sqs:sendMessage" the service aws-sdk:sqs.
ResourceName parse_integration(std::string_view name) {
  constexpr std::string_view kSdk = "aws-sdk:";
  const size_t colon = name.find(':', name.starts_with(kSdk) ? kSdk.size() : 0);
  if (colon == std::string_view::npos) return {ResourceFamily::kTask, name, name};
  return {ResourceFamily::kTask, name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace

std::string_view arn_part(std::string_view arn, size_t index) {
  const std::string_view rest = after_parts(arn, index);
  return rest.substr(0, rest.find(':'));
}

ResourceName parse_resource(std::string_view resource) {
  if (resource.starts_with("https://") || resource.starts_with("http://"))
    return {ResourceFamily::kTask, "http", resource};
  if (!resource.starts_with("arn:")) return {ResourceFamily::kTask, "task", resource};
  const std::string_view service = arn_part(resource, kService);
  const std::string_view kind = arn_part(resource, kResourceKind);
  if (service == "lambda" && kind == "function") return {ResourceFamily::kLambdaFunction, "lambda", resource};
  if (service == "states" && kind == "activity") return {ResourceFamily::kActivity, "activity", resource};
  if (service == "states") return parse_integration(after_parts(resource, kFixedParts));
  return {ResourceFamily::kTask, service, resource};
}

}  // namespace pawl::asl
