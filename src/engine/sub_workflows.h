// Executions that an execution starts as its sub-workflows, in any language: operations on the resource "workflow:ID".
//
// The operation's input is {"input", "functions", "events"}: what the sub-workflow gets, and what it inherits. One of
// kind kChild ends when the sub-workflow does, with {"output", "terminated"}; one of kind kTask when it has started,
// with null. A sub-workflow that was started by the same call before a crash is found again (engine/children.h).
//
// A definition may not be its own sub-workflow, not by way of others either: an execution's labels hold the names of
// those that it is a part of.
#pragma once

#include <atomic>
#include <expected>
#include <string>
#include <string_view>

#include "engine/children.h"
#include "engine/engine.h"
#include "engine/task.h"

namespace pawl::engine {

inline constexpr size_t kSubWorkflowDepthMax = 64;
inline constexpr std::string_view kWorkflowResource = "workflow:";
inline constexpr std::string_view kWorkflowForm = "workflow";  // of the links of kind kChild

// Any thread may call it, from the moment the engine is opened; calls wait until serve() was called.
class SubWorkflows final : public Children {
 public:
  struct World {
    Engine& engine;
    Programs& programs;
    const store::Store& store;
    const Clock& clock;
  };

  // The world, and what is in it, outlives every call.
  void serve(const World& world);

  static bool claims(std::string_view resource) { return resource.starts_with(kWorkflowResource); }
  void start(const TaskRequest& request, AnswerTask answer);
  // In the form kWorkflowForm.
  ChildEnd end_of(const Description& child, std::string_view form) override;

 private:
  const World& world() const;
  std::atomic<const World*> world_ = nullptr;
};

}  // namespace pawl::engine
