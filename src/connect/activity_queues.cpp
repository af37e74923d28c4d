#include "connect/activity_queues.h"

#include <iterator>

namespace pawl::connect {

using engine::ActivityOffer;

namespace {

void end_waiting(std::vector<ActivityQueues::Hand> hands) {
  for (ActivityQueues::Hand& hand : hands) hand(std::unexpected(NoOffer::kTimeIsUp));
}

}  // namespace

ActivityQueues::ActivityQueues() : thread_([this] { watch_deadlines(); }) {}

void ActivityQueues::offer(ActivityOffer offer) {
  Hand hand;
  {
    const std::lock_guard lock(mutex_);
    const OfferKey key{offer.execution, offer.operation};
    if (const auto known = offers_.find(key); known != offers_.end()) {
      known->second.attempt = offer.attempt;
      return;
    }
    const auto queue = queues_.try_emplace(offer.resource).first;
    if (queue->second.pollers.empty()) {
      const Ticket ticket = ++last_ticket_;
      queue->second.offers.emplace(ticket, key);
      offers_.emplace(key, Offered{queue, ticket, offer.attempt});
      return;
    }
    hand = remove_poller(pollers_.find(queue->second.pollers.begin()->second));
  }
  hand(std::move(offer));
}

void ActivityQueues::withdraw(ExecutionId execution, OperationId operation) {
  const std::lock_guard lock(mutex_);
  const auto found = offers_.find({execution, operation});
  if (found == offers_.end()) return;
  const Queues::iterator queue = found->second.queue;
  queue->second.offers.erase(found->second.ticket);
  offers_.erase(found);
  forget_if_empty(queue);
}

PollId ActivityQueues::new_poll() {
  const std::lock_guard lock(mutex_);
  return last_poll_ = last_poll_.next();
}

void ActivityQueues::poll(PollId id, const std::string& resource, Deadline deadline, Hand hand) {
  std::expected<ActivityOffer, NoOffer> handed = std::unexpected(NoOffer::kTimeIsUp);
  {
    const std::lock_guard lock(mutex_);
    const auto queue = queues_.try_emplace(resource).first;
    if (!closed_ && !queue->second.offers.empty())
      handed = take_first_offer(queue);
    else if (!closed_ && queue->second.pollers.size() < kActivityPollersMax)
      return add_poller(id, queue, deadline, std::move(hand));
    else if (!closed_)
      handed = std::unexpected(NoOffer::kTooManyPollers);
    forget_if_empty(queue);
  }
  hand(std::move(handed));
}

void ActivityQueues::leave(PollId id) {
  Hand dropped;  // outside of the lock: what it holds may do anything when it ends
  const std::lock_guard lock(mutex_);
  if (const auto found = pollers_.find(id); found != pollers_.end()) dropped = remove_poller(found);
}

void ActivityQueues::end_polls(std::string_view resource) {
  std::vector<Hand> ended;
  {
    const std::lock_guard lock(mutex_);
    const auto queue = queues_.find(resource);
    if (queue == queues_.end()) return;
    std::vector<PollId> ids;
    for (const auto& [ticket, id] : queue->second.pollers) ids.push_back(id);
    ended = remove_pollers(ids);
  }
  end_waiting(std::move(ended));
}

void ActivityQueues::close() {
  std::vector<Hand> ended;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    std::vector<PollId> ids;
    for (const auto& [id, poller] : pollers_) ids.push_back(id);
    ended = remove_pollers(ids);
  }
  changed_.notify_one();
  end_waiting(std::move(ended));
  if (thread_.joinable()) thread_.join();
}

size_t ActivityQueues::offers() const {
  const std::lock_guard lock(mutex_);
  return offers_.size();
}

size_t ActivityQueues::pollers() const {
  const std::lock_guard lock(mutex_);
  return pollers_.size();
}

// --- under the lock

ActivityOffer ActivityQueues::take_first_offer(Queues::iterator queue) {
  const auto first = queue->second.offers.begin();
  const auto offered = offers_.find(first->second);
  ActivityOffer offer{offered->first.first, offered->first.second, offered->second.attempt, queue->first};
  queue->second.offers.erase(first);
  offers_.erase(offered);
  return offer;
}

void ActivityQueues::add_poller(PollId id, Queues::iterator queue, Deadline deadline, Hand hand) {
  const Ticket ticket = ++last_ticket_;
  queue->second.pollers.emplace(ticket, id);
  pollers_.emplace(id, Poller{queue, ticket, deadline, std::move(hand)});
  const auto place = deadlines_.emplace(deadline, id).first;
  if (place == deadlines_.begin()) changed_.notify_one();
}

ActivityQueues::Hand ActivityQueues::remove_poller(Pollers::iterator poller) {
  Hand hand = std::move(poller->second.hand);
  const Queues::iterator queue = poller->second.queue;
  queue->second.pollers.erase(poller->second.ticket);
  deadlines_.erase({poller->second.deadline, poller->first});
  pollers_.erase(poller);
  forget_if_empty(queue);
  return hand;
}

std::vector<ActivityQueues::Hand> ActivityQueues::remove_pollers(const std::vector<PollId>& ids) {
  std::vector<Hand> hands;
  for (const PollId id : ids) hands.push_back(remove_poller(pollers_.find(id)));
  return hands;
}

void ActivityQueues::forget_if_empty(Queues::iterator queue) {
  if (queue->second.offers.empty() && queue->second.pollers.empty()) queues_.erase(queue);
}

std::vector<ActivityQueues::Hand> ActivityQueues::remove_expired(Deadline now) {
  std::vector<PollId> ids;
  for (auto at = deadlines_.begin(); at != deadlines_.end() && at->first <= now; ++at) ids.push_back(at->second);
  return remove_pollers(ids);
}

// --- the thread

void ActivityQueues::watch_deadlines() {
  std::unique_lock lock(mutex_);
  while (!closed_) {
    if (deadlines_.empty()) {
      changed_.wait(lock);
    } else {
      const Deadline next = deadlines_.begin()->first;  // a copy: its place may be gone while the lock is
      changed_.wait_until(lock, next);
    }
    std::vector<Hand> expired = remove_expired(std::chrono::steady_clock::now());
    lock.unlock();
    end_waiting(std::move(expired));
    lock.lock();
  }
}

}  // namespace pawl::connect
