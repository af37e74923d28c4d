// A shard's commits: what gathers goes to the writer; what becomes of it is told.
#include <utility>

#include "engine/shard.h"

namespace pawl::engine {

void Shard::submit() {
  in_flight_ = std::exchange(gathering_, Gathering{});
  in_flight_.batch.shard = id_;
  in_flight_.batch.epoch = epoch_;
  for (const ExecutionId id : in_flight_.touched) {
    const auto found = loaded_.find(id);
    if (found != loaded_.end() && !found->second->unsaved().empty())
      found->second->save({store::ChunkId(++shared_.last_chunk), retention_of(*found->second),
                           store::EventNumber(shared_.last_event.load())},
                          in_flight_.batch, in_flight_.shapes);
  }
  submit_events();
  committing_ = true;
  if (in_flight_.batch.empty()) return settle({});
  // Where one execution goes on and nothing else waits, a commit on another thread would only be slower.
  if (!shared_.options.commits_apart && in_flight_.touched.size() <= 1 && inbox_->is_empty())
    if (const auto result = shared_.writer.commit_here(in_flight_.batch)) return settle(*result);
  // The inbox, not the shard: the writer may still be in post() when the shard has taken the message and is gone.
  shared_.writer.submit(std::exchange(in_flight_.batch, {}), [inbox = inbox_](const store::CommitResult& result) {
    inbox->post([result](Shard& shard) { shard.settle(result); }, true);
  });
}

void Shard::settle(const store::CommitResult& result) {
  Gathering done = std::exchange(in_flight_, Gathering{});
  committing_ = false;
  if (result) {
    settle_events(done);
    for (const PendingEffect& pending : done.effects) perform(pending);
  } else {
    Gathering on_top = std::exchange(gathering_, Gathering{});
    forget(done);
    forget(on_top);
    roll_back_events();
    for (Settle& answer : on_top.answers) done.answers.push_back(std::move(answer));
    done.names.insert(done.names.end(), on_top.names.begin(), on_top.names.end());
  }
  for (Settle& answer : done.answers) answer(result);
  if (result)
    for (const store::Message& message : done.sent) deliver(message);
  if (result)
    for (const ExecutionId id : done.touched) shared_.watchers.notify(id);
  for (const store::NameRow& name : done.names) {
    const auto [begin, end] = unsaved_names_.equal_range(name.hash);
    for (auto at = begin; at != end;) at = at->second == name.execution ? unsaved_names_.erase(at) : std::next(at);
  }
  for (const ExecutionId id : done.touched) release_if_idle(id);
}

// Nothing of the commit is there. What is stored is looked at again after a pause: a timer that had fired, a task whose
// result was in it, a message.
void Shard::forget(const Gathering& void_ones) {
  if (void_ones.has_heeded) timers_.insert({now() + kPauseAfterRollback, ExecutionId()});
  for (const ExecutionId id : void_ones.touched) {
    loaded_.erase(id);
    timers_.insert({now() + kPauseAfterRollback, id});
  }
}

}  // namespace pawl::engine
