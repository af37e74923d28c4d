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

namespace {

// Where the state waits for its token, an answer only says that the request was accepted.
TaskAnswer as_expected(TaskAnswer given, const TaskRequest& request) {
  if (request.waits_for_token && given.kind == TaskAnswer::Kind::kSucceeded) given.kind = TaskAnswer::Kind::kSubmitted;
  return given;
}

}  // namespace

MappedTasks::Expect MappedTasks::start(const TaskRequest& request, AnswerTask answer) {
  auto target = target_of(request);
  const size_t bytes_max = options_.answer_bytes_max;
  if (target->url) {
    calls_.start(net::CallId(request.task.number), endpoint_request(*target, request, bytes_max),
                 [target, request, answer = std::move(answer)](const Result<net::HttpResponse>& response) {
                   answer(as_expected(endpoint_answer(*target, request, response), request));
                 });
  } else {
    pool_.submit(request.task, [target, request, answer = std::move(answer), bytes_max](const std::stop_token& stop) {
      answer(as_expected(call_command(*target, request, bytes_max, stop), request));
    });
  }
  return Expect::kAnswer;
}

void MappedTasks::cancel(engine::TaskId task) {
  calls_.cancel(net::CallId(task.number));
  pool_.cancel(task);
}

}  // namespace pawl::connect
