#include "connect/function_calls.h"

#include <algorithm>
#include <utility>

namespace pawl::connect {

WorkerId FunctionCalls::new_worker() {
  const std::lock_guard lock(mutex_);
  return WorkerId(++last_worker_);
}

// With the lock held.
void FunctionCalls::hand_over(FunctionCall& call, Ended ended, WorkerId worker) {
  if (call.timeout.count() != 0) call.deadline = SystemClock().now() + call.timeout;
  taken_[call.id] = {worker, call.deadline, std::move(ended)};
}

void FunctionCalls::submit(FunctionCall call, Ended ended) {
  Take take;
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    Queue& queue = queues_[call.function];
    if (queue.polls.empty()) {
      queue.calls.push_back({std::move(call), std::move(ended)});
      return;
    }
    Poll poll = std::move(queue.polls.front());
    queue.polls.pop_front();
    hand_over(call, std::move(ended), poll.worker);
    take = std::move(poll.take);
  }
  take(std::move(call));
}

void FunctionCalls::withdraw(std::string_view id) {
  const std::lock_guard lock(mutex_);
  if (const auto found = taken_.find(id); found != taken_.end()) {
    found->second.ended = nullptr;  // whoever took it still has until its deadline
    return;
  }
  for (auto& [function, queue] : queues_)
    std::erase_if(queue.calls, [&](const Waiting& waiting) { return waiting.call.id == id; });
}

NextId FunctionCalls::next(WorkerId worker, const std::string& function, Take take) {
  std::optional<FunctionCall> call;
  NextId id;
  {
    const std::lock_guard lock(mutex_);
    id = NextId(++last_next_);
    Queue& queue = queues_[function];
    queue.is_served = true;
    if (!is_closed_ && queue.calls.empty()) {
      queue.polls.push_back({id, worker, std::move(take)});
      return id;
    }
    if (!is_closed_) {
      Waiting waiting = std::move(queue.calls.front());
      queue.calls.pop_front();
      hand_over(waiting.call, std::move(waiting.ended), worker);
      call = std::move(waiting.call);
    }
  }
  take(std::move(call));
  return id;
}

void FunctionCalls::forget(NextId id) {
  const std::lock_guard lock(mutex_);
  for (auto& [function, queue] : queues_) std::erase_if(queue.polls, [&](const Poll& poll) { return poll.id == id; });
}

FunctionCalls::Ended FunctionCalls::take_ended(WorkerId worker, std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto found = taken_.find(id);
  if (is_closed_ || found == taken_.end() || found->second.worker != worker) return nullptr;
  Ended ended = std::move(found->second.ended);
  taken_.erase(found);
  return ended;
}

bool FunctionCalls::answer(WorkerId worker, std::string_view id, std::string body) {
  Ended ended = take_ended(worker, id);
  if (!ended) return false;
  ended({.is_success = true, .body = std::move(body), .error_type = {}, .message = {}, .trace = {}});
  return true;
}

bool FunctionCalls::fail(WorkerId worker, std::string_view id, CallEnd failure) {
  Ended ended = take_ended(worker, id);
  if (!ended) return false;
  ended(std::move(failure));
  return true;
}

void FunctionCalls::leave(WorkerId worker, std::string_view error_type, std::string_view message) {
  std::vector<Ended> ended;
  std::vector<Take> sent_away;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = taken_.begin(); at != taken_.end();) {
      const bool is_its = at->second.worker == worker;
      if (is_its && at->second.ended) ended.push_back(std::move(at->second.ended));
      at = is_its ? taken_.erase(at) : std::next(at);
    }
    for (auto& [function, queue] : queues_)
      for (auto at = queue.polls.begin(); at != queue.polls.end();) {
        const bool is_its = at->worker == worker;
        if (is_its) sent_away.push_back(std::move(at->take));
        at = is_its ? queue.polls.erase(at) : std::next(at);
      }
  }
  for (Ended& end : ended)
    end({.is_success = false,
         .body = {},
         .error_type = std::string(error_type),
         .message = std::string(message),
         .trace = {}});
  for (Take& take : sent_away) take(std::nullopt);
}

std::vector<WorkerId> FunctionCalls::expire(Timestamp now) {
  std::vector<Ended> ended;
  std::vector<WorkerId> workers;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = taken_.begin(); at != taken_.end();) {
      const bool is_late = at->second.deadline <= now;
      if (is_late && at->second.ended) ended.push_back(std::move(at->second.ended));
      if (is_late) workers.push_back(at->second.worker);
      at = is_late ? taken_.erase(at) : std::next(at);
    }
  }
  for (Ended& end : ended)
    end({.is_success = false,
         .body = {},
         .error_type = "Sandbox.Timedout",
         .message = "The function did not answer in time.",
         .trace = {}});
  return workers;
}

Timestamp FunctionCalls::next_deadline() const {
  const std::lock_guard lock(mutex_);
  Timestamp next = kNever;
  for (const auto& [id, taken] : taken_) next = std::min(next, taken.deadline);
  return next;
}

bool FunctionCalls::is_served(std::string_view function) const {
  const std::lock_guard lock(mutex_);
  const auto found = queues_.find(function);
  return found != queues_.end() && found->second.is_served;
}

void FunctionCalls::close() {
  std::vector<Take> sent_away;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (auto& [function, queue] : queues_)
      for (Poll& poll : queue.polls) sent_away.push_back(std::move(poll.take));
    queues_.clear();
    taken_.clear();
  }
  for (Take& take : sent_away) take(std::nullopt);
}

}  // namespace pawl::connect
