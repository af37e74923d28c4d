// arn:aws:states:::lambda:invoke: a function by its name, its Payload, and the answer in AWS's wrapping.
#pragma once

#include <string_view>

#include "connect/task_map.h"
#include "engine/task.h"

namespace pawl::connect {

// The target of a function: a name, NAME:QUALIFIER, or an ARN with or without a qualifier. Null where there is none.
//
// A name stands for the function of that name in any region and account: an entry for one comes first, then patterns.
const TaskTarget* find_function(const TaskTargets& targets, std::string_view function);

// What the function is called with.
json::Value lambda_payload(const json::Value& parameters);

// What the state gets of the function's answer: {"ExecutedVersion", "Payload", …}; of an invocation of type Event that
// it was accepted, whatever came of it.
engine::TaskAnswer lambda_answer(const engine::TaskRequest& request, engine::TaskAnswer given);

}  // namespace pawl::connect
