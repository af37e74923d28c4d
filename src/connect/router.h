// Sends each task to the first source that claims it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "connect/source.h"

namespace pawl::connect {

// A task that no source claims, or that its source cannot answer, is no failure of the task: the router notes the error
// and asks for the run to be stopped. Used by one run, on its thread.
class Router final : public engine::TaskHandler {
 public:
  // `unclaimed_fix` says what the user can do about a task that nothing claims.
  Router(std::stop_source stop, std::string unclaimed_fix)
      : stop_(std::move(stop)), unclaimed_fix_(std::move(unclaimed_fix)) {}

  void add(TaskSource& source) { sources_.push_back(&source); }

  Expect start(const TaskRequest& request, AnswerTask answer) override;
  void cancel(engine::TaskId task) override;

  const std::optional<Error>& refusal() const { return refusal_; }  // why the run was stopped

 private:
  Expect refuse(Error error);

  std::stop_source stop_;
  std::string unclaimed_fix_;
  std::vector<TaskSource*> sources_;
  std::optional<Error> refusal_;
};

}  // namespace pawl::connect
