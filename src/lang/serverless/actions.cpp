#include "lang/serverless/actions.h"

#include "lang/serverless/merge.h"

namespace pawl::serverless {

void ActionList::start(Frame& frame, Value data) const {
  const uint32_t at_once = body_.mode == ActionMode::kSequential ? 1 : 0;
  frame.start_join({body_.actions.size(), at_once, 0, std::move(data)});
}

Attempt<void> ActionList::open(Frame& frame) const {
  while (frame.join().may_open()) {
    const bool sees_earlier = body_.mode == ActionMode::kSequential;
    auto data = sees_earlier ? with_added(frame.memory(), added_by_children(frame)) : Attempt<Value>(frame.memory());
    if (!data) return std::unexpected(std::move(data).error());
    frame.open_child(body_.actions[frame.join().opened].ordinal, *std::move(data));
  }
  return {};
}

Value added_by_children(const Frame& frame) {
  Value added = Value::empty_object();
  const std::vector<Value>& results = frame.join().results;
  for (uint32_t i = 0; i < results.size(); ++i)
    if (frame.succeeded(i) && results[i].is_object()) added = merge_objects(added, results[i]);
  return added;
}

Attempt<Value> with_added(const Value& data, const Value& addition) {
  if (addition.size() == 0) return data;
  return attempt(merge(data, addition));
}

StateOrdinal first_node_of(const Body& body) {
  return body.workflow_id.empty() && body.actions.size() == 1 ? body.actions.front().ordinal : body.ordinal;
}

}  // namespace pawl::serverless
