// What a Task's Resource names, as AWS's histories tell it.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::asl {

enum class ResourceFamily : uint8_t {
  kLambdaFunction,  // arn:aws:lambda:us-east-1:111111111111:function:NAME
  kActivity,        // arn:aws:states:us-east-1:111111111111:activity:NAME
  kTask,            // a service integration, and everything else
};

// Views into the Resource's text. Of a service integration, arn:aws:states:::sqs:sendMessage.waitForTaskToken, the type
// is "sqs" and the action "sendMessage.waitForTaskToken"; of a URL the type is "http" and the action the URL.
struct ResourceName {
  ResourceFamily family = ResourceFamily::kTask;
  std::string_view type;
  std::string_view action;
};

ResourceName parse_resource(std::string_view resource);

// The n-th part of an ARN, from 0; the last part that is asked for does not include what follows. Empty where there is
// none.
std::string_view arn_part(std::string_view arn, size_t index);

}  // namespace pawl::asl
