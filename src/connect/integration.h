// Resources of service integrations, arn:aws:states:::SERVICE:ACTION, and what is sent for them to a target that stands
// in for the service.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace pawl::connect {

// Of arn:aws:states:::aws-sdk:sqs:sendMessage.waitForTaskToken: "aws-sdk:sqs" and "sendMessage".
struct Integration {
  std::string_view service;
  std::string_view action;  // without .sync, .sync:2 and .waitForTaskToken

  bool is(std::string_view wanted_service, std::string_view wanted_action) const {
    return service == wanted_service && action == wanted_action;
  }
};

// Nothing where the Resource is none.
std::optional<Integration> parse_integration(std::string_view resource);

// {"resource", "action", "parameters"}
json::Value integration_input(std::string_view resource, const Integration& integration, json::Value parameters);

}  // namespace pawl::connect
