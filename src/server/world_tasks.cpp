#include "server/world_tasks.h"

#include <mutex>

namespace pawl::server {

WorldTasks::Expect WorldTasks::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  auto guarded = [gate = gate_, answer = std::move(answer)](engine::TaskAnswer given) {
    const std::shared_lock lock(gate->mutex);
    if (gate->open) answer(std::move(given));
  };
  const auto claimed = mapped_.claims(request);
  if (claimed && *claimed) return mapped_.start(request, std::move(guarded));
  // States.Runtime, so that no Catch hides a mistake of whoever set the server up.
  guarded(engine::TaskAnswer::failed("States.Runtime", "TASK_NOT_MAPPED: Nothing answers the Resource '" +
                                                           request.resource + "'. Map it in the file of --tasks."));
  return Expect::kAnswer;
}

void WorldTasks::close() {
  const std::lock_guard lock(gate_->mutex);
  gate_->open = false;
}

}  // namespace pawl::server
