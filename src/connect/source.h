// One way of reaching tasks. A Router asks its sources in order.
#pragma once

#include "base/result.h"
#include "engine/task.h"

namespace pawl::connect {

using engine::AnswerTask;
using engine::TaskAnswer;
using engine::TaskRequest;
using json::Value;

class TaskSource : public engine::TaskHandler {
 public:
  // Whether the request is for this source, which is then asked to start it. An error ends the whole run: it is a
  // mistake of whoever set the run up, and no Catch of the definition may hide it.
  virtual Result<bool> claims(const TaskRequest& request) = 0;
};

}  // namespace pawl::connect
