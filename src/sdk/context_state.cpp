#include "sdk/context_state.h"

#include "sdk/invocation.h"
#include "sdk/md5.h"

namespace pawl::durable::detail {

OperationKey key_of(const std::string& prefix, std::uint64_t place) {
  OperationKey key;
  key.logical = prefix.empty() ? std::to_string(place) : prefix + "-" + std::to_string(place);
  key.id = md5_prefix(key.logical);
  return key;
}

ContextState::ContextState(Invocation& owner, ContextState* parent_context, std::string id_prefix,
                           std::string id_of_parent, std::string context_name)
    : invocation(owner),
      parent(parent_context),
      prefix(std::move(id_prefix)),
      parent_id(std::move(id_of_parent)),
      name(std::move(context_name)),
      now(parent_context != nullptr ? parent_context->now : Timestamp()),
      context(*this) {
  only_replays = parent != nullptr && parent->only_replays;
}

bool ContextState::is_closed() const {
  for (const ContextState* context_above = this; context_above != nullptr; context_above = context_above->parent) {
    if (context_above->closed) return true;
  }
  return false;
}

bool ContextState::is_replaying() const {
  return only_replays || invocation.was_recorded_before(key_of(prefix, operations + 1).id);
}

bool ContextState::logs_in_replay() const {
  for (const ContextState* context_above = this; context_above != nullptr; context_above = context_above->parent) {
    if (context_above->log_in_replay) return *context_above->log_in_replay;
  }
  return invocation.config().log_in_replay;
}

}  // namespace pawl::durable::detail
