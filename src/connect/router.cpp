#include "connect/router.h"

namespace pawl::connect {

Router::Expect Router::start(const TaskRequest& request, AnswerTask answer) {
  for (TaskSource* source : sources_) {
    const auto claimed = source->claims(request);
    if (!claimed) return refuse(claimed.error());
    if (*claimed) return source->start(request, std::move(answer));
  }
  return refuse({"TASK_NOT_MAPPED", "state '" + request.state + "'",
                 "Nothing answers the task '" + request.state + "' with the Resource '" + request.resource + "'.",
                 unclaimed_fix_});
}

void Router::cancel(engine::TaskId task) {
  for (TaskSource* source : sources_) source->cancel(task);
}

Router::Expect Router::refuse(Error error) {
  if (!refusal_) refusal_ = std::move(error);
  stop_.request_stop();
  return Expect::kAnswer;  // so that virtual time does not run on before the stop is seen
}

}  // namespace pawl::connect
