#include "connect/mapped_tasks.h"

#include "connect/pattern.h"
#include "net/url.h"

namespace pawl::connect {

MappedTasks::MappedTasks(TaskTargets targets, MappedTasksOptions options)
    : targets_(std::make_shared<TaskTargets>(std::move(targets))), options_(options) {}

std::shared_ptr<const TaskTarget> MappedTasks::target_of(const TaskRequest& request) const {
  if (const TaskTarget* found = find_by_pattern(*targets_, request.resource))
    return std::shared_ptr<const TaskTarget>(targets_, found);
  if (!options_.call_urls || !net::is_http_url(request.resource)) return nullptr;
  auto direct = std::make_shared<TaskTarget>();
  direct->url = Secretive{request.resource, request.resource};
  return direct;
}

Result<bool> MappedTasks::claims(const TaskRequest& request) { return target_of(request) != nullptr; }

MappedTasks::Expect MappedTasks::start(const TaskRequest& request, AnswerTask answer) {
  pool_.submit(request.task, [target = target_of(request), request, answer = std::move(answer),
                              bytes_max = options_.answer_bytes_max](const std::stop_token& stop) {
    TaskAnswer given = target->url ? call_endpoint(*target, request, bytes_max, stop)
                                   : call_command(*target, request, bytes_max, stop);
    // Where the state waits for its token, this answer only says that the request was accepted.
    if (request.waits_for_token && given.kind == TaskAnswer::Kind::kSucceeded)
      given.kind = TaskAnswer::Kind::kSubmitted;
    answer(std::move(given));
  });
  return Expect::kAnswer;
}

}  // namespace pawl::connect
