// The short texts that a picture of a definition shows: what a state does, when a rule holds, which errors go where.
// They have at most graph::kLabelBytesMax bytes.
#pragma once

#include <string>

#include "json/value.h"
#include "lang/asl/model.h"

namespace pawl::asl {

std::string detail_text(const State& state);          // "Task · lambda:invoke", "Wait · 10 s"
std::string retry_text(const State& state);           // "↻ 3", empty without retriers that retry
std::string rule_text(const json::Value& rule);       // "$.total > 100"
std::string errors_text(const json::Value& catcher);  // "any error", "Declined, States.Timeout"

}  // namespace pawl::asl
