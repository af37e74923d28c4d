// Task states that start executions of this server: arn:aws:states:::states:startExecution, plain, .sync, .sync:2 and
// .waitForTaskToken.
//
// Plain, the task ends when the execution has started. With .sync and .sync:2 it ends when that one does: the engine
// waits for it (engine/children.h), and this tells it how the end is told. An execution that was started by the same
// call before a crash is found again. Sub-workflows of other languages are the engine's own (engine/sub_workflows.h).
#pragma once

#include <atomic>
#include <optional>
#include <string_view>

#include "engine/children.h"
#include "engine/sub_workflows.h"
#include "engine/task.h"
#include "server/service.h"

namespace pawl::server {

// Any thread may call it, from the moment the engine is opened; calls wait until serve() was called.
class NestedExecutions final : public engine::Children {
 public:
  // What is started is the service's, which outlives every call.
  void serve(Service& service);

  static bool claims(std::string_view resource);
  void start(const engine::TaskRequest& request, engine::AnswerTask answer);
  engine::ChildEnd end_of(const engine::Description& child, std::string_view form) override;

 private:
  Service& service() const;
  std::atomic<Service*> service_ = nullptr;
  engine::SubWorkflows workflows_;
  std::optional<engine::SubWorkflows::World> world_;
};

}  // namespace pawl::server
