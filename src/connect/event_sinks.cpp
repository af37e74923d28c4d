#include "connect/event_sinks.h"

#include <algorithm>

#include "json/parse.h"
#include "net/cloud_event.h"

namespace pawl::connect {

namespace {

constexpr size_t kItemsAtOnce = 100;  // read from the store
constexpr std::chrono::seconds kLookAtLeast{10};

}  // namespace

EventSinks::EventSinks(std::vector<EventSink> sinks, EventSinkOptions options) : options_(options) {
  for (EventSink& sink : sinks) queues_.push_back({std::move(sink), {}, {}, 0, 0});
}

std::vector<std::string> EventSinks::names() const {
  std::vector<std::string> names;
  for (const Queue& queue : queues_) names.push_back(queue.sink.name);
  return names;
}

void EventSinks::serve(engine::Engine& engine) {
  if (queues_.empty()) return;
  engine_ = &engine;
  thread_ = std::thread([this] { work(); });
}

void EventSinks::wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_one();
}

void EventSinks::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void EventSinks::work() {
  for (;;) {
    SteadyTime next = std::chrono::steady_clock::now() + kLookAtLeast;
    for (size_t i = 0; i < queues_.size(); ++i) {
      load(queues_[i]);
      next = std::min(next, send_due(i));
    }
    std::vector<Answered> answers;
    std::vector<store::SinkItemId> again;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_until(lock, next, [&] { return closing_ || woken_ || !answers_.empty(); });
      if (closing_) return;
      woken_ = false;
      answers.swap(answers_);
      again.swap(not_removed_);
    }
    if (!again.empty()) remove(std::move(again));
    for (const Answered& answered : answers) note(answered);
  }
}

void EventSinks::load(Queue& queue) {
  while (queue.loaded < kSinkItemsLoadedMax) {
    auto page = engine_->sink_queue(queue.sink.name, queue.last_loaded, kItemsAtOnce);
    for (store::SinkItem& item : page) {
      queue.last_loaded = item.id;
      ++queue.loaded;
      queue.lines[item.execution].items.push_back(std::move(item));
    }
    if (page.size() < kItemsAtOnce) return;
  }
}

// When the next one is due.
EventSinks::SteadyTime EventSinks::send_due(size_t index) {
  Queue& queue = queues_[index];
  const SteadyTime now = std::chrono::steady_clock::now();
  SteadyTime next = SteadyTime::max();
  for (auto& [execution, line] : queue.lines) {
    if (line.is_out) continue;
    if (queue.calls >= kSinkCallsMax) break;
    if (line.next_attempt > now) {
      next = std::min(next, line.next_attempt);
      continue;
    }
    line.is_out = true;
    ++queue.calls;
    send(index, line.items.front());
  }
  return next;
}

void EventSinks::send(size_t index, const store::SinkItem& item) {
  const EventSink& sink = queues_[index].sink;
  const auto event = json::parse(item.body, {.depth_max = json::kDepthCeiling});
  net::HttpEvent written =
      sink.is_binary && event ? net::write_binary(*event) : net::write_structured(event.value_or(json::Value()));
  net::HttpRequest request;
  request.url = sink.url;
  request.headers = sink.headers;
  request.headers.insert(request.headers.end(), written.headers.begin(), written.headers.end());
  request.body = std::move(written.body);
  request.timeout = options_.timeout;
  calls_.start(net::CallId(++last_call_), std::move(request),
               [this, index, execution = item.execution](Result<net::HttpResponse> response) {
                 const bool is_taken = response && response->status >= 200 && response->status < 300;
                 const std::lock_guard lock(mutex_);
                 answers_.push_back({index, execution, is_taken});
                 changed_.notify_one();
               });
}

void EventSinks::note(const Answered& answered) {
  Queue& queue = queues_[answered.queue];
  Line& line = queue.lines.at(answered.execution);
  line.is_out = false;
  --queue.calls;
  if (!answered.is_taken) {
    failed_.add();
    line.next_attempt = std::chrono::steady_clock::now() + pause_after(++line.failures);
    return;
  }
  delivered_.add();
  remove({line.items.front().id});
  line.items.pop_front();
  line.failures = 0;
  line.next_attempt = {};
  --queue.loaded;
  if (line.items.empty()) queue.lines.erase(answered.execution);
}

// One that stays in the store for now is not sent again before the next start: it is not read twice.
void EventSinks::remove(std::vector<store::SinkItemId> items) {
  engine_->remove_sink_items(items, [this, items](Result<void> removed) {
    if (removed) return;
    const std::lock_guard lock(mutex_);
    not_removed_.insert(not_removed_.end(), items.begin(), items.end());
  });
}

Duration EventSinks::pause_after(uint32_t failures) const {
  constexpr uint32_t kDoublingsMax = 20;
  const Duration pause = options_.first_pause * (int64_t{1} << std::min(failures - 1, kDoublingsMax));
  return std::min(pause, options_.pause_max);
}

}  // namespace pawl::connect
