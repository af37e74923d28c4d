// Tasks answered from a recording.
#pragma once

#include <string>
#include <vector>

#include "engine/task.h"
#include "normalise.h"
#include "recording.h"

namespace pawl::conformance {

// A call is found by its state's name and, of several that are left, by what it asks; the answers are given in the
// order in which the recording has them. A call that timed out, or that no recording answers, gets none. One run, one
// thread.
class RecordedTasks final : public engine::TaskHandler {
 public:
  RecordedTasks(const std::vector<RecordedCall>& calls, const Transformers& transformers);

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override;

  // What was asked otherwise than recorded, one line each; calls that were never made too.
  std::vector<std::string> complaints() const;

 private:
  struct Call {
    const RecordedCall* recorded = nullptr;
    bool is_taken = false;
    engine::AnswerTask answer;  // until it is given
  };

  Call* find(const engine::TaskRequest& request, const Value& asked);
  void give_what_is_due();

  const Transformers& transformers_;
  std::vector<Call> calls_;     // in the order of scheduling
  std::vector<size_t> by_end_;  // places in calls_, in the order of their ends
  size_t given_ = 0;            // that many of by_end_ have had their answer
  std::vector<std::string> complaints_;
};

}  // namespace pawl::conformance
