// The tasks of a server's executions, on their way to HTTP endpoints and commands.
//
// When a server ends, its calls are interrupted; that is no answer of theirs. close() is the moment from which answers
// are dropped: the next start of the server makes those calls again.
#pragma once

#include <memory>
#include <shared_mutex>

#include "connect/mapped_tasks.h"
#include "engine/task.h"

namespace pawl::server {

// Any thread may call it.
class WorldTasks final : public engine::TaskHandler {
 public:
  WorldTasks(connect::TaskTargets targets, size_t answer_bytes_max)
      : mapped_(std::move(targets), {.call_urls = true, .answer_bytes_max = answer_bytes_max}) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override { mapped_.cancel(task); }

  // Waits for answers that are being handed over; no later one is.
  void close();

 private:
  struct Gate {
    std::shared_mutex mutex;  // shared while an answer goes through
    bool open = true;
  };

  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  connect::MappedTasks mapped_;
};

}  // namespace pawl::server
