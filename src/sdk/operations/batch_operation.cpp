#include "sdk/operations/batch_operation.h"

#include "sdk/wire.h"

namespace pawl::durable::detail {

void BatchOperation::start(const OperationRecord* record) {
  const bool has_ended = record != nullptr && is_terminal(record->status);
  if (has_ended && !record->replay_children) {
    if (record->status == OperationStatus::Succeeded) return settle(record->result);
    return settle(std::make_exception_ptr(ChildContextError(record->error.value_or(ErrorObject()))));
  }
  if (record == nullptr) send(update(OperationAction::Start), Urgency::Soon);
  items_.resize(spec_.items.size());
  context_below_ = &invocation_.make_context(&context(), head_.key.logical, id(), name());
  if (!has_ended) return advance();
  context_below_->only_replays = true;
  walk_again(record->result.value_or(""));
}

// Begins items while the policy and the concurrency allow it. Items that end at once come back here: the loop goes on
// for them.
void BatchOperation::advance() {
  if (advancing_ || ended_) return;
  advancing_ = true;
  const std::size_t most = spec_.options.max_concurrency.value_or(SIZE_MAX);
  std::optional<CompletionReason> reason = reason_to_end();
  while (!reason && next_ < items_.size() && running_ < most && !invocation_.stopped()) {
    begin_item(next_++);
    reason = reason_to_end();
  }
  advancing_ = false;
  if (reason && !invocation_.stopped()) end(*reason);
}

// The result was too large to be recorded: exactly the items that had ended are run again over their recorded
// operations.
void BatchOperation::walk_again(const std::string& summary) {
  std::string statuses;
  try {
    const Json json = Json::parse(summary);
    statuses = json.at("itemStatuses").as_string();
    recorded_reason_ = completion_reason(json.at("completionReason").as_string());
  } catch (const SerializationError& problem) {
    return give_up(problem);
  }
  advancing_ = true;
  for (std::size_t index = 0; index < items_.size() && index < statuses.size(); ++index) {
    items_[index].begun = statuses[index] == 'R';
    if (statuses[index] == 'S' || statuses[index] == 'F') begin_item(index);
  }
  advancing_ = false;
  if (running_ == 0) end(*recorded_reason_);
}

void BatchOperation::begin_item(std::size_t index) {
  const bool flat = spec_.options.nesting == Nesting::Flat;
  OperationHead head{*context_below_, key_of(head_.key.logical, index + 1), spec_.items[index].name,
                     OperationType::Context, spec_.is_map ? "MapIteration" : "ParallelBranch"};
  ++running_;
  auto child = std::make_shared<ChildOperation>(std::move(head), std::move(spec_.items[index].body), flat);
  items_[index].begun = true;
  items_[index].operation = child;
  invocation_.keep(child);
  child->begin();
  child->listen([this, index] { item_ended(index); });
}

void BatchOperation::item_ended(std::size_t index) {
  --running_;
  const bool succeeded = items_[index].operation->succeeded();
  items_[index].status = succeeded ? ItemStatus::Succeeded : ItemStatus::Failed;
  ++(succeeded ? succeeded_ : failed_);
  if (!recorded_reason_) return advance();
  if (!advancing_ && running_ == 0) end(*recorded_reason_);
}

bool BatchOperation::tolerance_exceeded() const {
  const Completion& completion = spec_.options.completion;
  if (!completion.min_successful && !completion.tolerated_failures && !completion.tolerated_failure_percentage)
    return failed_ > 0;
  if (completion.tolerated_failures && failed_ > *completion.tolerated_failures) return true;
  if (!completion.tolerated_failure_percentage || items_.empty()) return false;
  return static_cast<double>(failed_) * 100.0 / static_cast<double>(items_.size()) >
         *completion.tolerated_failure_percentage;
}

std::optional<CompletionReason> BatchOperation::reason_to_end() const {
  if (tolerance_exceeded()) return CompletionReason::FailureToleranceExceeded;
  if (succeeded_ + failed_ == items_.size()) return CompletionReason::AllCompleted;
  const auto& enough = spec_.options.completion.min_successful;
  if (enough && succeeded_ >= *enough) return CompletionReason::MinSuccessfulReached;
  return std::nullopt;
}

// Items that still run are cut off: their updates would be refused once the batch has ended.
void BatchOperation::end(CompletionReason reason) {
  ended_ = true;
  std::string text = full_text(reason);
  OperationUpdate change = update(OperationAction::Succeed);
  try {
    if (spec_.encode_all) text = spec_.encode_all(text);
  } catch (...) {
    change = update(OperationAction::Fail);
    change.error = describe(std::current_exception());
  }
  if (!recorded_reason_) {
    change.replay_children = !change.error && text.size() > kPayloadBytesMax;
    if (!change.error) change.payload = change.replay_children ? summary_text(reason) : text;
    send(change, Urgency::Soon);
  }
  context_below_->closed = true;
  if (change.error) return settle(std::make_exception_ptr(ChildContextError(*change.error)));
  settle(Payload(std::move(text)));
}

void BatchOperation::append_item(std::string& out, std::size_t index) const {
  const Item& item = items_[index];
  out += '{';
  if (item.status == ItemStatus::Succeeded) {
    const Payload& payload = item.operation->payload();
    if (payload) {
      out += "\"result\":";
      if (spec_.results_are_text) {
        append_quoted(out, *payload);
      } else {
        out += *payload;
      }
      out += ',';
    }
  } else if (item.status == ItemStatus::Failed) {
    out += "\"error\":";
    try {
      std::rethrow_exception(item.operation->error());
    } catch (const Error& error) {
      append_error(out, error.cause());
    }
    out += ',';
  }
  out += "\"index\":" + std::to_string(index) + ",\"status\":\"" + std::string(to_string(item.status)) + "\"}";
}

std::string BatchOperation::full_text(CompletionReason reason) const {
  std::string out = "{\"all\":[";
  bool first = true;
  for (std::size_t index = 0; index < items_.size(); ++index) {
    if (!items_[index].begun) continue;
    if (!first) out += ',';
    first = false;
    append_item(out, index);
  }
  return out + "],\"completionReason\":\"" + std::string(to_string(reason)) + "\"}";
}

std::string BatchOperation::summary_text(CompletionReason reason) const {
  std::string statuses;
  std::size_t started = 0;
  for (const Item& item : items_) {
    if (!item.begun) {
      statuses += '-';
      continue;
    }
    started += item.status == ItemStatus::Started;
    statuses += item.status == ItemStatus::Succeeded ? 'S' : item.status == ItemStatus::Failed ? 'F' : 'R';
  }
  return Json::object({{"type", spec_.is_map ? "MapResult" : "ParallelResult"},
                       {"totalCount", succeeded_ + failed_ + started},
                       {"successCount", succeeded_},
                       {"failureCount", failed_},
                       {"startedCount", started},
                       {"completionReason", Json(to_string(reason))},
                       {"status", failed_ == 0 ? "SUCCEEDED" : "FAILED"},
                       {"itemStatuses", statuses}})
      .dump();
}

}  // namespace pawl::durable::detail
