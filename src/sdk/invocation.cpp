#include "sdk/invocation.h"

#include <algorithm>

#include "sdk/operations/recorded_operation.h"
#include "sdk/random_id.h"
#include "sdk/thread_cache.h"

namespace pawl::durable::detail {
namespace {

constexpr std::chrono::milliseconds kBatchedLinger(100);
constexpr int kPollGrowthMax = 10;

using Clock = std::chrono::steady_clock;

void drop_texts(OperationRecord& record) {
  record.result.reset();
  record.error.reset();
}

}  // namespace

Invocation::Invocation(const Handler& handler, InvocationEvent event, DurableService& service, const Config& config)
    : handler_(handler.raw()),
      pace_(handler.pace()),
      event_(std::move(event)),
      service_(service),
      config_(config),
      token_(event_.token) {}

// A frame may refer to what its parent's frame holds, so children go first.
Invocation::~Invocation() {
  closing_ = true;
  while (!operations_.empty()) {
    operations_.back()->release();
    operations_.pop_back();
  }
  root_ = Task<Payload>();
}

Answer Invocation::run() {
  try {
    load_state();
  } catch (const ApiError& error) {
    return answer_for(error);
  } catch (const SerializationError& error) {
    terminate_unreadable(error);
    return std::move(*terminated_);
  }
  start_handler();
  loop();
  return finish();
}

void Invocation::load_state() {
  apply(std::move(event_.operations), true);
  for (std::string marker = std::move(event_.next_marker); !marker.empty();) {
    StatePage page = service_.state(event_.execution_arn, token_, marker, event_.deadline);
    apply(std::move(page.operations), true);
    marker = std::move(page.next_marker);
  }
}

void Invocation::start_handler() {
  const auto execution = std::find_if(records_.begin(), records_.end(), [](const auto& entry) {
    return entry.second.record.type == OperationType::Execution;
  });
  if (execution == records_.end()) {
    return terminate(Answer::Status::Failed, "InvalidEvent", "The event has no EXECUTION operation.");
  }
  execution->second.visited = true;
  root_context_ = &make_context(nullptr, "", "", "");
  root_context_->now = execution->second.record.started;
  const Running running(*this, root_context_);
  root_ = handler_(root_context_->context, execution->second.record.input);
  root_.start(*this);
}

void Invocation::loop() {
  for (;;) {
    drain_inbox();
    run_ready();
    if (terminated_ || root_ended_) return;
    start_bodies();
    expire_bodies();
    if (!inbox_is_empty() || !ready_.empty()) continue;
    if (should_send() || (running_ == 0 && !queue_.empty())) {
      send_batch();
    } else if (running_ == 0) {
      return;
    } else {
      wait_for_bodies_or_time();
    }
  }
}

void Invocation::run_ready() {
  while (!ready_.empty() && !terminated_ && !root_ended_) {
    const auto [coroutine, context] = ready_.front();
    ready_.pop_front();
    if (context != nullptr && context->is_closed()) continue;
    const Running running(*this, context);
    coroutine.resume();
  }
}

// --- bodies of steps ---

void Invocation::run_body(Body body) {
  bodies_.push_back(std::move(body));
  waiting_.push_back(std::prev(bodies_.end()));
}

void Invocation::start_bodies() {
  while (!waiting_.empty() && running_ < std::max<std::size_t>(1, config_.concurrent_steps_max)) {
    const auto body = waiting_.front();
    waiting_.pop_front();
    if (may_run_here(*body)) {
      run_here(body);
    } else {
      run_elsewhere(body);
    }
  }
}

bool Invocation::may_run_here(const Body& body) const {
  return running_ == 0 && waiting_.empty() && body.timeout.count() == 0 && !queue_.is_urgent() &&
         pace_->is_quick(body.step);
}

void Invocation::run_here(std::list<Body>::iterator body) {
  const Time begin = Clock::now();
  body->work();
  pace_->note(body->step, Clock::now() - begin);
  const std::function<void()> done = std::move(body->done);
  bodies_.erase(body);
  done();
}

void Invocation::run_elsewhere(std::list<Body>::iterator body) {
  ++running_;
  if (body->timeout.count() > 0) body->expires = Clock::now() + body->timeout;
  run_on_thread([this, body] {
    const Time begin = Clock::now();
    body->work();
    pace_->note(body->step, Clock::now() - begin);
    post(body);
  });
}

// The lock is held over the notification, so that this is not destroyed under it.
void Invocation::post(std::list<Body>::iterator body) {
  const std::lock_guard lock(mutex_);
  inbox_.push_back(body);
  returned_.notify_one();
}

bool Invocation::inbox_is_empty() {
  const std::lock_guard lock(mutex_);
  return inbox_.empty();
}

void Invocation::drain_inbox() {
  std::vector<std::list<Body>::iterator> returned;
  {
    const std::lock_guard lock(mutex_);
    returned.swap(inbox_);
  }
  for (const auto body : returned) {
    --running_;
    const std::function<void()> done = std::move(body->done);
    bodies_.erase(body);
    if (!terminated_ && !root_ended_) done();
  }
}

void Invocation::expire_bodies() {
  const Time now = Clock::now();
  for (Body& body : bodies_) {
    if (body.context->is_closed()) body.stop.request_stop();
    if (body.expires > now) continue;
    body.expires = Time::max();
    body.stop.request_stop();
    body.timed_out();
  }
}

// No thread of this process may work on behalf of an invocation that has answered.
void Invocation::stop_bodies() {
  for (const auto body : waiting_) bodies_.erase(body);
  waiting_.clear();
  for (Body& body : bodies_) body.stop.request_stop();
  while (running_ > 0) {
    {
      std::unique_lock lock(mutex_);
      returned_.wait(lock, [this] { return !inbox_.empty(); });
    }
    drain_inbox();
  }
}

// --- when to send, how long to wait ---

std::chrono::milliseconds Invocation::linger() const {
  switch (config_.mode) {
    case CheckpointMode::Eager:
      return config_.start_linger;
    case CheckpointMode::Batched:
      return kBatchedLinger;
    case CheckpointMode::Optimistic:
      return std::chrono::hours(24);
  }
  return config_.start_linger;
}

bool Invocation::should_send() const {
  const Time now = Clock::now();
  if (now >= next_poll_) return true;
  if (queue_.empty()) return false;
  if (queue_.is_urgent() || queue_.is_full()) return true;
  if (queue_.waiting_since() && *queue_.waiting_since() + linger() <= now) return true;
  return event_.deadline != Time::max() && now >= event_.deadline - config_.deadline_margin;
}

Invocation::Time Invocation::next_time() const {
  Time next = next_poll_;
  if (queue_.waiting_since()) next = std::min(next, *queue_.waiting_since() + linger());
  if (!queue_.empty() && event_.deadline != Time::max())
    next = std::min(next, event_.deadline - config_.deadline_margin);
  for (const Body& body : bodies_) next = std::min(next, body.expires);
  return next;
}

// While bodies run, what else waits is asked for: when it is due, or now and then where nobody knows when.
void Invocation::plan_poll() {
  next_poll_ = Time::max();
  const Time now = Clock::now();
  for (const auto& [id, operation] : watchers_) {
    const OperationRecord* record = find(id);
    if (record == nullptr || is_terminal(record->status)) continue;
    const auto due = record->scheduled_end ? record->scheduled_end : record->next_attempt;
    const auto delay = due ? std::max(service_.until(*due), std::chrono::milliseconds(1))
                           : config_.poll_interval * std::min(polls_ + 1, kPollGrowthMax);
    next_poll_ = std::min(next_poll_, now + delay);
  }
  if (event_.deadline != Time::max() && next_poll_ > event_.deadline - config_.deadline_margin)
    next_poll_ = Time::max();
}

void Invocation::wait_for_bodies_or_time() {
  if (next_poll_ == Time::max()) plan_poll();
  const Time until = next_time();
  std::unique_lock lock(mutex_);
  const auto returned = [this] { return !inbox_.empty(); };
  if (until == Time::max()) {
    returned_.wait(lock, returned);
  } else {
    returned_.wait_until(lock, until, returned);
  }
}

// --- checkpoints ---

void Invocation::send(const ContextState& from, OperationUpdate update, Urgency urgency,
                      std::function<void()> acknowledged) {
  if (stopped() || from.is_closed()) return;
  queue_.push({std::move(update), std::move(acknowledged)}, urgency, Clock::now());
}

void Invocation::send_batch() {
  std::vector<QueuedUpdate> batch = queue_.take_batch();
  std::vector<OperationUpdate> updates;
  updates.reserve(batch.size());
  for (QueuedUpdate& queued : batch) updates.push_back(std::move(queued.update));
  polls_ = updates.empty() ? polls_ + 1 : 0;
  next_poll_ = Time::max();
  try {
    call_service(std::move(updates));
  } catch (const ApiError& error) {
    return terminate(answer_for(error));
  } catch (const SerializationError& error) {
    return terminate_unreadable(error);
  }
  for (QueuedUpdate& queued : batch) {
    if (queued.acknowledged) queued.acknowledged();
  }
  tell_changed();
}

void Invocation::call_service(std::vector<OperationUpdate> updates) {
  if (!accepts_checkpoints_)
    throw ApiError(400, "InvalidParameterValueException",
                   "Invalid checkpoint token: the service gave none with its last answer.");
  CheckpointAnswer answer =
      service_.checkpoint({event_.execution_arn, token_, random_uuid(), std::move(updates)}, event_.deadline);
  accepts_checkpoints_ = answer.token.has_value();
  if (answer.token) token_ = std::move(*answer.token);
  apply(std::move(answer.operations), false);
  follow_pages(std::move(answer.next_marker));
}

void Invocation::follow_pages(std::string marker) {
  while (!marker.empty()) {
    StatePage page = service_.state(event_.execution_arn, token_, marker, event_.deadline);
    apply(std::move(page.operations), false);
    marker = std::move(page.next_marker);
  }
}

// An operation that this run has begun and that does not watch its record knows how it ended.
void Invocation::apply(std::vector<OperationRecord> records, bool from_before) {
  for (OperationRecord& record : records) {
    const bool is_watched = watchers_.contains(record.id);
    if (is_watched) changed_.push_back(record.id);
    Entry& entry = records_[record.id];
    entry.from_before = entry.from_before || from_before;
    entry.record = std::move(record);
    const bool is_own = !entry.from_before && !is_watched && is_terminal(entry.record.status);
    if (is_own || entry.released) drop_texts(entry.record);
  }
}

void Invocation::tell_changed() {
  for (const std::string& id : std::exchange(changed_, {})) {
    const auto watcher = watchers_.find(id);
    if (watcher == watchers_.end()) continue;
    RecordedOperation& operation = *watcher->second;
    const OperationRecord& record = records_.at(id).record;
    if (is_terminal(record.status)) watchers_.erase(watcher);
    operation.recorded(record);
  }
}

Answer Invocation::answer_for(const ApiError& error) const {
  Answer answer;
  answer.status = error.is_stale_token() || error.is_transient() ? Answer::Status::Retry : Answer::Status::Failed;
  answer.error = ErrorObject{
      "CheckpointError", "The service refused a call: " + error.code() + ": " + error.what(), std::nullopt, {}};
  return answer;
}

// --- what operations ask for ---

void Invocation::check_use(const ContextState& context) const {
  if (std::this_thread::get_id() != thread_) {
    throw ValidationError(
        "A context was used on another thread. The body of a step must not use one: return its result and go on "
        "outside.");
  }
  if (!closing_ && current_ != &context) {
    throw ValidationError("The context \"" + context.name +
                          "\" was used outside of its branch. Use the context that the branch was given.");
  }
}

const OperationRecord* Invocation::find(const std::string& id) const {
  const auto found = records_.find(id);
  return found == records_.end() ? nullptr : &found->second.record;
}

bool Invocation::was_recorded_before(const std::string& id) const {
  const auto found = records_.find(id);
  return found != records_.end() && found->second.from_before;
}

void Invocation::visit(const std::string& id) {
  const auto found = records_.find(id);
  if (found != records_.end()) found->second.visited = true;
}

void Invocation::release(const std::string& id) {
  const auto found = records_.find(id);
  if (found == records_.end()) return;
  found->second.released = true;
  drop_texts(found->second.record);
}

void Invocation::watch(RecordedOperation& operation) { watchers_[operation.id()] = &operation; }

ContextState& Invocation::make_context(ContextState* parent, std::string prefix, std::string parent_id,
                                       std::string name) {
  return contexts_.emplace_back(*this, parent, std::move(prefix), std::move(parent_id), std::move(name));
}

void Invocation::keep(std::shared_ptr<Operation> operation) { operations_.push_back(std::move(operation)); }

void Invocation::wake(std::coroutine_handle<> coroutine, ContextState* context) {
  ready_.emplace_back(coroutine, context);
}

void Invocation::terminate(Answer answer) {
  if (!terminated_ && !closing_) terminated_ = std::move(answer);
}

void Invocation::terminate(Answer::Status status, std::string type, std::string message) {
  terminate(Answer{status, std::nullopt, ErrorObject{std::move(type), std::move(message), std::nullopt, {}}});
}

// Another invocation may get an answer that can be read.
void Invocation::terminate_unreadable(const SerializationError& error) {
  terminate(Answer::Status::Retry, "InvalidAnswer",
            std::string("The service's answer could not be read: ") + error.what());
}

std::shared_ptr<const LogScope> Invocation::log_scope(const ContextState* context, const std::string& operation_id,
                                                      const std::string& name, int attempt) const {
  auto scope = std::make_shared<LogScope>();
  scope->sink = config_.log ? config_.log : LogSink(log_to_stdout);
  scope->level = config_.log_level;
  scope->common.execution_arn = event_.execution_arn;
  scope->common.request_id = event_.request_id;
  scope->common.tenant_id = event_.tenant_id;
  scope->common.operation_id = operation_id;
  scope->common.operation_name = name;
  scope->common.attempt = attempt;
  if (context != nullptr) {
    scope->is_silent = [context] { return context->is_replaying() && !context->logs_in_replay(); };
  }
  return scope;
}

}  // namespace pawl::durable::detail
