#include "engine/task.h"

namespace pawl::engine {

TaskAnswer TaskAnswer::failed(std::string_view error, std::string_view cause) {
  json::ObjectBuilder value;
  value.set("Error", Value::string(error));
  value.set("Cause", Value::string(cause));
  return {Kind::kFailed, value.build()};
}

TaskAnswer TaskAnswer::timed_out() {
  json::ObjectBuilder value;
  value.set("Error", Value::string("States.Timeout"));
  return {Kind::kTimedOut, value.build()};
}

}  // namespace pawl::engine
