// The short texts that a picture of a workflow shows: what a state does, how it starts, when a way is taken.
#pragma once

#include <string>

#include "lang/serverless/model.h"

namespace pawl::serverless {

std::string start_text(const Start& start, const State& state);  // "every 0 0/15 * * * ?", "on HighTemperature"
std::string detail_text(const State& state);                     // "delay · PT5S", "operation · charge, ship"
std::string retry_text(const State& state);                      // "↻", empty without retries
std::string branch_text(const Body& body);                       // what a branch or an iteration does
std::string expression_text(const Expression& expression);       // without its braces

}  // namespace pawl::serverless
