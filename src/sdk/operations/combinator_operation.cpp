#include "sdk/operations/combinator_operation.h"

namespace pawl::durable::detail {

const char* sub_type_of(Combinator kind) {
  switch (kind) {
    case Combinator::All:
      return "All";
    case Combinator::AllSettled:
      return "AllSettled";
    case Combinator::Race:
      return "Race";
    case Combinator::Any:
      return "Any";
  }
  return "";
}

void CombinatorOperation::start(const OperationRecord* record) {
  if (record != nullptr && is_terminal(record->status)) return replay(*record);
  if (members_.empty()) return decide({std::nullopt, kind_ == Combinator::Any});
  for (std::size_t index = 0; index < members_.size() && !decided_; ++index) {
    members_[index]->listen([this, index] { member_settled(index); });
  }
}

void CombinatorOperation::member_settled(std::size_t index) {
  if (decided_) return;
  ++settled_members_;
  const bool last = settled_members_ == members_.size();
  const bool failed = members_[index]->error() != nullptr;
  switch (kind_) {
    case Combinator::Race:
      return decide({index, false});
    case Combinator::Any:
      if (!failed) return decide({index, false});
      if (last) decide({std::nullopt, true});
      return;
    case Combinator::All:
      if (failed) return decide({index, true});
      if (last) decide({std::nullopt, false});
      return;
    case Combinator::AllSettled:
      if (last) decide({std::nullopt, false});
      return;
  }
}

// The index is all that is recorded: the values and errors are the members' own.
void CombinatorOperation::decide(Decision decision) {
  decided_ = true;
  send(update(OperationAction::Start), Urgency::Soon);
  OperationUpdate change = update(decision.failed ? OperationAction::Fail : OperationAction::Succeed);
  if (decision.failed) {
    change.error = error_of(decision);
  } else {
    change.payload = decision.index ? std::to_string(*decision.index) : "null";
  }
  const bool eager = invocation_.config().mode == CheckpointMode::Eager;
  send(std::move(change), eager ? Urgency::Now : Urgency::Soon,
       eager ? std::function<void()>([this, decision] { resolve(decision); }) : nullptr);
  if (!eager) resolve(decision);
}

ErrorObject CombinatorOperation::error_of(const Decision& decision) const {
  if (!decision.index)
    return {"AggregateError",
            "None of the " + std::to_string(members_.size()) + " operations succeeded.",
            std::nullopt,
            {}};
  ErrorObject error = describe(members_[*decision.index]->error());
  error.data = std::to_string(*decision.index);
  return error;
}

void CombinatorOperation::resolve(const Decision& decision) {
  if (!decision.failed) return settle(decision.index ? Payload(std::to_string(*decision.index)) : Payload("null"));
  if (decision.index) return settle(members_[*decision.index]->error());
  settle(std::make_exception_ptr(AggregateError(error_of(decision))));
}

// A member that decided has been recorded before the combinator was, so on a replay it settles as well; here it is
// waited for in case it does so later.
void CombinatorOperation::replay(const OperationRecord& record) {
  decided_ = true;
  Decision decision{std::nullopt, record.status != OperationStatus::Succeeded};
  const std::string& index =
      decision.failed ? record.error.value_or(ErrorObject()).data.value_or("null") : record.result.value_or("null");
  try {
    decision.index = from_text<std::optional<std::uint64_t>>(index);
  } catch (const SerializationError& problem) {
    return give_up(problem);
  }
  if (decision.index && *decision.index >= members_.size())
    return give_up(SerializationError("the recorded winner is not among the operations"));
  if (decision.index) return members_[*decision.index]->listen([this, decision] { resolve(decision); });
  auto waiting = std::make_shared<std::size_t>(members_.size());
  if (members_.empty()) return resolve(decision);
  for (const auto& member : members_) {
    member->listen([this, decision, waiting] {
      if (--*waiting == 0) resolve(decision);
    });
  }
}

}  // namespace pawl::durable::detail
