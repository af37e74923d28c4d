// The service's side of one execution, in memory: records, tokens, timers and the scripted world.
#include <algorithm>
#include <array>

#include "pawl/durable_testing.h"
#include "sdk/testing/update_rules.h"

namespace pawl::durable::testing {
namespace {

// 2026-01-01T00:00:00Z, so that runs are the same on each day.
constexpr Timestamp kStart{std::chrono::milliseconds(1'767'225'600'000)};

std::string base64(std::string_view text) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 3; ++byte)
      bits = bits << 8 | (at + byte < text.size() ? static_cast<unsigned char>(text[at + byte]) : 0U);
    for (std::size_t digit = 0; digit < 4; ++digit)
      out += at + digit <= text.size() ? kDigits[bits >> (18 - 6 * digit) & 63] : '=';
  }
  return out;
}

ApiError invalid(const std::string& message) { return ApiError(400, "InvalidParameterValueException", message); }

}  // namespace

LocalExecution::LocalExecution(std::optional<std::string> input, std::string name)
    : arn_("arn:aws:lambda:us-east-1:123456789012:function:test:$LATEST/durable-execution/" + name + "/" + name + "-1"),
      now_(kStart) {
  OperationRecord execution;
  execution.id = name + "-1";
  execution.type = OperationType::Execution;
  execution.started = now_;
  execution.input = std::move(input);
  operations_.push_back(std::move(execution));
}

OperationRecord* LocalExecution::find(const std::string& id) {
  return const_cast<OperationRecord*>(std::as_const(*this).find(id));
}

const OperationRecord* LocalExecution::find(const std::string& id) const {
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const OperationRecord& record) { return record.id == id; });
  return found == operations_.end() ? nullptr : &*found;
}

void LocalExecution::seed(OperationRecord record) { operations_.push_back(std::move(record)); }

// --- invocations and tokens ---

std::string LocalExecution::token() const {
  return base64(arn_.substr(arn_.rfind('/') + 1) + ":" + std::to_string(invocation_) + ":" + std::to_string(sequence_));
}

InvocationEvent LocalExecution::begin_invocation() {
  const std::lock_guard lock(mutex_);
  ++invocation_;
  in_flight_ = true;
  fire_due();
  news_.clear();
  InvocationEvent event;
  event.execution_arn = arn_;
  event.token = token();
  event.operations = visible();
  event.request_id = "request-" + std::to_string(invocation_);
  if (page_ != 0 && event.operations.size() > page_) {
    event.operations.resize(page_);
    event.next_marker = std::to_string(page_);
  }
  return event;
}

void LocalExecution::end_invocation() { in_flight_ = false; }

bool LocalExecution::has_news() const { return !news_.empty(); }

bool LocalExecution::has_pending() const {
  return std::any_of(operations_.begin(), operations_.end(), [](const OperationRecord& record) {
    if (record.type == OperationType::Step)
      return record.status == OperationStatus::Pending || record.status == OperationStatus::Ready;
    const bool external = record.type == OperationType::Wait || record.type == OperationType::Callback ||
                          record.type == OperationType::ChainedInvoke;
    return external && record.status == OperationStatus::Started;
  });
}

void LocalExecution::check_token(const std::string& arn, const std::string& token_given) const {
  if (arn != arn_) throw invalid("Checkpoint token is not valid for the durable execution ARN");
  if (!in_flight_ || closed_ || token_given != token()) throw invalid("Invalid checkpoint token");
}

CheckpointAnswer LocalExecution::checkpoint(const CheckpointRequest& request, Deadline) {
  const std::lock_guard lock(mutex_);
  const std::string replay_key = request.token + " " + request.client_token;
  if (const auto before = answered_.find(replay_key); before != answered_.end()) return before->second;
  const bool fails = failing_in_ > 0 && --failing_in_ == 0;
  if (fails && !failure_after_) throw ApiError(*failure_);
  check_token(request.execution_arn, request.token);
  // Nothing else happens while a function polls, so the time that it waits for may as well pass.
  if (request.updates.empty()) advance();
  fire_due();
  check_batch(request.updates);
  for (const OperationUpdate& update : request.updates) apply(update);
  checkpoints_.push_back(request);
  ++sequence_;
  CheckpointAnswer answer;
  if (!closed_) answer.token = token();
  answer.operations = take_news();
  answered_.emplace(replay_key, answer);
  if (fails) throw ApiError(*failure_);
  return answer;
}

StatePage LocalExecution::state(const std::string& execution_arn, const std::string& token_given,
                                const std::string& marker, Deadline) {
  const std::lock_guard lock(mutex_);
  check_token(execution_arn, token_given);
  const std::vector<OperationRecord> all = visible();
  const std::size_t begin = std::min(all.size(), static_cast<std::size_t>(std::stoul(marker)));
  const std::size_t end = std::min(all.size(), begin + std::max<std::size_t>(page_, 1));
  StatePage page;
  page.operations.assign(all.begin() + static_cast<std::ptrdiff_t>(begin),
                         all.begin() + static_cast<std::ptrdiff_t>(end));
  if (end < all.size()) page.next_marker = std::to_string(end);
  return page;
}

std::chrono::milliseconds LocalExecution::until(Timestamp) const { return kBusyPoll; }

void LocalExecution::fail_checkpoint(int n, ApiError error, bool after) {
  failing_in_ = n;
  failure_ = std::move(error);
  failure_after_ = after;
}

// What lies in a context that has ended is not part of the state, unless it asked for that.
std::vector<OperationRecord> LocalExecution::visible() const {
  std::vector<OperationRecord> shown;
  for (const OperationRecord& record : operations_) {
    bool hidden = false;
    for (const OperationRecord* parent = find(record.parent_id); parent != nullptr; parent = find(parent->parent_id)) {
      hidden = hidden || (is_terminal(parent->status) && !parent->replay_children);
    }
    if (!hidden) shown.push_back(record);
  }
  return shown;
}

void LocalExecution::changed(const std::string& id) { news_.insert(id); }

std::vector<OperationRecord> LocalExecution::take_news() {
  std::vector<OperationRecord> records;
  for (const OperationRecord& record : operations_) {
    if (news_.contains(record.id)) records.push_back(record);
  }
  news_.clear();
  return records;
}

// --- updates ---

void LocalExecution::check_batch(const std::vector<OperationUpdate>& updates) const {
  UpdateRules rules([this](const std::string& id) { return find(id); });
  for (const OperationUpdate& update : updates) rules.check(update);
}

void LocalExecution::apply(const OperationUpdate& update) {
  if (update.type == OperationType::Execution) {
    closed_ = update.action == OperationAction::Succeed ? Reply::success(update.payload)
                                                        : Reply{OperationStatus::Failed, {}, update.error};
    return;
  }
  if (find(update.id) == nullptr) {
    OperationRecord created;
    created.id = update.id;
    created.type = update.type;
    created.parent_id = update.parent_id;
    created.name = update.name;
    created.sub_type = update.sub_type;
    created.started = now_;
    operations_.push_back(std::move(created));
  }
  OperationRecord& record = *find(update.id);
  if (update.action == OperationAction::Start) {
    apply_start(record, update);
  } else {
    apply_close(record, update);
  }
  changed(update.id);
}

void LocalExecution::apply_start(OperationRecord& record, const OperationUpdate& update) {
  record.status = OperationStatus::Started;
  if (update.wait_seconds) {
    record.scheduled_end = now_ + std::chrono::seconds(*update.wait_seconds);
    timers_.emplace(*record.scheduled_end, Timer{update.id, OperationStatus::Succeeded});
  }
  if (update.type == OperationType::Callback) arm_callback(record, update);
  if (update.type == OperationType::ChainedInvoke) answer_later(record, update);
}

void LocalExecution::apply_close(OperationRecord& record, const OperationUpdate& update) {
  if (update.type == OperationType::Step) ++record.attempts;
  record.result = update.payload;
  record.error = update.error;
  record.replay_children = update.replay_children;
  switch (update.action) {
    case OperationAction::Start:
      return;
    case OperationAction::Retry:
      record.status = OperationStatus::Pending;
      record.next_attempt = now_ + std::chrono::seconds(*update.retry_delay_seconds);
      timers_.emplace(*record.next_attempt, Timer{update.id, OperationStatus::Ready});
      return;
    case OperationAction::Succeed:
      record.status = OperationStatus::Succeeded;
      break;
    case OperationAction::Fail:
      record.status = OperationStatus::Failed;
      break;
    case OperationAction::Cancel:
      record.status = OperationStatus::Cancelled;
      break;
  }
  record.ended = now_;
}

void LocalExecution::arm_callback(OperationRecord& record, const OperationUpdate& update) {
  record.callback_id = base64(arn_ + "|" + update.id);
  if (update.timeout_seconds.value_or(0) > 0) {
    timers_.emplace(now_ + std::chrono::seconds(*update.timeout_seconds),
                    Timer{update.id, OperationStatus::TimedOut, "Callback.Timeout"});
  }
  if (update.heartbeat_seconds.value_or(0) > 0) {
    heartbeats_[update.id] = *update.heartbeat_seconds;
    timers_.emplace(now_ + std::chrono::seconds(*update.heartbeat_seconds),
                    Timer{update.id, OperationStatus::TimedOut, "Callback.Heartbeat"});
  }
  const auto scripted = std::find_if(callbacks_.begin(), callbacks_.end(),
                                     [&](const Scripted& one) { return one.name == "*" || one.name == record.name; });
  if (scripted == callbacks_.end()) return;
  replies_.emplace(now_ + scripted->delay, std::pair(update.id, scripted->reply));
  callbacks_.erase(scripted);
}

void LocalExecution::answer_later(const OperationRecord& record, const OperationUpdate& update) {
  const auto target = targets_.find(update.function_name);
  const Reply reply = target != targets_.end()
                          ? target->second.answer(update.payload.value_or("{}"))
                          : Reply::failure("ResourceNotFoundException", "Function not found: " + update.function_name);
  replies_.emplace(now_ + (target != targets_.end() ? target->second.delay : std::chrono::milliseconds(0)),
                   std::pair(record.id, reply));
}

// --- time and the outside world ---

void LocalExecution::on_callback(const std::string& name, Reply reply, std::chrono::milliseconds delay) {
  callbacks_.push_back({name, std::move(reply), delay});
}

void LocalExecution::on_invoke(const std::string& function, std::function<Reply(const std::string&)> answer,
                               std::chrono::milliseconds delay) {
  targets_[function] = {std::move(answer), delay};
}

void LocalExecution::finish(OperationRecord& record, const Reply& reply) {
  if (is_terminal(record.status)) return;
  record.status = reply.status;
  record.result = reply.result;
  record.error = reply.error;
  record.ended = now_;
  changed(record.id);
}

void LocalExecution::complete_callback(const std::string& callback_id, const Reply& reply) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const OperationRecord& record) { return record.callback_id == callback_id; });
  if (callback_id.empty() || found == operations_.end()) throw invalid("Invalid callback id");
  if (is_terminal(found->status)) throw ApiError(400, "CallbackTimeoutException", "The callback has been closed");
  finish(*found, reply);
}

void LocalExecution::heartbeat(const std::string& callback_id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(operations_.begin(), operations_.end(),
                                  [&](const OperationRecord& record) { return record.callback_id == callback_id; });
  if (callback_id.empty() || found == operations_.end()) throw invalid("Invalid callback id");
  if (is_terminal(found->status)) throw ApiError(400, "CallbackTimeoutException", "The callback has been closed");
  std::erase_if(timers_, [&](const auto& entry) {
    return entry.second.operation_id == found->id && entry.second.error_type == "Callback.Heartbeat";
  });
  if (const auto seconds = heartbeats_.find(found->id); seconds != heartbeats_.end()) {
    timers_.emplace(now_ + std::chrono::seconds(seconds->second),
                    Timer{found->id, OperationStatus::TimedOut, "Callback.Heartbeat"});
  }
}

void LocalExecution::fire(const Timer& timer) {
  OperationRecord& record = *find(timer.operation_id);
  if (is_terminal(record.status)) return;
  if (timer.fires == OperationStatus::Ready) {
    record.status = OperationStatus::Ready;
    record.next_attempt.reset();
    return changed(record.id);
  }
  Reply reply{timer.fires, {}, {}};
  if (timer.fires == OperationStatus::TimedOut)
    reply.error = ErrorObject{.type = timer.error_type, .message = "The callback was not answered in time"};
  finish(record, reply);
}

void LocalExecution::fire_due() {
  while (!replies_.empty() && replies_.begin()->first <= now_) {
    const auto [id, reply] = replies_.extract(replies_.begin()).mapped();
    finish(*find(id), reply);
  }
  while (!timers_.empty() && timers_.begin()->first <= now_) fire(timers_.extract(timers_.begin()).mapped());
}

bool LocalExecution::advance() {
  const std::lock_guard lock(mutex_);
  if (timers_.empty() && replies_.empty()) return false;
  Timestamp next = Timestamp::max();
  if (!timers_.empty()) next = timers_.begin()->first;
  if (!replies_.empty()) next = std::min(next, replies_.begin()->first);
  now_ = std::max(now_, next);
  fire_due();
  return true;
}

}  // namespace pawl::durable::testing
