// Tasks that leave the process: HTTP endpoints and commands, as --tasks maps them, and Resources that are URLs
// themselves.
#pragma once

#include <memory>

#include "connect/source.h"
#include "connect/task_map.h"
#include "connect/worker_pool.h"

namespace pawl::connect {

struct MappedTasksOptions {
  bool call_urls = true;              // a Resource http(s)://… that nothing maps is called directly
  size_t answer_bytes_max = 262'144;  // a larger answer is States.DataLimitExceeded
};

// A call takes a thread of the pool. The timeout of the target and that of the state count real time, whichever is
// shorter.
class MappedTasks final : public TaskSource {
 public:
  MappedTasks(TaskTargets targets, MappedTasksOptions options);

  Result<bool> claims(const TaskRequest& request) override;
  Expect start(const TaskRequest& request, AnswerTask answer) override;
  void cancel(engine::TaskId task) override { pool_.cancel(task); }

 private:
  std::shared_ptr<const TaskTarget> target_of(const TaskRequest& request) const;

  std::shared_ptr<const TaskTargets> targets_;
  MappedTasksOptions options_;
  WorkerPool pool_;  // the last member, so that its threads end before what they use
};

// What an HTTP endpoint or a command answered, as the engine takes it.
TaskAnswer call_endpoint(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max,
                         const std::stop_token& stop);
TaskAnswer call_command(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max,
                        const std::stop_token& stop);

}  // namespace pawl::connect
