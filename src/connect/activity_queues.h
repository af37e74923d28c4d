// Where activities wait for workers, and workers for activities.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "engine/activities.h"

namespace pawl::connect {

inline constexpr size_t kActivityPollersMax = 1'000;  // of one activity, as with AWS

// Names one wait of a worker.
using PollId = Id<struct PollTag, uint64_t>;

// Why a worker gets nothing.
enum class NoOffer : uint8_t {
  kTimeIsUp,        // or everything ends
  kTooManyPollers,  // kActivityPollersMax wait for the same
};

// Queues by the offers' resource, first in, first out on both sides.
//
// An offer is handed to one poller and is then no longer here: whether the task is still open, and nobody else's, is
// for the engine to say when the poller takes it. So an offer that comes again while it is being taken does no harm.
//
// Concurrency: any thread may call it. A Hand is called without a lock, by whoever offers or polls, or by the one
// thread that watches the deadlines. Lifecycle: close(), or the destructor, ends the waiting of all.
//
// Limits: kActivityPollersMax pollers of a queue. An offer takes some 150 bytes; there are as many as open tasks that
// no worker has taken.
class ActivityQueues {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  // Called once, with what the worker may take; it must not block.
  using Hand = std::move_only_function<void(std::expected<engine::ActivityOffer, NoOffer>)>;

  ActivityQueues();
  ~ActivityQueues() { close(); }
  ActivityQueues(const ActivityQueues&) = delete;
  ActivityQueues& operator=(const ActivityQueues&) = delete;

  // One that waits already stays at its place.
  void offer(engine::ActivityOffer offer);
  void withdraw(ExecutionId execution, OperationId operation);

  PollId new_poll();
  // Waits in the queue, or is answered at once. One that lost what it was handed may wait again under its id.
  void poll(PollId id, const std::string& resource, Deadline deadline, Hand hand);
  // The worker went away: its Hand is dropped. Nothing where it does not wait.
  void leave(PollId id);
  // Ends the waiting of a queue's pollers.
  void end_polls(std::string_view resource);
  // Ends the waiting of all, now and later. A second call does nothing; not for Hands.
  void close();

  size_t offers() const;
  size_t pollers() const;

 private:
  using OfferKey = std::pair<ExecutionId, OperationId>;
  using Ticket = uint64_t;
  struct Queue {
    std::map<Ticket, OfferKey> offers;
    std::map<Ticket, PollId> pollers;
  };
  using Queues = std::map<std::string, Queue, std::less<>>;
  struct Offered {
    Queues::iterator queue;
    Ticket ticket = 0;
    uint32_t attempt = 0;
  };
  struct Poller {
    Queues::iterator queue;
    Ticket ticket = 0;
    Deadline deadline;
    Hand hand;
  };
  using Pollers = std::map<PollId, Poller>;

  engine::ActivityOffer take_first_offer(Queues::iterator queue);
  void add_poller(PollId id, Queues::iterator queue, Deadline deadline, Hand hand);
  Hand remove_poller(Pollers::iterator poller);
  std::vector<Hand> remove_pollers(const std::vector<PollId>& ids);
  void forget_if_empty(Queues::iterator queue);
  void watch_deadlines();
  std::vector<Hand> remove_expired(Deadline now);

  mutable std::mutex mutex_;  // guards everything below but the thread
  std::condition_variable changed_;
  Queues queues_;
  std::map<OfferKey, Offered> offers_;
  Pollers pollers_;
  std::set<std::pair<Deadline, PollId>> deadlines_;
  Ticket last_ticket_ = 0;
  PollId last_poll_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace pawl::connect
