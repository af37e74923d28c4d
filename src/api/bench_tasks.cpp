#include "api/bench_tasks.h"

namespace pawl::api {

using engine::TaskAnswer;
using engine::TaskHandler;
using engine::TaskRequest;

TaskHandler::Expect BenchTasks::start(const TaskRequest& request, engine::AnswerTask answer) {
  if (engine::SubWorkflows::claims(request.resource)) {
    workflows_.start(request, std::move(answer));
    return Expect::kNothing;  // the engine itself goes on with it
  }
  {
    const std::lock_guard lock(shared_->mutex);
    const auto known = shared_->calls.find(request.idempotency_key);
    if (known != shared_->calls.end()) return repeat(known->second, request, answer);
    shared_->in_flight.insert(request.task);
    if (keeps_answers_) shared_->calls[request.idempotency_key];
  }
  const auto take = [shared = shared_, task = request.task, key = keeps_answers_ ? request.idempotency_key : "",
                     answer = std::move(answer)](TaskAnswer given) {
    answer(given);  // first: who sees nothing in flight has the answer at hand
    const std::lock_guard lock(shared->mutex);
    shared->in_flight.erase(task);
    shared->has_news = true;
    if (!key.empty()) shared->calls[key].answers.push_back(std::move(given));
    shared->changed.notify_all();
  };
  const Expect expect = tasks_.start(request, take);
  const std::lock_guard lock(shared_->mutex);
  if (expect == Expect::kNothing) shared_->in_flight.erase(request.task);
  if (keeps_answers_) shared_->calls[request.idempotency_key].expect = expect;
  return expect;
}

// One that is still out, and whose answer was meant for the engine before the restart, is waited for by nobody: tests
// of recovery answer at once.
TaskHandler::Expect BenchTasks::repeat(const Call& call, const TaskRequest&, const engine::AnswerTask& answer) {
  for (const TaskAnswer& given : call.answers) answer(given);
  return call.expect;
}

void BenchTasks::cancel(engine::TaskId task) {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->in_flight.erase(task);
  }
  tasks_.cancel(task);
}

bool BenchTasks::has_any_in_flight() {
  const std::lock_guard lock(shared_->mutex);
  return !shared_->in_flight.empty();
}

void BenchTasks::wait(Timestamp until, const std::stop_token& stop) {
  std::unique_lock lock(shared_->mutex);
  const auto has_news = [&] { return shared_->has_news; };
  if (until == kNever)
    shared_->changed.wait(lock, stop, has_news);
  else
    shared_->changed.wait_until(lock, stop, until, has_news);
  shared_->has_news = false;
}

}  // namespace pawl::api
