// The fixed part of the Context Object, made when an execution starts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace pawl::asl {

using json::Value;

struct ContextFacts {
  std::string_view execution_arn;
  std::string_view execution_name;
  std::string_view role_arn;
  std::string_view machine_arn;
  std::string_view machine_name;
  Timestamp started;
  bool counts_redrives = true;  // an Express execution is never redriven
};

// {"Execution":{Id,Input,Name,RoleArn,StartTime,RedriveCount},"StateMachine":{Id,Name}}; members of `given` (an object
// or null) replace or add to it, object by object.
Value make_context(const ContextFacts& facts, const Value& input, const Value& given);

// The fields of a part that is given ("Execution", "State", …) replace those there are; null gives nothing.
Value replace_in_context(const Value& context, const Value& given);

// As it is from a redrive on: Execution.RedriveCount is one more, and there is Execution.RedriveTime.
Value redriven_context(const Value& context, uint32_t count, Timestamp time);

}  // namespace pawl::asl
