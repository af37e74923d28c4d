// The event state: waits for any of its events, or for all of them, and performs the actions that belong to what came.
//
// What came so far is in the memory of the wait; once it is enough, the memory of the join is {"data", "groups"}, the
// data with the events added and the numbers of the groups of actions that run, one after the other.
#include <algorithm>

#include "lang/serverless/actions.h"
#include "lang/serverless/event_wait.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

using kernel::Ended;
using Arrived = std::vector<ArrivedEvent>;

class Event final : public StateCode {
 public:
  explicit Event(const State& state) : StateCode(state) {
    for (const EventsActions& group : detail<EventState>().groups)
      for (const EventReference& reference : group.events)
        if (std::ranges::find(events_, reference.event) == events_.end()) events_.push_back(reference.event);
  }

  void open_children(Frame& frame) const override {
    while (frame.join().may_open()) {
      const Value& group = frame.memory().find("groups")->at(frame.join().opened);
      auto data = with_added(data_in(frame.memory()), added_by_children(frame));
      if (!data) return fail(frame, data.error());
      frame.open_child(first_node_of(group_at(group).body), *std::move(data));
    }
  }

  void resume(Frame& frame) const override {
    if (resume_retry(frame)) return;
    if (frame.scope().ended.what == Ended::What::kJoin) return finish(frame);
    auto data = filtered_input(frame);
    if (!data) return fail(frame, data.error());
    const Ended ended = frame.scope().ended;
    if (ended.outcome != kernel::Outcome::kSucceeded) return complete(frame, Value(), *std::move(data));  // too late
    Arrived have = arrived_before(ended);
    have.push_back(arrived_in(ended));
    proceed(frame, *data, std::move(have), ended.due);
  }

 protected:
  Value data_in(const Value& memory) const override { return *memory.find("data"); }

  // A redrive goes on with what had come.
  void begin(Frame& frame, Value data) const override {
    Arrived have = arrived_before(frame.scope().ended);
    if (have.empty() && frame.execution().start_events().is_array())
      for (const Value& event : frame.execution().start_events().items())
        have.push_back(ArrivedEvent::from_value(event));
    proceed(frame, data, std::move(have), kNever);
  }

  void begin_again(Frame& frame, Value memory) const override {
    const size_t groups = memory.find("groups")->size();
    frame.start_join({groups, 1, 0, std::move(memory)});
  }

 private:
  const EventsActions& group_at(const Value& number) const {
    return detail<EventState>().groups[static_cast<size_t>(number.as_integer().value_or(0))];
  }
  bool is_exclusive() const { return detail<EventState>().exclusive; }

  static const ArrivedEvent* find(const Arrived& have, std::string_view event) {
    const auto found = std::ranges::find(have, event, &ArrivedEvent::event);
    return found == have.end() ? nullptr : &*found;
  }

  std::vector<std::string> missing(const Arrived& have) const {
    std::vector<std::string> names;
    for (const std::string& name : events_)
      if (find(have, name) == nullptr) names.push_back(name);
    return names;
  }

  // Acts on what came where it is enough, else waits for more.
  void proceed(Frame& frame, const Value& data, Arrived have, Timestamp due) const {
    const bool is_enough = is_exclusive() ? !have.empty() : missing(have).empty();
    const auto done = is_enough ? act(frame, data, have) : wait(frame, data, have, due);
    if (!done) fail(frame, done.error());
  }

  // --- waiting

  Attempt<void> wait(Frame& frame, const Value& data, const Arrived& have, Timestamp due) const {
    auto input = wait_for(frame, missing(have), data);
    if (!input) return std::unexpected(std::move(input).error());
    const auto end = end_of_wait(frame, have, due);
    if (!end) return std::unexpected(end.error());
    json::ArrayBuilder so_far(have.size());
    for (const ArrivedEvent& event : have) so_far.push(event.to_value());
    frame.await_event(input->with_member("have", so_far.build()), *end);
    return {};
  }

  // A state that starts the workflow ignores its timeout where any event will do, and else counts it from event to
  // event; any other counts it from when it became active.
  Attempt<Timestamp> end_of_wait(const Frame& frame, const Arrived& have, Timestamp due) const {
    const auto& timeout = detail<EventState>().timeout;
    const bool is_start = frame.program().workflow().start == ordinal();
    if (!timeout || (is_start && (is_exclusive() || have.empty()))) return kNever;
    return due != kNever && !is_start ? due : frame.after(*timeout);
  }

  static Arrived arrived_before(const Ended& ended) {
    Arrived have;
    if (const Value* list = ended.input.find("have"))
      for (const Value& event : list->items()) have.push_back(ArrivedEvent::from_value(event));
    return have;
  }

  // --- acting

  Attempt<void> act(Frame& frame, Value data, const Arrived& have) const {
    json::ArrayBuilder numbers;
    const std::vector<EventsActions>& groups = detail<EventState>().groups;
    for (size_t i = 0; i < groups.size(); ++i) {
      bool has_event = false;
      for (const EventReference& reference : groups[i].events) {
        const ArrivedEvent* event = find(have, reference.event);
        if (event == nullptr) continue;
        has_event = true;
        auto with_event = add_arrived(frame, groups[i].event_filter, data, *event);
        if (!with_event) return std::unexpected(std::move(with_event).error());
        data = *std::move(with_event);
      }
      if (has_event) numbers.push(Value::integer(static_cast<int64_t>(i)));
      if (has_event && is_exclusive()) break;  // only the first group that the event belongs to
    }
    json::ObjectBuilder memory(2);
    memory.set("data", std::move(data));
    memory.set("groups", numbers.build());
    begin_again(frame, memory.build());
    return {};
  }

  void finish(Frame& frame) const {
    const Value memory = frame.memory();
    auto data = with_added(data_in(memory), added_by_children(frame));
    if (!data) return fail(frame, data.error());
    frame.end_join(kernel::Outcome::kSucceeded);
    complete(frame, memory, *std::move(data));
  }

  std::vector<std::string> events_;  // each once
};

}  // namespace

NodeCodePtr compile_event(const State& state) { return std::make_unique<Event>(state); }

}  // namespace pawl::serverless
